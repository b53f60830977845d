"""From files to the summary on the disk; begin at `sources`, then `gather`, `compose`, `summary_files`."""
