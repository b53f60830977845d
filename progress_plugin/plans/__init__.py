"""Plans in every format; begin at `plans.documents`."""
