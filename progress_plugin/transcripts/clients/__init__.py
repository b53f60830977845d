"""Read the transcripts of each client as events."""
