"""The work of `hooks/start.py`: answered from the cache, or made anew where more is needed."""

import sys

from progress_plugin.core.fast import hook_process


def main() -> None:
    """Answer the client's start of a session and end the process; does not return."""
    hook_process.run("SessionStart", _work)


def _work() -> None:
    from progress_plugin.core.fast.start_hook import (
        answer_start,
    )  # here: an error in it is noted, and ends well

    rest = answer_start(sys.argv[1:])
    if rest is None:
        return
    from progress_plugin.core.caches import hook_module_cache, import_caches

    hook_process.end_after(hook_process.left() + hook_process.AT_LAST, "SessionStart")
    import_caches.begin()
    from progress_plugin.usecases.starting.start import start_slowly

    start_slowly(*rest)
    import_caches.end()
    hook_module_cache.keep()
