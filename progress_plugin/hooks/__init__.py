"""Entry point of the hooks that coding agents call."""
