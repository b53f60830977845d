"""Copilot CLI's events: one JSON Lines file per session; events of sub-agents in it have an `agentId`."""

from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients import get_int, get_list, get_text, get_value

_SHELL_ID = LazyPattern(r"\n?<shellId: \d+[^>\n]{0,100}>\s*$")


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session."""
    calls: dict[str, events.Call] = {}
    for line in lines:
        found = _line_events(line, get_text(line, "timestamp"), calls)
        yield from events.only_work(found) if get_text(line, "agentId") else found


def _line_events(line: dict[str, Any], when: str, calls: dict[str, events.Call]) -> Iterator[events.Event]:
    kind, data = get_text(line, "type"), line.get("data")
    if kind in ("session.start", "session.resume"):
        context = get_value(data, "context")
        yield events.SessionPlace(when, get_text(context, "cwd"), get_text(context, "branch"))
    elif kind == "user.message" and not get_text(data, "source").startswith("agent-"):
        yield events.UserRequest(when, get_text(data, "content"))
    elif kind == "assistant.message":
        yield events.AgentReply(when, get_text(data, "content"))
    elif kind == "tool.execution_start":
        command = get_text(data, "arguments", "command")
        calls[get_text(data, "toolCallId")] = events.Call(get_text(data, "toolName"), when, command)
    elif kind == "tool.execution_complete":
        # The client runs calls in parallel, so the end of one does not say when another began.
        yield from _call_end_events(data, when, calls.pop(get_text(data, "toolCallId"), events.Call("", "")))
    elif kind == "abort":
        yield events.Interruption(when)


def _call_end_events(data: Any, when: str, call: events.Call) -> Iterator[events.Event]:
    for edit in get_list(data, "fileEdits"):
        yield events.FileEdit(when, get_text(edit, "path"), get_text(edit, "kind") == "create")
    if isinstance(get_value(data, "shellExecution"), dict):
        output = _SHELL_ID.sub("", get_text(data, "result", "content"))
        exit_code = get_int(data, "shellExecution", "exitCode")
        yield events.CommandRun(when, call.command, exit_code, output, began=call.began)
