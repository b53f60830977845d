"""The readers of transcripts, by the name of the client that writes them."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from progress_plugin.transcripts.events import Event, Setting, SubagentTranscript

if TYPE_CHECKING:
    from progress_plugin.transcripts.clients import claude_code, codex, copilot, gemini, opencode

    Reader = claude_code.Reader | codex.Reader | copilot.Reader | gemini.Reader | opencode.Reader

_OPENCODE = "opencode"
_MODULES = {
    "claude": "claude_code",
    "codex": "codex",
    "copilot": "copilot",
    "gemini": "gemini",
    _OPENCODE: "opencode",
}
"""The modules that read them: most machines have one client, so only what is asked for is loaded."""


def can_read(client: str) -> bool:
    """Return whether a client's transcripts are understood."""
    return client in _MODULES


def read_events(client: str, lines: Iterable[dict[str, Any]], agent: str = "") -> Iterator[Event]:
    """Yield the events of a transcript, given all of its lines as JSON objects in their order.

    A `Setting` names the session's directory as soon as a line does. `agent` is the name of the sub-agent
    whose transcript it is; empty for the session's own.
    """
    reader = reader_of(client, None, agent)
    directory = ""
    for line in lines:
        here = reader.directory(line)
        if here and here != directory and not agent:
            yield Setting("", here)
            directory = here
        yield from reader.events(line)
        if reader.is_part:
            yield SubagentTranscript("")


def reader_of(client: str, carried: Any, agent: str = "") -> "Reader":
    """Return the reader of a client's transcripts, with what it carried over from the last reading."""
    module = __import__(f"progress_plugin.transcripts.clients.{_MODULES[client]}", fromlist=["Reader"])
    return cast("Reader", module.Reader(carried, agent))
