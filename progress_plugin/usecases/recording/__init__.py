"""Entries of the log: those that people ask for, and those that hooks report."""
