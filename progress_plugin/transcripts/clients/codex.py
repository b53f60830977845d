"""Codex' rollouts in both formats: events of their own until 0.146, completed items since.

Requests, replies, commands and files come from events only: response items repeat them, and add what the
client says for the user. Only plans, and commands of the old format, are nowhere else.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from progress_plugin.text.decode import json_or_none
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients import (
    get_list,
    get_number,
    get_text,
    get_value,
    join_texts,
    replaced_plan,
)

_EXIT_CODE = LazyPattern(r"^(?:Process exited with code|Exit code:) (-?\d{1,5})$", re.MULTILINE)
_SHELL_TOOLS = ("exec_command", "shell", "local_shell", "shell_command", "container.exec")
_HEAD = 4000  # characters of an output that can hold the exit code


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session."""
    calls, has_items = events.Calls(), False
    for line in lines:
        kind, when, payload = get_text(line, "type"), get_text(line, "timestamp"), line.get("payload")
        if kind == "session_meta":
            directory, branch = get_text(payload, "cwd"), get_text(payload, "git", "branch")
            yield events.Setting(when, directory, branch, isinstance(get_value(payload, "source"), dict))
        elif kind == "turn_context":
            yield events.Setting(when, get_text(payload, "cwd"))
        elif kind == "event_msg" and get_text(payload, "type") == "item_completed":
            has_items = True
            yield from _item(get_value(payload, "item"), when, calls)
        elif kind == "event_msg":
            yield from _event(payload, when)
        elif kind == "response_item":
            yield from _response(payload, when, calls, has_items=has_items)


def _event(payload: Any, when: str) -> Iterator[events.Event]:
    kind = get_text(payload, "type")
    if kind == "user_message":
        yield events.Asked(when, get_text(payload, "message"))
    elif kind == "agent_message":
        yield events.Said(when, get_text(payload, "message"))
    elif kind == "patch_apply_end" and get_value(payload, "success") is True:
        yield from _written(payload, when)
    elif kind == "turn_aborted":
        yield events.Interrupted(when)


def _item(item: Any, when: str, calls: events.Calls) -> Iterator[events.Event]:
    kind = get_text(item, "type")
    if kind == "UserMessage":
        yield events.Asked(when, join_texts(get_value(item, "content")))
    elif kind == "AgentMessage":
        yield events.Said(when, join_texts(get_value(item, "content")))
    elif kind == "CommandExecution":
        call = calls.end(get_text(item, "id"), when)
        output, code = get_text(item, "aggregated_output"), get_number(item, "exit_code")
        directory = get_text(item, "cwd")
        if directory.startswith("file://"):
            directory = unquote(directory.removeprefix("file://"))
        line, began = _line(get_value(item, "command")), call.began if call else ""
        yield events.Ran(when, line, code, output, directory=directory, began=began)
    elif kind == "FileChange" and get_text(item, "status") in ("", "completed"):
        calls.end(get_text(item, "id"), when, is_over=False)
        yield from _written(item, when)


def _response(payload: Any, when: str, calls: events.Calls, *, has_items: bool) -> Iterator[events.Event]:
    kind, name, call = get_text(payload, "type"), get_text(payload, "name"), get_text(payload, "call_id")
    given = json_or_none(get_text(payload, "arguments")) if kind == "function_call" else None
    if kind == "function_call" and name == "update_plan":
        yield replaced_plan(when, get_list(given, "plan"), "step")
    elif kind == "function_call" and name in _SHELL_TOOLS:
        line = _line(get_value(given, "cmd") or get_value(given, "command"))
        calls[call] = events.Call(name, when, line, directory=get_text(given, "workdir"))
    elif kind == "custom_tool_call" and name == "apply_patch":
        calls[call] = events.Call(name, when)
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield from _end(call, get_text(payload, "output"), when, calls, has_items=has_items)


def _end(name: str, text: str, when: str, calls: events.Calls, *, has_items: bool) -> Iterator[events.Event]:
    """Yield the command of a call whose output, a text, has come."""
    is_shell = name in calls and calls[name].tool in _SHELL_TOOLS
    call = calls.end(name, when, is_over=not (is_shell and has_items))  # its item may follow later
    if call is None:
        return
    if is_shell and call.command and not has_items:
        code = _EXIT_CODE.search(text[:_HEAD])
        printed = text.partition("Output:\n")[2] or text
        exit_code = int(code[1]) if code else None
        yield events.Ran(when, call.command, exit_code, printed, directory=call.directory, began=call.began)


def _line(command: Any) -> str:
    """Return a command as it was typed; a list is either a shell with its line or the words."""
    if not isinstance(command, list):
        return get_text({"": command}, "")
    words = [word for word in command if isinstance(word, str)]
    return words[-1] if words[-2:-1] in (["-lc"], ["-c"]) else " ".join(words)


def _written(item: Any, when: str) -> Iterator[events.Event]:
    changes = get_value(item, "changes")
    for path, change in changes.items() if isinstance(changes, dict) else ():
        yield events.Wrote(when, path, get_text(change, "type") == "add")
        if moved := get_text(change, "move_path"):
            yield events.Wrote(when, moved)
