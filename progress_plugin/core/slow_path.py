"""What a hook does around real work, so that the work is all it costs."""

import gc

from progress_plugin.core import pattern_cache

_YOUNG = 50_000
"""Objects between two looks for cycles; a start makes some 100,000 and hardly a cycle among them."""


def begin() -> None:
    """Call before the modules of the work are imported."""
    gc.set_threshold(_YOUNG, 20, 20)
    pattern_cache.recall()


def end() -> None:
    """Call when all is done, for the next process."""
    pattern_cache.keep()
