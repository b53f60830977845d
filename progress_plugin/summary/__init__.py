"""The summary, from facts to Markdown; begin at `summary.make_summary`."""
