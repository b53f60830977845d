"""The actions of commands, tools and hooks: a module or package per use case; nothing here prints.

In this package `timeout` is for the project's lock, in seconds, and `now` carries its zone. What writes
raises Busy if another process holds the lock, BadInput for a log that may not be written, and
AgentProgressError if the disk refuses; nothing is written then. A docstring names what else a function
raises.
"""
