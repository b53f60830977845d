"""Any text as single statements; begin at `passages.reader` (`read_passages`)."""
