"""Command lines of a session: what they run and write, which are checks, how those ended; `check_results`."""
