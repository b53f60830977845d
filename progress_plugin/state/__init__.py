"""Decide where the work stands, from plans, agents' logs and our own records: begin at `decide.decide`."""
