"""Door of every other event: standard input -> one call -> nothing on standard output -> exit 0."""

import sys

if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    try:
        from progress_plugin.core.event_gate import pass_on
        from progress_plugin.core.fresh_start import leave

        ours = pass_on(sys.argv[1:])
        if ours is not None:
            from progress_plugin.core import slow_path

            slow_path.begin("record")
            from progress_plugin.usecases.hook_event import handle

            handle(*ours)
            slow_path.end()
        leave()
    except Exception as error:  # noqa: BLE001 - the one boundary: recording never stops the agent's work
        from progress_plugin.core.swallowed import note

        note(" ".join(sys.argv[1:2]), error)
