"""The actions of commands, tools and hooks: a module or package per use case. Nothing here prints.

In this package `timeout` is the longest wait for the project's lock, in seconds, and `now` has a time zone.
A function that writes raises Busy if another process holds the lock, BadInput for a log that may not be
written, and AgentProgressError if the disk refuses: it changes nothing then. Docstrings name further errors.
"""
