"""Read transcripts into records of sessions (`read_transcripts`), and list these (`views`)."""
