"""Codex' transcripts (rollouts), as it writes them since 0.147.

An `item_completed` holds an item: a request, a reply, a command or changes of files. A `response_item` holds
a message, a call or its output. It repeats an item, or is a message that the client wrote in the user's name.
So response items are read only for the two things that items lack: plans, and when a command began.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from progress_plugin.text.decode import json_or_none
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients import get_int, get_list, get_text, get_value, join_texts, task_list


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session."""
    calls = events.Calls()
    for line in lines:
        kind, when, payload = get_text(line, "type"), get_text(line, "timestamp"), line.get("payload")
        if kind == "session_meta":
            directory, branch = get_text(payload, "cwd"), get_text(payload, "git", "branch")
            yield events.SessionPlace(when, directory, branch, isinstance(get_value(payload, "source"), dict))
        elif kind == "turn_context":
            yield events.SessionPlace(when, get_text(payload, "cwd"))
        elif kind == "event_msg" and get_text(payload, "type") == "item_completed":
            yield from _item_events(get_value(payload, "item"), when, calls)
        elif kind == "event_msg" and get_text(payload, "type") == "turn_aborted":
            yield events.Interruption(when)
        elif kind == "response_item":
            yield from _response_events(payload, when, calls)


def _item_events(item: Any, when: str, calls: events.Calls) -> Iterator[events.Event]:
    kind = get_text(item, "type")
    if kind == "UserMessage":
        yield events.UserRequest(when, join_texts(get_value(item, "content")))
    elif kind == "AgentMessage":
        yield events.AgentReply(when, join_texts(get_value(item, "content")))
    elif kind == "CommandExecution":
        call = calls.end(get_text(item, "id"), when)
        output, code = get_text(item, "aggregated_output"), get_int(item, "exit_code")
        directory = get_text(item, "cwd")
        if directory.startswith("file://"):
            directory = unquote(directory.removeprefix("file://"))
        line, began = _command_line(get_value(item, "command")), call.began if call else ""
        yield events.CommandRun(when, line, code, output, directory=directory, began=began)
    elif kind == "FileChange" and get_text(item, "status") in ("", "completed"):
        calls.end(get_text(item, "id"), when, is_over=False)
        changes = get_value(item, "changes")
        for path, change in changes.items() if isinstance(changes, dict) else ():
            yield events.FileEdit(when, path, get_text(change, "type") == "add")
            if moved := get_text(change, "move_path"):
                yield events.FileEdit(when, moved)


def _response_events(payload: Any, when: str, calls: events.Calls) -> Iterator[events.Event]:
    kind, name, call = get_text(payload, "type"), get_text(payload, "name"), get_text(payload, "call_id")
    if kind == "function_call" and name == "update_plan":
        given = json_or_none(get_text(payload, "arguments"))
        yield task_list(when, get_list(given, "plan"), "step")
    elif kind in ("function_call", "custom_tool_call"):
        calls[call] = events.Call(name, when)
    elif kind in ("function_call_output", "custom_tool_call_output"):
        calls.end(call, when, is_over=kind == "custom_tool_call_output")  # a command's item may follow this


def _command_line(command: Any) -> str:
    """Return a command as it was typed. A list is either `sh -c LINE` or the words of the command."""
    if not isinstance(command, list):
        return get_text({"": command}, "")
    words = [word for word in command if isinstance(word, str)]
    return words[-1] if words[-2:-1] in (["-lc"], ["-c"]) else " ".join(words)
