"""Clients' transcripts, read into a record per session; begin at `transcripts.record`."""
