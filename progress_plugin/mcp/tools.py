"""The MCP server of this program: lists the five tools, and imports what a call needs at the first call."""

from __future__ import annotations

import json
import os
from typing import Any

from progress_plugin.mcp import protocol
from progress_plugin.usecases.server_instructions import describe_server

LISTING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
"""The entries of `tools/list`, made from `mcp.calls` by `python -m tests.documents.remake`."""
WITHOUT_MEMORY = ("progress_log",)


def main() -> int:
    """Serve the tools until the client closes the connection; return the exit code."""
    server = describe_server()
    tools = [tool for tool in list_tools() if server.has_memory or tool["name"] in WITHOUT_MEMORY]
    return protocol.serve(server.instructions, tools, call)


def list_tools() -> list[dict[str, Any]]:
    """Return the entries of `tools/list`."""
    with open(LISTING, encoding="utf-8") as file:
        return list(json.load(file))


def call(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> protocol.Answer:
    """Call a tool; return structured content and text."""
    from progress_plugin.mcp import calls  # noqa: PLC0415 - takes as long as 15 empty Pythons

    return calls.call(name, arguments, meta)
