"""What a hook does around real work, so that the work is all it costs."""

import gc

from progress_plugin.core import pattern_cache


def begin() -> None:
    """Call before the modules of the work are imported.

    Cycles are not looked for: a start makes some 100,000 objects and hardly a cycle, and then it ends.
    """
    gc.disable()
    pattern_cache.recall()


def end() -> None:
    """Call when all is done, for the next process."""
    pattern_cache.keep()
