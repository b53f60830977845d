"""The memory database, SQLite; begin at `memory.database`. Its tools are in `usecases.memory`."""
