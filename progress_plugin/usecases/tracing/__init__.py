"""Which line of which file says what a context says; begin at `traced_context` (`trace_context`)."""
