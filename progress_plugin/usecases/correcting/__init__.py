"""Entries and learnings taken back, muted, erased; begin at `erase`, `mute` or `retract`."""
