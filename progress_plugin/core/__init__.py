"""Files, lock, git, paths and clients, for all other packages; imports only the standard library."""
