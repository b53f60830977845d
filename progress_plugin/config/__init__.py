"""The settings: what there is, and which source of a value wins."""
