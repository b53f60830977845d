"""Take back entries and mute learnings (`retract`); erase entries and texts (`erase`)."""
