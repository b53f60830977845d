"""OpenCode's sessions: messages and their parts, rows of the client's database.

The order of the rows is the order of the work, because the client's times can go back. An unfinished part (a
running call, a text that is being written) is left for the next reading.
"""

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.client_database import look_into
from progress_plugin.transcripts.clients.json_members import at, items, number, parsed, text
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Event,
    Interrupted,
    Planned,
    PlanReplaced,
    Ran,
    Rewound,
    Said,
    Setting,
    SubagentTranscript,
    Wrote,
)

MAX_PARTS, MAX_BYTES = 20_000, 32 << 20  # of a session; of more the newest
TIMEOUT_S = 3.0
_MAX_SUBAGENTS, _MAX_DEPTH = 50, 3
_QUOTED = LazyPattern(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_AGENT = LazyPattern(r"\(@([\w-]{1,60}) subagent\)")
_WRITING = ("write", "edit", "multiedit", "patch", "apply_patch")
_NAMES = {"read": "Read"}  # the name that other clients give a tool
_STOPPED = "MessageAbortedError"

_SESSION = """
select directory, time_created, revert, parent_id in (select id from session) from session where id = ?
"""
_CHILDREN = "select id, title from session where parent_id = ? order by time_created limit ?"
# A fork has copies of its parent's messages with their old times, in parts with new ones.
_PARTS = """
select part.rowid, part.id, part.time_created, part.message_id
from part join message on message.id = part.message_id
where part.session_id = ? and (message.time_created >= ? or part.time_created < ?)
order by part.rowid desc limit ?
"""

_STAMP = "select coalesce(max(time_updated), 0), count(*) from part where session_id = ?"
_PART_BYTES = 4096  # on average


class _Part(NamedTuple):
    row: int
    id: str
    created: int
    message: str
    agent: str  # name of the sub-agent; empty for the session itself


def read_lines(path: str, session: str) -> list[dict[str, Any]]:
    """Return the session's row, then each message with its finished parts; nothing if it cannot be read.

    Sub-agents' sessions are part of their parent's. `events` understands the result.
    """
    return look_into(path, lambda store: _read(store, session), TIMEOUT_S) or []


def has_session(path: str, session: str) -> bool:
    """Return whether a session is in a database."""
    found = look_into(path, lambda store: store.execute(_SESSION, (session,)).fetchone(), TIMEOUT_S)
    return found is not None


def session_stamp(path: str, session: str) -> tuple[int, int]:
    """Return when a session changed last, in ns, and about how many bytes it has; 0 if it cannot be read."""

    def look(store: sqlite3.Connection) -> tuple[int, int]:
        changed, parts = store.execute(_STAMP, (session,)).fetchone()
        return (changed if isinstance(changed, int) else 0) * 1_000_000, parts * _PART_BYTES

    return look_into(path, look, TIMEOUT_S) or (0, 0)


def events(lines: Iterable[dict[str, Any]], agent: str = "") -> Iterator[Event]:
    """Yield the events of what `read_lines` returned."""
    del agent
    for line in lines:
        if "parts" in line:
            yield from _of_message(line)
            continue
        if at(line, "is_subagent") is True:
            yield SubagentTranscript("")
        if text(line, "reverted"):
            yield Rewound("", text(line, "reverted"))
        yield Setting("", text(line, "directory"))


def _read(store: sqlite3.Connection, session: str) -> list[dict[str, Any]]:
    found = store.execute(_SESSION, (session,)).fetchone()
    if found is None:
        return []
    directory, created, revert, is_subagent = found
    reverted = text(parsed(revert or ""), "messageID")
    lines: list[dict[str, Any]] = [{"directory": directory, "is_subagent": bool(is_subagent)}]
    if is_subagent:
        return lines
    parts: list[_Part] = []
    for name, agent in _family(store, session):
        since = created if name == session and isinstance(created, int) else 0
        rows = store.execute(_PARTS, (name, since, since, MAX_PARTS))
        parts += [_Part(row[0], row[1], row[2], row[3], agent) for row in rows if _is_part(row)]
    newest = sorted(parts, reverse=True)[:MAX_PARTS]
    read, left = [], MAX_BYTES
    for part in newest:
        data = _data(store, "part", part.id)
        left -= len(data)
        if left < 0:
            break
        read.append((part, parsed(data)))
    for message, group in groupby(reversed(read), lambda each: each[0].message):
        lines.append(_line(message, parsed(_data(store, "message", message)), list(group)))
    return [*lines, {"reverted": reverted, "directory": directory}] if reverted else lines


def _is_part(row: tuple[Any, ...]) -> bool:
    return [*map(type, row)] == [int, str, int, str]


def _line(name: str, message: Any, parts: list[tuple[_Part, Any]]) -> dict[str, Any]:
    finished = [
        {"created": part.created, "data": data}
        for part, data in parts
        if isinstance(data, dict) and _has_ended(message, data)
    ]
    return {"id": name, "agent": parts[0][0].agent, "message": message, "parts": finished}


def _family(store: sqlite3.Connection, session: str) -> list[tuple[str, str]]:
    """Return a session and those of its sub-agents, each with the agent's name; its own is empty."""
    found, parents = {session: ""}, [session]
    for _ in range(_MAX_DEPTH):
        children = []
        for parent in parents[:_MAX_SUBAGENTS]:
            for name, title in store.execute(_CHILDREN, (parent, _MAX_SUBAGENTS)):
                if isinstance(name, str) and name not in found:
                    named = _AGENT.search(title) if isinstance(title, str) else None
                    found[name] = named[1] if named else "sub-agent"
                    children.append(name)
        if len(found) > _MAX_SUBAGENTS:
            break
        parents = children
    return list(found.items())[: _MAX_SUBAGENTS + 1]


def _data(store: sqlite3.Connection, table: str, name: str) -> str:
    """Return the JSON text of a row; empty if it is gone, too long or no text."""
    try:
        row = store.execute(f"select data from {table} where id = ?", (name,)).fetchone()  # noqa: S608 - two constants
    except sqlite3.DataError:
        return ""
    return row[0] if row is not None and isinstance(row[0], str) else ""


def _has_ended(message: Any, data: dict[str, Any]) -> bool:
    if data.get("type") == "tool":
        return text(data, "state", "status") in ("completed", "error")
    if data.get("type") == "text" and text(message, "role") == "assistant":
        return number(data, "time", "end") is not None or number(message, "time", "completed") is not None
    return True


def _of_message(line: dict[str, Any]) -> Iterator[Event]:
    message, agent = line.get("message"), text(line, "agent")
    parts = [(_moment(number(part, "created")), at(part, "data")) for part in items(line, "parts")]
    if text(message, "role") == "user":
        yield from _of_user(parts, text(line, "id"), agent)
        return
    when = parts[-1][0] if parts else ""
    if not agent and (model := text(message, "modelID")):
        yield Setting(when, model=model)
    for moment, data in parts:
        yield from _of_agent(message, data, moment, agent)
    if not agent and text(message, "error", "name") == _STOPPED:
        yield Interrupted(when)


def _of_user(parts: list[tuple[str, Any]], key: str, agent: str) -> Iterator[Event]:
    """Yield a request: what was typed of a message. The task of a sub-agent is none."""
    typed = [
        text(data, "text")
        for _, data in parts
        if text(data, "type") == "text"
        and at(data, "synthetic") is not True
        and at(data, "ignored") is not True
    ]
    prompt = "\n".join(typed)
    if prompt.strip() and not agent:
        yield Asked(parts[0][0], _without_quotes(prompt), key)
    for when, data in parts:
        if text(data, "type") == "compaction" and not agent:
            yield Compacted(when)


def _of_agent(message: Any, data: Any, when: str, agent: str) -> Iterator[Event]:
    kind = text(data, "type")
    if kind == "tool":
        yield from _called(data, text(message, "path", "cwd"), when, agent)
    elif kind == "text" and not agent and at(message, "summary") is not True and text(data, "text").strip():
        yield Said(when, text(data, "text"))


def _called(data: Any, directory: str, when: str, agent: str) -> Iterator[Event]:
    tool, state = text(data, "tool"), at(data, "state")
    given, details = at(state, "input"), at(state, "metadata")
    begun, when = _moment(number(state, "time", "start")), _moment(number(state, "time", "end")) or when
    failed = text(state, "status") == "error"
    if tool == "bash":
        code = None if failed else number(details, "exit")
        printed = text(details, "output") or text(state, "output") or text(state, "error")
        where = os.path.join(directory, text(given, "workdir"))
        yield Ran(when, text(given, "command"), code, printed, agent, directory=where, began=begun)
    elif failed:
        target = text(given, "filePath")
        yield CallFailed(when, _NAMES.get(tool, tool), os.path.join(directory, target) if target else "")
    elif tool in _WRITING:
        for path, created in _written(given, details):
            yield Wrote(when, os.path.join(directory, path), created, agent)
    elif tool == "todowrite" and not agent:
        yield PlanReplaced(when)
        for todo in items(given, "todos"):
            yield Planned(when, "", text(todo, "content"), text(todo, "status"))


def _written(given: Any, details: Any) -> Iterator[tuple[str, bool]]:
    """Yield each file that a call wrote, and whether it is new."""
    path = text(given, "filePath")
    if path:
        yield path, at(details, "exists") is False
    for file in items(details, "files") if not path else ():
        place = text(file, "movePath") or text(file, "filePath")
        if place:
            yield place, text(file, "type") == "add"


def _without_quotes(prompt: str) -> str:
    """Return a request without the quotation marks in which `opencode run` stores its argument."""
    quoted = _QUOTED.fullmatch(prompt.strip())
    return quoted[1].replace('\\"', '"') if quoted else prompt


def _moment(milliseconds: int | None) -> str:
    """Return a time as ISO 8601 in UTC; empty for what is none."""
    try:
        when = datetime.fromtimestamp((milliseconds or 0) / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return f"{when:%Y-%m-%dT%H:%M:%S}.{when.microsecond // 1000:03}Z" if milliseconds else ""
