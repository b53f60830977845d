"""The work of `hooks/start.py`: answered from the cache, or made anew where more is needed."""

import sys

from progress_plugin.core.fast import hook_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.fast.kept_modules import KeptModules


def main(kept: "KeptModules | None") -> None:
    """Answer the client's start of a session and end the process; does not return.

    `kept` is where its modules were found, if any can be kept.
    """
    hook_process.run("SessionStart", lambda: _work(kept))


def _work(kept: "KeptModules | None") -> None:
    # Imported here: an error in it is noted, and the process ends well.
    from progress_plugin.core.fast.start_hook import answer_start

    rest = answer_start(sys.argv[1:])
    if rest is None:
        return
    from progress_plugin.core.caches import import_caches

    hook_process.end_after(hook_process.left() + hook_process.AT_LAST, "SessionStart")
    import_caches.begin()
    from progress_plugin.usecases.starting.start import start_slowly

    start_slowly(*rest)
    import_caches.end()
    if kept is not None and kept.is_outdated:
        from progress_plugin.core.caches import hook_module_cache

        hook_module_cache.keep()
