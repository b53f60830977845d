"""Door of SessionStart: standard input -> one call -> standard output -> exit 0."""

import sys


def work():
    """Answer from the cache; where more is needed make the summary anew."""
    from progress_plugin.core.fresh_start import answer

    rest = answer(sys.argv[1:])
    if rest is not None:
        from progress_plugin.core import door, slow_path

        door.end_after(door.left() + door.AT_LAST, "SessionStart")
        slow_path.begin()
        from progress_plugin.usecases.start import start_slowly

        start_slowly(*rest)
        slow_path.end()


if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    from progress_plugin.core.door import run

    run("SessionStart", work)
