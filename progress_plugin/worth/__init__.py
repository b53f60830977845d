"""Which statements the next agent needs; begin at `worth.choice` (`choose`) and `worth.score` (`worths`)."""
