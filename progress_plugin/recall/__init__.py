"""The full-text index over the history, and how a question finds its passages."""
