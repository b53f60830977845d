"""What hooks load first, without os and json; begin at `core.fast.start_hook` and `core.fast.hook_filter`."""
