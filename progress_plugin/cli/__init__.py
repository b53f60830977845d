"""The command line: a module per group of commands, which only translates; the work is in `usecases`."""
