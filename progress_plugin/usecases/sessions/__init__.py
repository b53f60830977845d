"""Transcripts read, and the records of sessions listed; begin at `session_events` and `reading`."""
