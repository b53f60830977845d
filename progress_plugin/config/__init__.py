"""The settings, their sources and the precedence of the sources."""
