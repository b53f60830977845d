"""The plugin; its packages, from `core` up to `cli`, are described in `docs/architecture.md`."""
