"""Find the plans, logs, hand-off and state documents of a project; begin at `sources.find`."""
