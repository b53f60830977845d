"""The rows of one OpenCode session since the last reading, from the client's database.

What is new is found by where a part stands in its table (its rowid): the client's ids and times are of its
clock, which can go back. What stands where rows were deleted is found by its time. A part that was not
finished then (a call that runs, a text that is being written) is changed in place later, so it waits, and is
looked at again each time. Sub-agents' sessions are told with that of their parent, and not by themselves as
long as that is there; rows that a fork has copied are its parent's.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.client_database import look_into
from progress_plugin.transcripts.clients.json_members import at, number, parsed, text

MOST_ROWS = 20_000
"""Parts that are read of what is new; of more the newest."""
MOST_BYTES = 32 * 1024 * 1024
"""Bytes of parts that are read at once; the rest is for the next time."""
SECONDS = 3.0
_WAITING = 200
_SUBAGENTS = 50
_DEEPEST = 3
_BYTES_OF_A_PART = 4096
"""About what one takes: only reading it would tell."""
_AGENT = LazyPattern(r"\(@([\w-]{1,60}) subagent\)")
_SETTLED = ("completed", "error")

_SESSION = """
select id, directory, time_created, revert, parent_id in (select id from session) from session where id = ?
"""
_CHILDREN = "select id, title from session where parent_id = ? order by time_created limit ?"
_IS_NEW = "part.session_id = ? and (part.rowid > ? or (part.time_created, part.id) > (?, ?))"
_NEW = f"""
select part.id, part.time_created, part.message_id, part.rowid
from part join message on message.id = part.message_id
where {_IS_NEW} and (message.time_created >= ? or part.time_created < ?)
"""  # noqa: S608 - words of ours
_COUNT = f"select count(*) from part where {_IS_NEW}"  # noqa: S608
_FIRST = (-1, 0, "")
_NO_ROW = 2**63 - 1
"""Larger than any rowid: a reading of an older version noted times alone."""


class _Part(NamedTuple):
    """Where a part stands."""

    id: str
    created: int
    message: str
    session: str
    agent: str
    row: int = -1


class Rows:
    """How far the rows of a session were read; it looks like the place in a file of lines."""

    def __init__(self, path: str, session: str, state: Any = None) -> None:
        self.path = path
        self.session = session
        self._set(state)

    def _set(self, state: Any) -> None:
        self.offset = max(number(state, "offset") or 0, 0)
        """Parts that were read."""
        self.broken = max(number(state, "broken") or 0, 0)
        self.skipped = max(number(state, "skipped") or 0, 0)
        self._last = {name: last for name, each in _pairs(at(state, "last")) if (last := _cursor(each))}
        """Of each session the rowid of the part that was read last, and the latest time with its id."""
        self._waiting = {name: row for name, row in _pairs(at(state, "waiting")) if _is_row(row)}

    @property
    def is_begun(self) -> bool:
        """Whether anything was read of it."""
        return self.offset > 0

    @property
    def unread(self) -> int:
        """About how many bytes are new, or have waited and are finished; of sub-agents only the latter."""
        last = self._last.get(self.session, _FIRST)

        def count(store: sqlite3.Connection) -> int:
            new = int(store.execute(_COUNT, (self.session, *last)).fetchone()[0])
            return new + sum(_is_finished(store, name, row[1]) for name, row in self._waiting.items())

        return (look_into(self.path, count, SECONDS) or 0) * _BYTES_OF_A_PART

    def still_fits(self) -> bool:
        """Return whether it is still the database that was read: rows are found by their ids anyway."""
        return True

    def as_json(self) -> dict[str, Any]:
        """Return what a later reading needs to know."""
        return {
            "offset": self.offset,
            "broken": self.broken,
            "skipped": self.skipped,
            "last": {name: list(last) for name, last in self._last.items()},
            "waiting": dict(list(self._waiting.items())[-_WAITING:]),
        }

    def lines(self, most: int = MOST_BYTES) -> Iterator[dict[str, Any]]:
        """Yield where the session works, then each message that has new parts, with these."""
        before = self.as_json()
        told = look_into(self.path, lambda store: self._read(store, min(most, MOST_BYTES)), SECONDS)
        if told is None:  # nothing of it counts as read
            self._set(before)
        yield from told or ()

    def _read(self, store: sqlite3.Connection, most: int) -> list[dict[str, Any]]:
        found = store.execute(_SESSION, (self.session,)).fetchone()
        if found is None:
            return []
        _, directory, created, revert, is_subagent = found
        if is_subagent:
            return [{"directory": directory, "is_subagent": True}]
        told: list[dict[str, Any]] = [{"directory": directory}]
        waiting = [
            _Part(name, row[0], row[1], row[2], row[3])
            for name, row in list(self._waiting.items())[-_WAITING:]
        ]
        fresh = self._fresh(store, created if isinstance(created, int) else 0)
        messages: dict[str, Any] = {}
        left, end = most, time.monotonic() + SECONDS / 2
        for message, parts in groupby([*waiting, *fresh], lambda part: part.message):
            group = list(parts)
            read = []
            for part in group:
                data = _data(store, "part", part.id)
                left -= len(data or "")
                read.append((part, parsed(data or "")))
            if message not in messages:
                messages = {message: parsed(_data(store, "message", message) or "")}
            told.append(self._told(messages[message], group[0], read))
            if left < 0 or time.monotonic() > end:
                break
        told.append({"reverted": text(parsed(revert or ""), "messageID")})
        return told

    def _told(self, message: Any, first: _Part, read: list[tuple[_Part, Any]]) -> dict[str, Any]:
        """Note parts as read, and return those that are finished, with their message."""
        settled = []
        for part, data in read:
            if part.id not in self._waiting:
                _, created, name = self._last.get(part.session, _FIRST)
                self._last[part.session] = (part.row, *max((part.created, part.id), (created, name)))
                self.offset += 1
            if not isinstance(data, dict):
                self.broken += 1
                self._waiting.pop(part.id, None)
            elif _is_settled(message, data):
                settled.append({"created": part.created, "data": data})
                if self._waiting.pop(part.id, None) is not None:
                    self.offset += 1
            else:
                self._waiting[part.id] = [part.created, part.message, part.session, part.agent]
        return {"id": first.message, "agent": first.agent, "message": message, "parts": settled}

    def _fresh(self, store: sqlite3.Connection, created: int) -> list[_Part]:
        found: list[_Part] = []
        for session, agent in _family(store, self.session):
            # A fork has copies of its parent's messages with their old times, a sub-agent has none.
            since = created if session == self.session else 0
            rows = store.execute(_NEW, (session, *self._last.get(session, _FIRST), since, since))
            found += [_Part(row[0], row[1], row[2], session, agent, row[3]) for row in rows if _is_part(row)]
        found.sort(key=lambda part: part.row)
        self.skipped += max(len(found) - MOST_ROWS, 0)
        return found[-MOST_ROWS:]


def session_stamp(path: str, session: str) -> tuple[int, int]:
    """Return when a session changed last, in ns, and about how many bytes it has; 0 if it cannot be read."""

    def look(store: sqlite3.Connection) -> tuple[int, int]:
        words = "select coalesce(max(time_updated), 0), count(*) from part where session_id = ?"
        changed, parts = store.execute(words, (session,)).fetchone()
        return (changed if isinstance(changed, int) else 0) * 1_000_000, parts * _BYTES_OF_A_PART

    return look_into(path, look, SECONDS) or (0, 0)


def has_session(path: str, session: str) -> bool:
    """Return whether a session is in a database."""

    def look(store: sqlite3.Connection) -> bool:
        return store.execute(_SESSION, (session,)).fetchone() is not None

    return look_into(path, look, SECONDS) is True


def _family(store: sqlite3.Connection, session: str) -> list[tuple[str, str]]:
    """Return a session and those of its sub-agents, each with the agent's name; its own is empty."""
    found, depth = {session: ""}, {session: 0}
    waiting = deque([session])
    while waiting and len(found) <= _SUBAGENTS:
        parent = waiting.popleft()
        for name, title in store.execute(_CHILDREN, (parent, _SUBAGENTS)):
            if isinstance(name, str) and name not in found:
                named = _AGENT.search(title) if isinstance(title, str) else None
                found[name] = named[1] if named else "sub-agent"
                depth[name] = depth[parent] + 1
                if depth[name] < _DEEPEST:
                    waiting.append(name)
    return list(found.items())[: _SUBAGENTS + 1]


