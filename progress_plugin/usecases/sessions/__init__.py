"""Read transcripts into records of sessions (`reading`), and list these (`views`)."""
