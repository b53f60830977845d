"""What each client writes into its transcripts, read as events."""
