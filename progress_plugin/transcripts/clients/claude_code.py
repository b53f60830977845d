"""Claude Code's transcripts: one JSON Lines file per session, and one per sub-agent beside it.

Read in file order; the chain of `parentUuid` is a tree where calls run in parallel, so nobody walks it.
"""

import os
import re
from collections.abc import Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.json_members import at, items, joined, tables, text
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

_UUID = re.compile(rb'"uuid": ?"([\w-]{1,80})"')
_WRITING = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
_NO_REQUEST = (
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "Caveat: The messages below",
)
_INTERRUPTED = "[Request interrupted by user"
_REFUSED = "The user doesn't want to proceed"
_EXIT = LazyPattern(r"(?:Error: )?Exit code (\d{1,5})\b\n?")
_NOTIFIED = LazyPattern(r"<tool-use-id>([\w-]{1,80})</tool-use-id>.*?exit code (\d{1,5})", re.DOTALL)
_COMMAND = LazyPattern(r"<command-name>(/?[^<]{1,100})</command-name>")
_ARGUMENTS = LazyPattern(r"<command-args>([^<]*+)</command-args>")
_BEGINNING = "beginning"


class Reader:
    """Turns records into events; what it has to remember between two readings is its `carried`."""

    is_part = False

    def __init__(self, carried: Any = None, agent: str = "") -> None:
        self._agent = agent
        self._calls: dict[str, dict[str, str]] = tables(carried)
        self._setting: tuple[str, str, str] = ("", "", "")

    @property
    def carried(self) -> dict[str, Any]:
        """The calls whose result is still to come."""
        return self._calls

    @staticmethod
    def directory(record: dict[str, Any]) -> str:
        """Return where the session works, as far as this record says it."""
        return text(record, "cwd")

    def events(self, record: dict[str, Any]) -> Iterator[Happening]:
        """Yield what one record tells."""
        kind, when = text(record, "type"), text(record, "timestamp")
        if bool(record.get("isSidechain")) != bool(self._agent):
            return
        if kind in ("user", "assistant"):
            yield from self._set(record, when)
        if kind == "user":
            yield from self._of_user(record, when)
        elif kind == "assistant" and not record.get("isApiErrorMessage"):
            yield from self._of_agent(record, when)
        elif kind == "attachment":
            yield from self._queued(record, when)
        elif kind == "system" and text(record, "subtype") == "compact_boundary":
            yield Compacted(when, text(record, "uuid"))

    def _set(self, record: dict[str, Any], when: str) -> Iterator[Happening]:
        model = text(record, "message", "model")
        branch = text(record, "gitBranch")
        setting = (
            text(record, "cwd") or self._setting[0],
            branch if branch and branch != "HEAD" else self._setting[1],
            model if model and not model.startswith("<") else self._setting[2],
        )
        if setting != self._setting and not self._agent:
            yield Setting(when, *setting)
        self._setting = setting

    def _of_user(self, record: dict[str, Any], when: str) -> Iterator[Happening]:
        content = at(record, "message", "content")
        results = (
            [block for block in content if text(block, "type") == "tool_result"]
            if isinstance(content, list)
            else []
        )
        for result in results:
            yield from self._result(result, record, when)
        if results or self._agent or record.get("isMeta") or record.get("isCompactSummary"):
            return
        said = joined(content)
        if said.startswith("<task-notification>"):
            yield from self._notified(said, when)
        elif said.startswith(_INTERRUPTED):
            yield Interrupted(when)
        elif _is_typed(record) and not said.lstrip().startswith(_NO_REQUEST):
            yield Asked(when, _as_typed(said), text(record, "uuid"), _parent(record))

    def _queued(self, record: dict[str, Any], when: str) -> Iterator[Happening]:
        attachment = record.get("attachment")
        if (
            text(attachment, "type") == "queued_command"
            and text(attachment, "commandMode") in ("", "prompt")
            and not self._agent
        ):
            said = joined(at(attachment, "prompt"))
            if not said.lstrip().startswith(_NO_REQUEST):
                yield Asked(text(attachment, "timestamp") or when, _as_typed(said), text(record, "uuid"))

    def _of_agent(self, record: dict[str, Any], when: str) -> Iterator[Happening]:
        for block in items(record, "message", "content"):
            if text(block, "type") == "text" and not self._agent and text(block, "text").strip():
                yield Said(when, text(block, "text"))
            elif text(block, "type") == "tool_use":
                self._called(block, record)

    def _called(self, block: Any, record: dict[str, Any]) -> None:
        given = at(block, "input")
        path = next(
            (found for name in ("file_path", "notebook_path", "path") if (found := text(given, name))), ""
        )
        told = {
            "tool": text(block, "name"),
            "path": os.path.join(text(record, "cwd"), path) if path else "",
            "command": kept_line(text(given, "command")),
            "directory": text(record, "cwd"),
            "task": text(given, "taskId"),
            "subject": text(given, "subject"),
            "status": text(given, "status"),
        }
        add_call(self._calls, text(block, "id"), text(record, "timestamp"), told)

    def _result(self, result: Any, record: dict[str, Any], when: str) -> Iterator[Happening]:
        name = text(result, "tool_use_id")
        since = began(self._calls, name, when)
        call = self._calls.get(name)
        if call is None:
            return
        if text(record.get("toolUseResult"), "backgroundTaskId"):
            runs_on(self._calls, name)  # its end is told in a notification
            return
        del self._calls[name]
        tool, told = text(call, "tool"), record.get("toolUseResult")
        printed = joined(at(result, "content"))
        failed = at(result, "is_error") is True
        if failed and printed.startswith(_REFUSED):
            return
        if tool in ("Bash", "PowerShell"):
            for event in self._ran(call, printed, told, when, failed=failed):
                yield event._replace(began=since) if isinstance(event, Ran) else event
        elif failed:
            yield CallFailed(when, tool, text(call, "path"))
        elif tool in _WRITING and text(call, "path"):
            yield Wrote(when, text(call, "path"), text(told, "type") == "create", self._agent)
        elif not self._agent:
            yield from _planned(call, told, when)

    def _ran(self, call: Any, printed: str, told: Any, when: str, *, failed: bool) -> Iterator[Happening]:
        exit_code: int | None = None if at(told, "interrupted") is True else 0
        if failed:
            code = _EXIT.match(printed)
            if code is None and printed.startswith("PreToolUse:"):
                yield CallFailed(when, text(call, "tool"), text(call, "command"))
                return
            exit_code = int(code[1]) if code else None
            printed = printed[code.end() :] if code else printed
        whole = "\n".join(found for name in ("stdout", "stderr") if (found := text(told, name)))
        wrote = tuple(path for path in items(told, "bashEditDiff", "changedFiles") if isinstance(path, str))
        yield Ran(
            when,
            text(call, "command"),
            exit_code,
            whole or printed,
            self._agent,
            wrote,
            text(call, "directory"),
        )

    def _notified(self, said: str, when: str) -> Iterator[Happening]:
        told = _NOTIFIED.search(said)
        call = self._calls.pop(told[1], None) if told else None
        if told and call is not None:
            where, since = text(call, "directory"), text(call, "began")
            yield Ran(when, text(call, "command"), int(told[2]), "", self._agent, (), where, since)


