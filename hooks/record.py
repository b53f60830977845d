"""Door of every other event: standard input -> one call -> nothing on standard output -> exit 0."""

import sys


def work():
    """Look whether the event is about us, and record what it tells."""
    from progress_plugin.core.event_gate import pass_on, time_for

    ours = pass_on(sys.argv[1:])
    if ours is not None:
        from progress_plugin.core import door, slow_path

        door.work_longer(time_for(ours[0]), ours[0])
        slow_path.begin("record")
        from progress_plugin.usecases.hook_event import handle

        handle(*ours, sys.argv[2:])
        slow_path.end()


if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    from progress_plugin.core.door import run

    run(" ".join(sys.argv[1:2]), work)
