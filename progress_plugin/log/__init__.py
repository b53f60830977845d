"""The progress log; begin at `log.entry` (what an entry is) and `log.store` (the file on the disk)."""
