"""Codex' rollouts, in both formats: events of their own until 0.146, completed items since.

Its hooks name the file: `usecases.sessions.reading_moments` (`_file_of`). What is kept of an event is decided
in `transcripts.record` (`SessionRecord.take`).

Requests, replies, commands and files are taken from events alone: response items repeat them, and add what
the client says for the user. Only plans, and commands of the old format, stand nowhere else.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.json_members import at, items, joined, number, tables, text
from progress_plugin.transcripts.commands.shell_line import kept_line
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Happening,
    Interrupted,
    Planned,
    PlanReplaced,
    Ran,
    Said,
    Setting,
    Wrote,
)
from progress_plugin.transcripts.waiting_calls import add_call, began, runs_on

_EXIT = LazyPattern(r"^(?:Process exited with code|Exit code:) (-?\d{1,5})$", re.MULTILINE)
_PATCHED = LazyPattern(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$", re.MULTILINE)
_COMMANDS = ("exec_command", "shell", "local_shell", "shell_command", "container.exec")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_REPOSITORY = "git"
_LONGEST = 4000


class Reader:
    """Turns records into events; what it has to remember between two readings is its `carried`."""

    def __init__(self, carried: Any = None, agent: str = "") -> None:
        self._agent = agent
        self._calls: dict[str, dict[str, str]] = tables(at(carried, "calls"))
        self._by_items = at(carried, "by_items") is True
        self.is_part = at(carried, "is_part") is True
        """Whether it is a sub-agent's, which is told by the session that started it."""

    @property
    def carried(self) -> dict[str, Any]:
        """The calls whose result is still to come, and the format."""
        return {"calls": self._calls, "by_items": self._by_items, "is_part": self.is_part}

    @staticmethod
    def directory(record: dict[str, Any]) -> str:
        """Return where the session works, as far as this record says it."""
        return text(record, "payload", "cwd") if text(record, "type") == "session_meta" else ""

    def events(self, record: dict[str, Any]) -> Iterator[Happening]:
        """Yield what one record tells."""
        kind, when, payload = text(record, "type"), text(record, "timestamp"), record.get("payload")
        if kind == "session_meta":
            self.is_part = self.is_part or isinstance(at(payload, "source"), dict)
            yield Setting(when, text(payload, "cwd"), text(payload, _REPOSITORY, "branch"))
        elif kind == "turn_context":
            yield Setting(when, text(payload, "cwd"), model=text(payload, "model"))
        elif kind == "event_msg":
            yield from self._event(payload, when)
        elif kind == "response_item":
            yield from self._response(payload, when)

    def _event(self, payload: Any, when: str) -> Iterator[Happening]:
        kind = text(payload, "type")
        if kind == "item_completed":
            self._by_items = True
            yield from self._item(at(payload, "item"), when)
        elif kind == "user_message":
            yield Asked(when, text(payload, "message"))
        elif kind == "agent_message":
            yield Said(when, text(payload, "message"))
        elif kind == "patch_apply_end" and at(payload, "success") is True:
            yield from _written(payload, when)
        elif kind == "turn_aborted":
            yield Interrupted(when)
        elif kind == "context_compacted":
            yield Compacted(when)

    def _item(self, item: Any, when: str) -> Iterator[Happening]:
        kind = text(item, "type")
        if kind == "UserMessage":
            yield Asked(when, joined(at(item, "content")), text(item, "id"))
        elif kind == "AgentMessage":
            yield Said(when, joined(at(item, "content")))
        elif kind == "CommandExecution":
            line = _line(at(item, "command"))
            where = _path(text(item, "cwd"))
            printed, code = text(item, "aggregated_output"), number(item, "exit_code")
            since = began(self._calls, text(item, "id"), when)
            self._calls.pop(text(item, "id"), None)
            yield Ran(when, line, code, printed, directory=where, began=since)
        elif kind == "FileChange" and text(item, "status") in ("", "completed"):
            began(self._calls, text(item, "id"), when)
            yield from _written(item, when)
        elif kind == "ContextCompaction":
            yield Compacted(when)

    def _response(self, payload: Any, when: str) -> Iterator[Happening]:
        kind, name, call = text(payload, "type"), text(payload, "name"), text(payload, "call_id")
        if kind == "function_call" and name == "update_plan":
            yield PlanReplaced(when)
            for step in items(_parsed(text(payload, "arguments")), "plan"):
                yield Planned(when, "", text(step, "step"), text(step, "status"))
        elif kind == "function_call" and name in _COMMANDS:
            told = None if self._by_items else _parsed(text(payload, "arguments"))
            line, where = _line(at(told, "cmd") or at(told, "command")), text(told, "workdir")
            add_call(self._calls, call, when, {"tool": name, "command": line, "directory": where})
        elif kind == "custom_tool_call" and name == "apply_patch":
            patched = _PATCHED.search(text(payload, "input"))
            add_call(self._calls, call, when, {"tool": name, "path": patched[1] if patched else ""})
        elif kind in ("function_call_output", "custom_tool_call_output"):
            yield from self._output(call, text(payload, "output"), when)

    def _output(self, name: str, output: str, when: str) -> Iterator[Happening]:
        since, call = began(self._calls, name, when), self._calls.get(name)
        if self._by_items and text(call, "tool") in _COMMANDS:
            runs_on(self._calls, name)  # its item follows where it has not ended yet
            return
        self._calls.pop(name, None)
        if text(call, "tool") == "apply_patch":
            if "verification failed" in output[:200]:
                yield CallFailed(when, "apply_patch", text(call, "path"))
        elif text(call, "command") and not self._by_items:
            code = _EXIT.search(output[:_LONGEST])
            printed = output.partition("Output:\n")[2] or output
            ended = int(code[1]) if code else None
            where = text(call, "directory")
            yield Ran(when, text(call, "command"), ended, printed, directory=where, began=since)


def _line(command: Any) -> str:
    """Return a command as it was typed: a list is that of a shell with its line, or of the words."""
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        line = words[-1] if len(words) > 2 and words[-2] in ("-lc", "-c") else " ".join(words)  # noqa: PLR2004 - a shell, -c, a line
        return kept_line(line)
    return kept_line(text({"": command}, ""))


def _path(named: str) -> str:
    """Return a folder that is named as a path or as a `file:` URL."""
    if not named.startswith("file://"):
        return named
    data = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), named.removeprefix("file://").encode())
    return data.decode("utf-8", "replace")


def _written(told: Any, when: str) -> Iterator[Happening]:
    changes = at(told, "changes")
    for path, change in changes.items() if isinstance(changes, dict) else ():
        yield Wrote(when, path, text(change, "type") == "add")
        if moved := text(change, "move_path"):
            yield Wrote(when, moved)


def _parsed(literal: str) -> Any:
    try:
        return json.loads(literal)
    except (ValueError, RecursionError):
        return None
