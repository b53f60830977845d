"""Check whether everything works on this machine and in a project; `examination` is the entry point."""
