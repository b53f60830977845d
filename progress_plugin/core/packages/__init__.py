"""The third-party packages and their environment; begin at `core.packages.environment`."""
