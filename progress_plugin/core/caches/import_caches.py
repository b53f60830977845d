"""The caches of modules and patterns, loaded before a hook's or command's work and stored after it."""

import gc

from progress_plugin.core.caches import module_cache

_LARGEST = 16 * 1024 * 1024
"""Bytes up to which memory that is freed is used again."""
_is_begun = False


def begin(journey: str = "") -> None:
    """Call before the modules of the work are imported.

    What is kept is kept for each `journey` by itself, so that none takes over what only others need.
    Cycles are not looked for: a start makes some 100,000 objects and hardly a cycle, and then it ends.
    """
    global _is_begun  # noqa: PLW0603 - the caches are one per process
    _is_begun = True
    gc.disable()
    _keep_what_is_freed()
    module_cache.recall(journey, is_alone=True)
    from progress_plugin.core.caches import pattern_cache  # noqa: PLC0415 - it is itself among what is kept

    pattern_cache.recall(journey)


def _keep_what_is_freed() -> None:
    """Have large pieces of memory used again: the system clears each page it gives, 600 of a start's 4,700.

    Once a piece has been freed, the C library of Linux keeps what is no larger. This one is never written to,
    so it costs nothing.
    """
    bytes(_LARGEST)


def go_on(journey: str) -> None:
    """Go on as another journey, whose modules and patterns most calls of the one begun do without.

    Without effect where none was begun, as in a server, which lives long.
    """
    if _is_begun:
        end()
        begin(journey)


def end() -> None:
    """Call when all is done, for the next process."""
    from progress_plugin.core.caches import pattern_cache  # noqa: PLC0415

    module_cache.keep()
    pattern_cache.keep()
