"""Names of `core.paths` and `core.programs` for modules that are about to be replaced."""

from progress_plugin.core.paths import is_outside
from progress_plugin.core.programs import child_variables as variables
from progress_plugin.core.programs import find_program as program

__all__ = ["is_outside", "program", "variables"]
