"""What all else stands on, by the standard library alone; begin at `core.project` (`find_project`)."""
