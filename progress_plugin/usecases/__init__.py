"""What commands, tools and hooks do: a module or package per command; nothing here prints."""
