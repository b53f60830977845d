"""The command line: a module per command, which only translates; the work is in `usecases`."""
