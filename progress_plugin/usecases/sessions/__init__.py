"""Transcripts read, records of sessions listed; begin at `reading_moments` and `transcript_reading`."""
