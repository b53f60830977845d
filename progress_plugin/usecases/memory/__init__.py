"""The memory tools, a module each (`mem_...`); the rows themselves are the work of `memory`."""
