"""Copilot CLI's events: one JSON Lines file per session; events of sub-agents in it have an `agentId`."""

from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients.members import Call, at, items, number, only_work, text

_SHELL_MARK = LazyPattern(r"\n?<shellId: \d+[^>\n]{0,100}>\s*$")


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session."""
    calls: dict[str, Call] = {}
    for line in lines:
        found = _of_line(line, text(line, "timestamp"), calls)
        yield from only_work(found) if text(line, "agentId") else found


def _of_line(line: dict[str, Any], when: str, calls: dict[str, Call]) -> Iterator[events.Event]:
    kind, data = text(line, "type"), line.get("data")
    if kind in ("session.start", "session.resume"):
        context = at(data, "context")
        yield events.Setting(when, text(context, "cwd"), text(context, "branch"))
    elif kind == "user.message" and not text(data, "source").startswith("agent-"):
        yield events.Asked(when, text(data, "content"))
    elif kind == "assistant.message":
        yield events.Said(when, text(data, "content"))
    elif kind == "tool.execution_start":
        command = text(data, "arguments", "command")
        calls[text(data, "toolCallId")] = Call(text(data, "toolName"), when, command)
    elif kind == "tool.execution_complete":
        # The client runs calls side by side, so the end of one says nothing of the others.
        yield from _ended(data, when, calls.pop(text(data, "toolCallId"), Call("", "")))
    elif kind == "abort":
        yield events.Interrupted(when)


def _ended(data: Any, when: str, call: Call) -> Iterator[events.Event]:
    for edit in items(data, "fileEdits"):
        yield events.Wrote(when, text(edit, "path"), text(edit, "kind") == "create")
    if isinstance(at(data, "shellExecution"), dict):
        output = _SHELL_MARK.sub("", text(data, "result", "content"))
        exit_code = number(data, "shellExecution", "exitCode")
        yield events.Ran(when, call.command, exit_code, output, began=call.began)
