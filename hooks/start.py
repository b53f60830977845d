"""Door of SessionStart: standard input -> one call -> standard output -> exit 0."""

import sys

if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    try:
        from progress_plugin.core.fresh_start import run

        run(sys.argv[1:])
    except Exception as error:  # the one boundary: whatever happens, a hook does not block a start
        from progress_plugin.core.swallowed import note

        note("SessionStart", error)
