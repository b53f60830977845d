"""The events of transcripts, by the name of the client that wrote them."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from progress_plugin.transcripts.events import Event

_MODULES = {
    "claude": "claude_code",
    "codex": "codex",
    "copilot": "copilot",
    "gemini": "gemini",
    "opencode": "opencode",
}


def can_read(client: str) -> bool:
    """Return whether a client's transcripts are understood."""
    return client in _MODULES


def read_events(client: str, lines: Iterable[dict[str, Any]], agent: str = "") -> Iterator[Event]:
    """Yield the events of a transcript, given all of its lines as JSON objects in their order.

    A `Setting` names the session's directory as soon as a line does. `agent` is the name of the sub-agent
    whose transcript it is; empty for the session's own.
    """
    # Most machines have one client, and only OpenCode's needs SQLite.
    module = import_module(f"progress_plugin.transcripts.clients.{_MODULES[client]}")
    events: Iterator[Event] = module.events(lines, agent)
    return events
