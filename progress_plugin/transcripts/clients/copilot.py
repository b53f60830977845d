"""Copilot CLI's events: one JSON Lines file per session; events of sub-agents in it have an `agentId`."""

from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.calls import Call, Calls
from progress_plugin.transcripts.clients.json_members import at, items, number, text
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Event,
    Interrupted,
    Ran,
    Said,
    Setting,
    Wrote,
)

_SHELL_MARK = LazyPattern(r"\n?<shellId: \d+[^>\n]{0,100}>\s*$")


def events(lines: Iterable[dict[str, Any]], agent: str = "") -> Iterator[Event]:
    """Yield the events of a session."""
    calls = Calls()
    for line in lines:
        kind, when, data = text(line, "type"), text(line, "timestamp"), line.get("data")
        agent = "sub-agent" if text(line, "agentId") else ""
        if kind in ("session.start", "session.resume"):
            context = at(data, "context")
            yield Setting(when, text(context, "cwd"), text(context, "branch"), text(data, "selectedModel"))
        elif kind == "user.message" and not agent and not text(data, "source").startswith("agent-"):
            yield Asked(when, text(data, "content"), text(line, "id"))
        elif kind == "assistant.message" and not agent and text(data, "content").strip():
            yield Said(when, text(data, "content"))
        elif kind == "tool.execution_start":
            command, path = text(data, "arguments", "command"), text(data, "arguments", "path")
            calls[text(data, "toolCallId")] = Call(text(data, "toolName"), when, command, path)
        elif kind == "tool.execution_complete":
            # The client runs calls side by side, so the end of one says nothing of the others.
            yield from _ended(data, when, calls.pop(text(data, "toolCallId"), Call("", "")), agent)
        elif kind == "session.compaction_complete" and at(data, "success") is not False:
            yield Compacted(when)
        elif kind == "abort":
            yield Interrupted(when)


def _ended(data: Any, when: str, call: Call, agent: str) -> Iterator[Event]:
    for edit in items(data, "fileEdits"):
        yield Wrote(when, text(edit, "path"), text(edit, "kind") == "create", agent)
    if isinstance(at(data, "shellExecution"), dict):
        output = _SHELL_MARK.sub("", text(data, "result", "content"))
        exit_code = number(data, "shellExecution", "exitCode")
        yield Ran(when, call.command, exit_code, output, agent, began=call.began)
    elif at(data, "success") is False:
        yield CallFailed(when, call.tool, call.path or call.command)
