"""The work of `hooks/record.py`: a quick look whether an event is about us; what is, is recorded."""

import sys

from progress_plugin.core.fast import hook_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.fast.kept_modules import KeptModules


def main(kept: "KeptModules | None") -> None:
    """Deal with one event of a client and end the process; does not return.

    `kept` is where its modules were found, if any can be kept.
    """
    hook_process.run(" ".join(sys.argv[1:2]), lambda: _work(kept), hook_process.RECORDING)


def _work(kept: "KeptModules | None") -> None:
    # Imported here: an error in it is noted, and the process ends well.
    from progress_plugin.core.fast.hook_filter import (
        AT_TOOL,
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
    from progress_plugin.core.caches import import_caches

    hook_process.work_longer(time_for(sys.argv[1]), ours[0])
    if sys.argv[1] in SAID_ONCE:
        # Imported now: as the clock ends this process, another thread may be in the middle of an import.
        from progress_plugin.core.fast.hook_handover import hand_over

        hook_process.rescue_by(lambda: hand_over(sys.argv[1:], ours[1]))
    # Elsewhere transcripts are read as well, with modules that no tool call has to wait for.
    import_caches.begin("record" if ours[0] == AT_TOOL else "session")
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
    if kept is not None and kept.is_outdated:
        from progress_plugin.core.caches import hook_module_cache

        hook_module_cache.keep()
