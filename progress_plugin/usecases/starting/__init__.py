"""A session start whose cache is stale or missing; begin at `start` (`start_slowly`)."""
