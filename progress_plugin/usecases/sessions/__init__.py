"""Transcripts read, records of sessions listed; begin at `reading`."""
