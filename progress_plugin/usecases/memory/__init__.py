"""The memory tools, a module each (`mem_...`)."""
