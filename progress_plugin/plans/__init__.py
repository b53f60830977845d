"""Plans in every format; begin at `plans.reader` (`read_plan`) and `plans.story_status`."""