def _is_typed(record: dict[str, Any]) -> bool:
    """Return whether a person, or the program that a person wrote, sent it."""
    return text(record, "promptSource") != "system" and text(record, "origin", "kind") in ("", "human")


def _parent(record: dict[str, Any]) -> str:
    """Return what a request answers; a name for nothing, where it is a session's first: that has one, too."""
    if "parentUuid" in record and record["parentUuid"] is None:
        return _BEGINNING
    return text(record, "parentUuid")


def _as_typed(said: str) -> str:
    """Return a slash command as the user typed it, any other request as it is."""
    command = _COMMAND.search(said) if "<command-name>" in said else None
    if command is None:
        return said
    arguments = _ARGUMENTS.search(said)
    return f"{command[1]} {arguments[1].strip() if arguments else ''}".strip()


def _planned(call: Any, told: Any, when: str) -> Iterator[Happening]:
    tool = text(call, "tool")
    if tool == "TaskCreate":
        number, subject = text(told, "task", "id"), text(told, "task", "subject") or text(call, "subject")
        yield Planned(when, number, subject, "pending")
    elif tool == "TaskUpdate":
        status = text(told, "statusChange", "to") or text(call, "status")
        yield Planned(when, text(told, "taskId") or text(call, "task"), text(call, "subject"), status)
    elif tool == "TodoWrite":
        yield PlanReplaced(when)
        for todo in items(told, "newTodos"):
            yield Planned(when, "", text(todo, "content"), text(todo, "status"))


def ids_in(data: bytes) -> list[str]:
    """Return the ids of all records in a piece of a transcript: a fork repeats those of its origin."""
    return [found.decode("ascii", "replace") for found in _UUID.findall(data)]
