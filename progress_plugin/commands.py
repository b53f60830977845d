"""Run any process except a hook: the status line, a background process, the MCP server, the command line."""

import sys


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; each imports its own modules."""
    if arguments == ["statusline"]:
        from progress_plugin.hooks import events

        events.show_status_line()
    elif arguments[:1] == ["background"]:
        from progress_plugin.hooks import background

        background.main(arguments[1:])
    from progress_plugin.core import environment

    environment.enter()
    try:
        if arguments == ["mcp"]:
            from progress_plugin.mcp import server

            return server.main()
        from progress_plugin.cli.main import main

        return main(arguments)
    except (ImportError, SyntaxError, ValueError):
        from progress_plugin import bootstrap, first_start

        if not sys.flags.no_site or bootstrap.works(environment.directory()):
            raise
        return first_start.main(arguments)
