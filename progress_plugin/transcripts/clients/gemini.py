"""Gemini CLI's chats: one JSON Lines file per session, a message again where more of it is known.

Its hooks name the file: `usecases.sessions.reading_moments` (`_file_of`). What is kept of an event is decided
in `transcripts.record` (`SessionRecord.take`).

A resume and a compression write the history once more (`$set`); the first records hold the truth.
"""

import re
from collections.abc import Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.json_members import at, items, joined, text
from progress_plugin.transcripts.commands.shell_line import kept_line
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Happening,
    Planned,
    PlanReplaced,
    Ran,
    Rewound,
    Said,
    Setting,
    Wrote,
)

_EXIT = LazyPattern(r"^Exit Code: (\d{1,5})$", re.MULTILINE)
_OUTPUT = LazyPattern(r"^(?:Output|Stdout): ?", re.MULTILINE)
_TOLD = 400
"""Calls and requests that are remembered as told."""


class Reader:
    """Turns records into events; what it has to remember between two readings is its `carried`."""

    is_part = False

    def __init__(self, carried: Any = None, agent: str = "") -> None:
        self._agent = agent
        self._told = [each for each in items(carried, "told") if isinstance(each, str)]

    @property
    def carried(self) -> dict[str, Any]:
        """The messages and calls that were told."""
        return {"told": self._told}

    @staticmethod
    def directory(record: dict[str, Any]) -> str:
        """Return nothing: the file does not say where the session works."""
        del record
        return ""

    def events(self, record: dict[str, Any]) -> Iterator[Happening]:
        """Yield what one record tells."""
        kind, when, key = text(record, "type"), text(record, "timestamp"), text(record, "id")
        if text(record, "$rewindTo"):
            yield Rewound("", text(record, "$rewindTo"))
        elif kind == "user":
            said = joined(record.get("content"))
            if said.strip() and not said.lstrip().startswith("<session_context>") and self._is_new(key):
                yield Asked(when, said, key)
        elif kind == "gemini":
            if model := text(record, "model"):
                yield Setting(when, model=model)
            if text(record, "content").strip():
                yield Said(when, text(record, "content"))
            for call in items(record, "toolCalls"):
                if self._is_new(text(call, "id")):
                    yield from _called(call, text(call, "timestamp") or when)

    def _is_new(self, key: str) -> bool:
        if key in self._told:
            return False
        self._told = [*self._told, key][-_TOLD:]
        return True


def _called(call: Any, when: str) -> Iterator[Happening]:
    tool, given, shown = text(call, "name"), at(call, "args"), at(call, "resultDisplay")
    if text(call, "status") == "error":
        yield CallFailed(when, tool, text(given, "file_path") or text(given, "command"))
    elif tool == "run_shell_command":
        result = items(call, "result")
        told = text(result[0], "functionResponse", "response", "output") if result else ""
        code = _EXIT.search(told)
        printed = shown if isinstance(shown, str) else _OUTPUT.sub("", told)
        command, where = (
            kept_line(text(given, "command")),
            text(given, "dir_path") or text(given, "directory"),
        )
        yield Ran(when, command, int(code[1]) if code else 0, text({"": printed}, ""), directory=where)
    elif tool in ("write_file", "replace"):
        path = text(shown, "filePath") or text(given, "file_path")
        yield Wrote(when, path, at(shown, "isNewFile") is True)
    elif tool == "write_todos":
        yield PlanReplaced(when)
        for todo in items(given, "todos"):
            yield Planned(when, "", text(todo, "description"), text(todo, "status"))
