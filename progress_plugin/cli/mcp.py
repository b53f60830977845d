"""`agent-progress mcp`: serve the tools over MCP on standard input and output."""

from __future__ import annotations

import click


@click.command(name="mcp", epilog="Example: agent-progress mcp")
def command() -> None:
    """Serve the memory tools over MCP until the client closes the connection."""
    from progress_plugin.mcp.tools import main  # noqa: PLC0415 - other commands do without pydantic

    raise SystemExit(main())
