"""Entry point of every other event: standard input -> one call -> exit 0; only the gate prints, at Stop."""

import sys


def work():
    """Look whether the event is about us, and record what it tells."""
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
    if ours is not None:
        from progress_plugin.core.caches import import_caches
        from progress_plugin.core.fast import hook_process

        hook_process.work_longer(time_for(sys.argv[1]), ours[0])
        if sys.argv[1] in SAID_ONCE:
            # Imported now: as the clock ends this process, another thread may be in the middle of an import.
            from progress_plugin.core.fast.hook_handover import hand_over

            hook_process.rescue_by(lambda: hand_over(sys.argv[1:], ours[1]))
        import_caches.begin("record")
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
        import_caches.end()


if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    from progress_plugin.core.fast.hook_process import RECORDING, run

    run(" ".join(sys.argv[1:2]), work, RECORDING)
