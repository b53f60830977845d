"""Door of every other event: standard input -> one call -> nothing on standard output -> exit 0."""

import sys

if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    try:
        from progress_plugin.core.event_gate import run

        run(sys.argv[1:])
    except Exception as error:  # the one boundary: a failure to record never stops the agent's work
        from progress_plugin.core.swallowed import note

        note(" ".join(sys.argv[1:2]), error)
