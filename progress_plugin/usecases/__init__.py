"""What commands, tools and hooks do: a module per command, a package per journey; nothing here prints."""
