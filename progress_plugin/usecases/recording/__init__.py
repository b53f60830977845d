"""Hook events become entries; begin at `hook_event` (`handle`) and `observe` (`record_changes`)."""
