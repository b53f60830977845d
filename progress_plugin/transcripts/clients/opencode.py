"""OpenCode's sessions: messages and their parts, rows of its database."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.json_members import at, items, number, text
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
    Rewound,
    Said,
    Setting,
    Wrote,
)

_QUOTED = LazyPattern(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_WRITING = ("write", "edit", "multiedit", "patch", "apply_patch")
_NAMES = {"read": "Read"}
"""Tools under the name that other clients give them."""
_STOPPED = "MessageAbortedError"


class Reader:
    """Turns rows into events; it has nothing to remember: rows that are not finished wait in their place."""

    carried: dict[str, Any]

    def __init__(self, carried: Any = None, agent: str = "") -> None:
        del carried, agent
        self.carried = {}
        self.is_part = False
        """Whether the session is a sub-agent's, which is told with that of its parent."""

    @staticmethod
    def directory(record: dict[str, Any]) -> str:
        """Return where the session works, as far as this record says it."""
        return text(record, "directory")

    def events(self, record: dict[str, Any]) -> Iterator[Happening]:
        """Yield what one message with new parts tells, or the session's own row."""
        if "parts" not in record:
            self.is_part = at(record, "is_subagent") is True
            if text(record, "reverted"):
                yield Rewound("", text(record, "reverted"))
            return
        message, agent = record.get("message"), text(record, "agent")
        parts = [(_moment(number(part, "created")), at(part, "data")) for part in items(record, "parts")]
        if text(message, "role") == "user":
            yield from _of_user(parts, text(record, "id"), agent)
            return
        if not agent and (model := text(message, "modelID")):
            yield Setting(parts[0][0] if parts else "", model=model)
        for when, data in parts:
            yield from _of_agent(message, data, when, agent)
        if not agent and text(message, "error", "name") == _STOPPED:
            yield Interrupted(parts[-1][0] if parts else "")


def _of_user(parts: list[tuple[str, Any]], key: str, agent: str) -> Iterator[Happening]:
    """Yield a request: what was typed of a message. What a sub-agent is told is none."""
    typed = [
        text(data, "text")
        for _, data in parts
        if text(data, "type") == "text"
        and at(data, "synthetic") is not True
        and at(data, "ignored") is not True
    ]
    said = "\n".join(typed)
    if said.strip() and not agent:
        yield Asked(parts[0][0], _without_quotes(said), key)
    for when, data in parts:
        if text(data, "type") == "compaction" and not agent:
            yield Compacted(when)


def _of_agent(message: Any, data: Any, when: str, agent: str) -> Iterator[Happening]:
    kind = text(data, "type")
    if kind == "tool":
        yield from _called(data, text(message, "path", "cwd"), when, agent)
    elif kind == "text" and not agent and at(message, "summary") is not True and text(data, "text").strip():
        yield Said(when, text(data, "text"))


def _called(data: Any, directory: str, when: str, agent: str) -> Iterator[Happening]:
    tool, state = text(data, "tool"), at(data, "state")
    given, told = at(state, "input"), at(state, "metadata")
    begun, when = _moment(number(state, "time", "start")), _moment(number(state, "time", "end")) or when
    failed = text(state, "status") == "error"
    if tool == "bash":
        code = None if failed else number(told, "exit")
        printed = text(told, "output") or text(state, "output") or text(state, "error")
        where = os.path.join(directory, text(given, "workdir"))
        command = kept_line(text(given, "command"))
        yield Ran(when, command, code, printed, agent, directory=where, began=begun)
    elif failed:
        target = text(given, "filePath")
        yield CallFailed(when, _NAMES.get(tool, tool), os.path.join(directory, target) if target else "")
    elif tool in _WRITING:
        for path, created in _written(given, told):
            yield Wrote(when, os.path.join(directory, path), created, agent)
    elif tool == "todowrite" and not agent:
        yield PlanReplaced(when)
        for todo in items(given, "todos"):
            yield Planned(when, "", text(todo, "content"), text(todo, "status"))


def _written(given: Any, told: Any) -> Iterator[tuple[str, bool]]:
    """Yield each file that a call wrote, and whether it is new."""
    path = text(given, "filePath")
    if path:
        yield path, at(told, "exists") is False
    for file in items(told, "files") if not path else ():
        place = text(file, "movePath") or text(file, "filePath")
        if place:
            yield place, text(file, "type") == "add"


def _without_quotes(said: str) -> str:
    """Return a request without the quotation marks in which `opencode run` stores its argument."""
    quoted = _QUOTED.fullmatch(said.strip())
    return quoted[1].replace('\\"', '"') if quoted else said


def _moment(milliseconds: int | None) -> str:
    """Return a time as ISO 8601 in UTC; empty for what is none."""
    try:
        when = datetime.fromtimestamp((milliseconds or 0) / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return f"{when:%Y-%m-%dT%H:%M:%S}.{when.microsecond // 1000:03}Z" if milliseconds else ""
