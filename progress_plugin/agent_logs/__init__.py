"""Read the Markdown documents in which agents keep their progress: entries, statements, learnings."""
