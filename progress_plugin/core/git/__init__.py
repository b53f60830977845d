"""Git, read: its own files in `core.git.git_files`, its program in `core.git.git_command`."""
