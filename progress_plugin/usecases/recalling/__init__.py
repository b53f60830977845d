"""Find text in the history and answer questions about the state (`recall`)."""
