"""Codex' rollouts in both formats: events of their own until 0.146, completed items since.

Requests, replies, commands and files come from events only: response items repeat them, and add what the
client says for the user. Only plans, and commands of the old format, are nowhere else.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients.members import (
    Call,
    Calls,
    at,
    items,
    joined,
    number,
    parsed,
    replaced_plan,
    text,
)

_EXIT_CODE = LazyPattern(r"^(?:Process exited with code|Exit code:) (-?\d{1,5})$", re.MULTILINE)
_SHELL_TOOLS = ("exec_command", "shell", "local_shell", "shell_command", "container.exec")
_HEAD = 4000  # characters of an output that can hold the exit code


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session."""
    calls, has_items = Calls(), False
    for line in lines:
        kind, when, payload = text(line, "type"), text(line, "timestamp"), line.get("payload")
        if kind == "session_meta":
            directory, branch = text(payload, "cwd"), text(payload, "git", "branch")
            yield events.Setting(when, directory, branch, isinstance(at(payload, "source"), dict))
        elif kind == "turn_context":
            yield events.Setting(when, text(payload, "cwd"))
        elif kind == "event_msg" and text(payload, "type") == "item_completed":
            has_items = True
            yield from _item(at(payload, "item"), when, calls)
        elif kind == "event_msg":
            yield from _event(payload, when)
        elif kind == "response_item":
            yield from _response(payload, when, calls, has_items=has_items)


def _event(payload: Any, when: str) -> Iterator[events.Event]:
    kind = text(payload, "type")
    if kind == "user_message":
        yield events.Asked(when, text(payload, "message"))
    elif kind == "agent_message":
        yield events.Said(when, text(payload, "message"))
    elif kind == "patch_apply_end" and at(payload, "success") is True:
        yield from _written(payload, when)
    elif kind == "turn_aborted":
        yield events.Interrupted(when)


def _item(item: Any, when: str, calls: Calls) -> Iterator[events.Event]:
    kind = text(item, "type")
    if kind == "UserMessage":
        yield events.Asked(when, joined(at(item, "content")))
    elif kind == "AgentMessage":
        yield events.Said(when, joined(at(item, "content")))
    elif kind == "CommandExecution":
        call = calls.end(text(item, "id"), when)
        output, code = text(item, "aggregated_output"), number(item, "exit_code")
        directory = text(item, "cwd")
        if directory.startswith("file://"):
            directory = unquote(directory.removeprefix("file://"))
        line, began = _line(at(item, "command")), call.began if call else ""
        yield events.Ran(when, line, code, output, directory=directory, began=began)
    elif kind == "FileChange" and text(item, "status") in ("", "completed"):
        calls.end(text(item, "id"), when, is_over=False)
        yield from _written(item, when)


def _response(payload: Any, when: str, calls: Calls, *, has_items: bool) -> Iterator[events.Event]:
    kind, name, call = text(payload, "type"), text(payload, "name"), text(payload, "call_id")
    given = parsed(text(payload, "arguments")) if kind == "function_call" else None
    if kind == "function_call" and name == "update_plan":
        yield replaced_plan(when, items(given, "plan"), "step")
    elif kind == "function_call" and name in _SHELL_TOOLS:
        line = _line(at(given, "cmd") or at(given, "command"))
        calls[call] = Call(name, when, line, directory=text(given, "workdir"))
    elif kind == "custom_tool_call" and name == "apply_patch":
        calls[call] = Call(name, when)
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield from _output(call, text(payload, "output"), when, calls, has_items=has_items)


def _output(name: str, output: str, when: str, calls: Calls, *, has_items: bool) -> Iterator[events.Event]:
    is_shell = name in calls and calls[name].tool in _SHELL_TOOLS
    call = calls.end(name, when, is_over=not (is_shell and has_items))  # its item may follow later
    if call is None:
        return
    if is_shell and call.command and not has_items:
        code = _EXIT_CODE.search(output[:_HEAD])
        printed = output.partition("Output:\n")[2] or output
        exit_code = int(code[1]) if code else None
        yield events.Ran(when, call.command, exit_code, printed, directory=call.directory, began=call.began)


def _line(command: Any) -> str:
    """Return a command as it was typed; a list is either a shell with its line or the words."""
    if not isinstance(command, list):
        return text({"": command}, "")
    words = [word for word in command if isinstance(word, str)]
    return words[-1] if words[-2:-1] in (["-lc"], ["-c"]) else " ".join(words)


def _written(item: Any, when: str) -> Iterator[events.Event]:
    changes = at(item, "changes")
    for path, change in changes.items() if isinstance(changes, dict) else ():
        yield events.Wrote(when, path, text(change, "type") == "add")
        if moved := text(change, "move_path"):
            yield events.Wrote(when, moved)
