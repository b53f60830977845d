"""Reading, writing and locking files; begin at `core.files.safe_read` and `core.files.atomic_file`."""
