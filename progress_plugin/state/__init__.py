"""Decide how far the work is, from plans, agents' logs and our own records: begin at `decide.decide`."""