def _data(store: sqlite3.Connection, table: str, name: str) -> str | None:
    """Return what stands in a row; None where it is gone, too long or no text."""
    try:
        row = store.execute(f"select data from {table} where id = ?", (name,)).fetchone()  # noqa: S608 - two names of ours
    except sqlite3.DataError:
        return None
    return row[0] if row is not None and isinstance(row[0], str) else None


def _is_finished(store: sqlite3.Connection, part: str, message: str) -> bool:
    """Return whether a part is as it will stay, or gone."""
    data = parsed(_data(store, "part", part) or "")
    return not isinstance(data, dict) or _is_settled(parsed(_data(store, "message", message) or ""), data)


def _is_settled(message: Any, data: dict[str, Any]) -> bool:
    if data.get("type") == "tool":
        return text(data, "state", "status") in _SETTLED
    if data.get("type") == "text" and text(message, "role") == "assistant":
        return number(data, "time", "end") is not None or number(message, "time", "completed") is not None
    return True


def _is_part(row: Any) -> bool:
    return isinstance(row[0], str) and isinstance(row[1], int) and isinstance(row[2], str)


def _cursor(value: Any) -> tuple[int, int, str] | None:
    match value:
        case [int(row), int(created), str(name)]:
            return row, created, name
        case [int(created), str(name)]:
            return _NO_ROW, created, name
    return None


def _is_row(value: Any) -> bool:
    match value:
        case [int(), str(), str(), str()]:
            return True
    return False


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []
