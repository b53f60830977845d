"""Register the plugin in the clients of this machine, and take it out again."""
