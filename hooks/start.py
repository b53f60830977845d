"""Door of SessionStart: standard input -> one call -> standard output -> exit 0."""

import sys

if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    try:
        from progress_plugin.core.fresh_start import answer, leave

        rest = answer(sys.argv[1:])
        if rest is not None:
            from progress_plugin.core import slow_path

            slow_path.begin()
            from progress_plugin.usecases.start import start_slowly

            start_slowly(*rest)
            slow_path.end()
        leave()
    except Exception as error:  # noqa: BLE001 - the one boundary: a hook does not block a start
        from progress_plugin.core.swallowed import note

        note("SessionStart", error)
