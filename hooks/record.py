"""Entry point of every other event: standard input -> one call -> nothing on standard output -> exit 0."""

import sys


def work():
    """Look whether the event is about us, and record what it tells."""
    from progress_plugin.core.fast.hook_filter import DETACHED, pass_on, time_for

    ours = pass_on(sys.argv[1:])
    if ours is not None:
        from progress_plugin.core.caches import import_caches
        from progress_plugin.core.fast import hook_process

        hook_process.work_longer(time_for(ours[0]), ours[0])
        import_caches.begin("record")
        if ours[0] == DETACHED:
            from progress_plugin.usecases.background_run import run_background

            run_background(*sys.argv[2:])
        else:
            from progress_plugin.usecases.recording.hook_event import handle

            handle(*ours)
        import_caches.end()


if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    from progress_plugin.core.fast.hook_process import run

    run(" ".join(sys.argv[1:2]), work)
