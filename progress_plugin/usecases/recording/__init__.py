"""Hook events become entries; begin at `hook_event` and `entries_from_signals`."""
