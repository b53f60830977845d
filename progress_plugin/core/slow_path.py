"""What a hook or a command does around real work, so that the work is all it costs."""

import gc

from progress_plugin.core import pattern_cache


def begin(journey: str = "") -> None:
    """Call before the modules of the work are imported; `journey` as in `pattern_cache.recall`.

    Cycles are not looked for: a start makes some 100,000 objects and hardly a cycle, and then it ends.
    """
    gc.disable()
    pattern_cache.recall(journey)


def end() -> None:
    """Call when all is done, for the next process."""
    pattern_cache.keep()
