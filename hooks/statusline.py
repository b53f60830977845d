"""Door of the status line: standard input -> one call -> one line on standard output -> exit 0."""

import sys

if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    try:
        from progress_plugin.core.fresh_start import leave
        from progress_plugin.core.status_line import line

        sys.stdout.buffer.write(line())
        leave()
    except Exception as error:  # noqa: BLE001 - the one boundary: a broken line is an empty one
        from progress_plugin.core.swallowed import note

        note("statusline", error)
