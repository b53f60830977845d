"""The progress log; begin at `log.entry` (the parts of an entry) and `log.store` (the file on the disk)."""
