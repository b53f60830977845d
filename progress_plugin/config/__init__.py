"""The settings: begin at `config.settings` (what there is) and `config.load` (which source wins)."""
