"""Start agent-progress. Python compiles this file at every start, so it only imports the module to run.

`bin/agent-progress` runs it with `-I -S`: neither the plugin nor its packages are on `sys.path` then.
"""

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)


def main() -> int:
    """Run one hook or command and return its exit code."""
    while (descriptor := os.open(os.devnull, os.O_RDONLY)) in (0, 1, 2):
        pass  # a standard descriptor was closed: the next file that is opened would get its number
    os.close(descriptor)
    if sys.argv[1:2] == ["hook"]:
        from progress_plugin.hooks.events import run_event

        run_event(sys.argv[2:])
    from progress_plugin.commands import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
