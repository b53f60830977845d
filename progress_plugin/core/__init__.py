"""The ground of all other packages, with the standard library alone; begin at `core.project`."""
