"""The settings: begin at `config.settings` (which there are) and `config.load` (which source wins)."""
