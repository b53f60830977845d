"""Entry point of the status line: standard input -> one call -> one line on standard output -> exit 0."""

import sys


def work():
    """Print the line that the last regeneration kept."""
    from progress_plugin.core.fast.hook_process import say
    from progress_plugin.core.fast.kept_status_line import line

    say(line())


if sys.version_info >= (3, 11):
    root = __file__.rpartition("hooks")[0]
    sys.path.insert(0, root or ".")
    from progress_plugin.core.fast.hook_process import run

    run("statusline", work)
