"""Copilot CLI's events: one JSON Lines file per session, sub-agents' in it by `agentId`."""

from collections.abc import Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.json_members import at, items, number, tables, text
from progress_plugin.transcripts.commands.shell_line import kept_line
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Happening,
    Interrupted,
    Ran,
    Said,
    Setting,
    Wrote,
)
from progress_plugin.transcripts.waiting_calls import add_call

_SHELL = LazyPattern(r"\n?<shellId: \d+[^>\n]{0,100}>\s*$")


class Reader:
    """Turns records into events; what it has to remember between two readings is its `carried`."""

    is_part = False

    def __init__(self, carried: Any = None, agent: str = "") -> None:
        self._agent = agent
        self._calls: dict[str, dict[str, str]] = tables(carried)

    @property
    def carried(self) -> dict[str, Any]:
        """The calls whose result is still to come."""
        return self._calls

    @staticmethod
    def directory(record: dict[str, Any]) -> str:
        """Return where the session works, as far as this record says it."""
        return text(record, "data", "context", "cwd")

    def events(self, record: dict[str, Any]) -> Iterator[Happening]:
        """Yield what one record tells."""
        kind, when, data = text(record, "type"), text(record, "timestamp"), record.get("data")
        agent = "sub-agent" if text(record, "agentId") else ""
        if kind in ("session.start", "session.resume"):
            context = at(data, "context")
            yield Setting(when, text(context, "cwd"), text(context, "branch"), text(data, "selectedModel"))
        elif kind == "user.message" and not agent and not text(data, "source").startswith("agent-"):
            yield Asked(when, text(data, "content"), text(record, "id"))
        elif kind == "assistant.message" and not agent and text(data, "content").strip():
            yield Said(when, text(data, "content"))
        elif kind == "tool.execution_start":
            self._called(data, when)
        elif kind == "tool.execution_complete":
            yield from self._ended(data, when, agent)
        elif kind == "session.compaction_complete" and at(data, "success") is not False:
            yield Compacted(when)
        elif kind == "abort":
            yield Interrupted(when)

    def _called(self, data: Any, when: str) -> None:
        given = at(data, "arguments")
        told = {
            "tool": text(data, "toolName"),
            "command": kept_line(text(given, "command")),
            "path": text(given, "path"),
        }
        add_call(self._calls, text(data, "toolCallId"), when, told)

    def _ended(self, data: Any, when: str, agent: str) -> Iterator[Happening]:
        call = self._calls.pop(text(data, "toolCallId"), None)
        for edit in items(data, "fileEdits"):
            yield Wrote(when, text(edit, "path"), text(edit, "kind") == "create", agent)
        if isinstance(at(data, "shellExecution"), dict):
            printed = _SHELL.sub("", text(data, "result", "content"))
            command, code = text(call, "command"), number(data, "shellExecution", "exitCode")
            yield Ran(when, command, code, printed, agent, began=text(call, "began"))
        elif at(data, "success") is False:
            yield CallFailed(when, text(call, "tool"), text(call, "path") or text(call, "command"))
