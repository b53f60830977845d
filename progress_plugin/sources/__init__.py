"""Which files of a project are its plans, logs, hand-off and state documents; begin at `sources.find`."""
