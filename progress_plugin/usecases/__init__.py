"""The actions of commands, tools and hooks: a module or package per command; nothing here prints."""
