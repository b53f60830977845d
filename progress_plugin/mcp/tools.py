"""The MCP server of this program: lists the five tools, and imports what a call needs at the first call.

The client's first request waits for the listing, so only small modules are imported before it.
"""

from __future__ import annotations

import os

from progress_plugin.core import fast_json
from progress_plugin.core.errors import NoProject
from progress_plugin.core.snapshot import load_start_cache, root_with_cache
from progress_plugin.mcp import protocol
from progress_plugin.usecases.served_project import served_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LISTING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
"""The entries of `tools/list`, made from `mcp.calls` by `python -m tests.documents.remake`."""
MAX_NAME_CHARS = 100


def main() -> int:
    """Serve the tools until the client closes the connection; return the exit code."""
    return protocol.serve(instructions(project_name()), list_tools(), call)


def list_tools() -> list[dict[str, Any]]:
    """Return the entries of `tools/list`."""
    with open(LISTING, encoding="utf-8") as file:
        return list(fast_json.loads(file.read()))


def call(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> protocol.Answer:
    """Call a tool; return structured content and text."""
    from progress_plugin.mcp import calls  # noqa: PLC0415 - takes as long as 15 empty Pythons

    return calls.call(name, arguments, meta)


def instructions(name: str | None) -> str:
    """Return the instructions for the agent; `name` is that of the project, None if there is none."""
    here = f"This project's exact name: {name!r}." if name else "No project here: name one."
    return (
        f"{here} mem_progress holds your own work state, no session summary, task tracker or to-do list: "
        "read it at session start, write it after a significant step and before the end, as JSON "
        '{"goal":"","completed":[],"next_steps":[],"blockers":[]}. '
        "mem_compact in two phases: identify, review, execute."
    )


def project_name() -> str | None:
    """Return the name of the served project; None if there is no project.

    It is the name in the last summary, or else the repository's. The memory knows a project by either, so
    neither plans nor logs are read to find the name.
    """
    try:
        directory = os.path.realpath(served_directory() or ".")
        root = root_with_cache(directory)
        cache = load_start_cache(root) if root else None
        if cache and cache.name:
            return cache.name
        from progress_plugin.core.project import find_project  # noqa: PLC0415 - few projects have no cache
        from progress_plugin.text.safe_output import one_line  # noqa: PLC0415 - the same

        return one_line(find_project(None, directory).repository_name(), MAX_NAME_CHARS)
    except (NoProject, OSError):  # OSError: the working directory was removed
        return None
