"""What logs teach, found, merged and grouped; begin at `learnings.extract` (`extract`)."""
