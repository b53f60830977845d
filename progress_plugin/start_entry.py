"""The work of `hooks/start.py`: answered from the cache, or made anew where more is needed."""

import sys

from progress_plugin.core.fast import hook_process


def main() -> None:
    """Answer the client's start of a session and end the process; does not return."""
    hook_process.run("SessionStart", _work)


def _work() -> None:
    # Imported here: an error in it is noted, and the process ends well.
    from progress_plugin.core.fast.start_hook import answer_start

    rest = answer_start(sys.argv[1:])
    if rest is None:
        return

    hook_process.end_after(hook_process.left() + hook_process.AT_LAST, "SessionStart")
    from progress_plugin.usecases.starting.start import start_slowly

    start_slowly(*rest)
