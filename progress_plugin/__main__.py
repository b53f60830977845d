"""Run one hook, background process, MCP server or command; each imports its own modules.

Python compiles this file again at every start, so it is short. `bin/agent-progress` runs it with `-I -S`:
neither the plugin nor its packages are on `sys.path` then.
"""

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)


def main() -> int:
    """Run what the arguments name and return the exit code; only the MCP server and commands return."""
    while (descriptor := os.open(os.devnull, os.O_RDONLY)) in (0, 1, 2):
        pass  # a closed standard descriptor becomes the null device: no file opened later gets its number
    os.close(descriptor)
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"]:
        from progress_plugin.hooks.events import run_event

        run_event(arguments[1:])
    elif arguments == ["statusline"]:
        from progress_plugin.hooks.events import show_status_line

        show_status_line()
    elif arguments[:1] == ["background"]:
        from progress_plugin.hooks import background

        background.main(arguments[1:])
    from progress_plugin.core import environment

    environment.enter()
    try:
        if arguments == ["mcp"]:
            from progress_plugin.mcp import server

            return server.main()
        from progress_plugin.cli.main import main as run_command

        return run_command(arguments)
    except (ImportError, SyntaxError, ValueError):  # a package may be missing or damaged
        from progress_plugin import bootstrap, first_start

        if not sys.flags.no_site or bootstrap.works(environment.directory()):
            raise
        return first_start.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
