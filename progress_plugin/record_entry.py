"""The work of `hooks/record.py`: a quick look whether an event is about us; what is, is recorded."""

import sys

from progress_plugin.core.fast import hook_process


def main() -> None:
    """Deal with one event of a client and end the process; does not return."""
    hook_process.run(" ".join(sys.argv[1:2]), _work, hook_process.RECORDING)


def _work() -> None:
    # Imported here: an error in it is noted, and the process ends well.
    from progress_plugin.core.fast.hook_filter import (
        DETACHED,
        READING,
        SAID_ONCE,
        SYNCING,
        event_arguments,
        pass_on,
        time_for,
    )

    ours = pass_on(sys.argv[1:])
    if ours is None:
        return
    hook_process.work_longer(time_for(sys.argv[1]), ours[0])
    if sys.argv[1] in SAID_ONCE:
        # Imported now: as the clock ends this process, another thread may be in the middle of an import.
        from progress_plugin.core.fast.hook_handover import hand_over

        hook_process.rescue_by(lambda: hand_over(sys.argv[1:], ours[1]))
    if ours[0] == DETACHED:
        from progress_plugin.usecases.background_run import run_background

        run_background(*sys.argv[2:])
    elif ours[0] == READING:
        from progress_plugin.usecases.background_run import run_reading

        run_reading(*sys.argv[2:])
    elif ours[0] == SYNCING:
        from progress_plugin.usecases.team.background_sync import run_sync

        run_sync(*sys.argv[2:])
    else:
        from progress_plugin.usecases.recording.hook_event import handle

        handle(*ours, client=next(iter(event_arguments(sys.argv[1:])[1:2]), None))
