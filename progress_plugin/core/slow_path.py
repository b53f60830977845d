"""What a hook does around real work, so that the work is all it costs."""

import gc
import os
import sys

from progress_plugin.core import pattern_cache

_YOUNG = 50_000
"""Objects between two looks for cycles; a start makes some 100,000 and hardly a cycle among them."""


def begin() -> None:
    """Call before the modules of the work are imported."""
    gc.set_threshold(_YOUNG, 20, 20)
    pattern_cache.recall()


def end() -> None:
    """Call when all is done: leaves the process with exit code 0, and does not return.

    The interpreter's own end takes every module apart, a tenth of a start.
    """
    pattern_cache.keep()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
