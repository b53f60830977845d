"""Start agent-progress: a hook, the status line, a background process, the MCP server, or the command line.

`bin/agent-progress` runs this file with `-I -S`: neither the plugin nor its packages are on `sys.path` then.
"""

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code; imports are late because hooks must not wait for them."""
    open_descriptors()
    if arguments[:1] == ["hook"]:
        from progress_plugin.hooks.entry import run_event

        run_event(arguments[1:])
    elif arguments == ["statusline"]:
        from progress_plugin.hooks import statusline

        statusline.main()
    elif arguments[:1] == ["background"]:
        from progress_plugin.hooks import background

        background.main(arguments[1:])
    from progress_plugin.core import environment

    environment.enter()
    try:
        if arguments == ["mcp"]:
            from progress_plugin.mcp.tools import main as serve
        else:
            from progress_plugin.cli.main import main as command_line
    except (ImportError, SyntaxError, ValueError):
        from progress_plugin import first_start

        if not first_start.is_damaged():
            raise
        return first_start.main(arguments)
    return serve() if arguments == ["mcp"] else command_line(arguments)


def open_descriptors() -> None:
    """Open standard descriptors that are closed: the next file that is opened would get their number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


def console() -> None:
    """Run as the script `agent-progress` of an installed package."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    console()
