"""OpenCode's sessions: messages and their parts, rows of the client's SQLite database.

Rows are read in their order, because the client's times can go back. A call that is still running is left for
the next reading.

Nothing is written to the database, and no file is made next to it. While the client runs, and after a kill,
nearly everything is in the write-ahead log. An ordinary connection for reading would make `-wal` and `-shm`,
and write to `-shm`: `readonly_shm` does neither. A database without a log is read as one that never changes.
"""

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, TypeVar

from progress_plugin.core.files import find_irregular_sqlite_file
from progress_plugin.text.decode import json_or_none
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients import get_int, get_list, get_text, get_value, task_list

T = TypeVar("T")

MAX_PARTS, MAX_BYTES = 20_000, 32 << 20  # per session; the newest are kept
MAX_PART_BYTES = 8 << 20  # a longer part holds pictures or a whole history
TIMEOUT_S = 3.0
BUSY_TIMEOUT_S = 0.2  # the client may be writing
INSTRUCTIONS = 20_000  # of SQLite between two looks at the clock
PART_BYTES = 4096  # of a part on average
MAX_SUBAGENTS = 50
_QUOTED = LazyPattern(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_WRITING = ("write", "edit", "multiedit", "patch", "apply_patch")

_SESSION = """
select directory, time_created, parent_id in (select id from session) from session where id = ?
"""
_FAMILY = """
with recursive family(id) as (
    select ? union select session.id from session join family on parent_id = family.id limit ?
)
select id from family
"""
# A fork copies its parent's messages with their old times, but new times of their parts: these are left out.
_PARTS = """
select part.rowid, part.time_created, part.data, message.id, message.data
from part join message on message.id = part.message_id
where part.session_id = ? and (message.time_created >= ? or part.time_created < ?) and length(part.data) < ?
order by part.rowid desc limit ?
"""
_STAMP = "select coalesce(max(time_updated), 0), count(*) from part where session_id = ?"


def query_database(path: str, read: Callable[[sqlite3.Connection], T], seconds: float) -> T | None:
    """Open the database read-only and return `read(connection)`.

    Return None if there is no regular file, if SQLite fails, also inside `read`, or after `seconds`.
    """
    if find_irregular_sqlite_file(path) is not None or not os.path.isfile(path):
        return None
    has_log = os.path.exists(f"{path}-wal") or os.path.exists(f"{path}-journal")
    how = "readonly_shm=1" if has_log else "immutable=1"
    uri = f"{Path(path).absolute().as_uri()}?mode=ro&{how}"
    end = time.monotonic() + seconds
    try:
        opened = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        with closing(opened) as connection:
            # Invalid UTF-8 is replaced, as in every transcript.
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            connection.set_progress_handler(lambda: time.monotonic() > end, INSTRUCTIONS)
            return read(connection)
    except sqlite3.Error:
        return None


def read_lines(path: str, session: str) -> list[dict[str, Any]]:
    """Return the session's row, then each message with its parts; nothing if it cannot be read.

    Sub-agents' sessions are part of their parent's. `read_events` understands the result.
    """
    return query_database(path, lambda connection: _read(connection, session), TIMEOUT_S) or []


def session_stamp(path: str, session: str) -> tuple[int, int]:
    """Return when a session changed last, in ns, and about how many bytes it has; 0 if it cannot be read."""

    def look(connection: sqlite3.Connection) -> tuple[int, int]:
        changed, parts = connection.execute(_STAMP, (session,)).fetchone()
        return (changed if isinstance(changed, int) else 0) * 1_000_000, parts * PART_BYTES

    return query_database(path, look, TIMEOUT_S) or (0, 0)


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of the lines that `read_lines` returned."""
    for line in lines:
        if "parts" in line:
            found = _message_events(line)
            yield from events.only_work(found) if line.get("is_of_subagent") else found
            continue
        yield events.SessionPlace("", get_text(line, "directory"), "", get_value(line, "is_subagent") is True)


def _read(connection: sqlite3.Connection, session: str) -> list[dict[str, Any]]:
    row = connection.execute(_SESSION, (session,)).fetchone()
    if row is None:
        return []
    directory, created, is_subagent = row
    lines: list[dict[str, Any]] = [{"directory": directory, "is_subagent": bool(is_subagent)}]
    if is_subagent:
        return lines
    found: list[tuple[Any, ...]] = []
    for (name,) in {*connection.execute(_FAMILY, (session, MAX_SUBAGENTS + 1))}:
        since = created if name == session and isinstance(created, int) else 0
        rows = connection.execute(_PARTS, (name, since, since, MAX_PART_BYTES, MAX_PARTS))
        usable = (row for row in rows if [*map(type, row)] == [int, int, str, str, str])
        found += [(*row, name != session) for row in usable]
    newest = sorted(found)[-MAX_PARTS:]
    sizes = accumulate(len(data) for _, _, data, *_ in reversed(newest))
    newest = newest[sum(size > MAX_BYTES for size in sizes) :]
    for (_, message, is_of_subagent), parts in groupby(newest, key=lambda row: row[3:]):
        values = [{"created": created, "data": json_or_none(data)} for _, created, data, *_ in parts]
        lines.append({"is_of_subagent": is_of_subagent, "message": json_or_none(message), "parts": values})
    return lines


def _message_events(line: dict[str, Any]) -> Iterator[events.Event]:
    message = line.get("message")
    parts = [(_moment(get_int(part, "created")), get_value(part, "data")) for part in get_list(line, "parts")]
    if get_text(message, "role") == "user":
        yield from _user_events(parts)
        return
    for when, data in parts:
        kind = get_text(data, "type")
        if kind == "tool":
            yield from _call_events(data, get_text(message, "path", "cwd"), when)
        elif kind == "text" and get_value(message, "summary") is not True:
            yield events.AgentReply(when, get_text(data, "text"))
    if get_text(message, "error", "name") == "MessageAbortedError":
        yield events.Interruption(parts[-1][0] if parts else "")


def _user_events(parts: list[tuple[str, Any]]) -> Iterator[events.Event]:
    """Yield the typed part of a message as a request."""
    typed = [
        get_text(data, "text")
        for _, data in parts
        if get_text(data, "type") == "text"
        and True not in (get_value(data, "synthetic"), get_value(data, "ignored"))
    ]
    prompt = "\n".join(typed)
    quoted = _QUOTED.fullmatch(prompt.strip())  # `opencode run` stores its argument in quotation marks
    if parts:
        yield events.UserRequest(parts[0][0], quoted[1].replace('\\"', '"') if quoted else prompt)


def _call_events(data: Any, directory: str, when: str) -> Iterator[events.Event]:
    tool, state = get_text(data, "tool"), get_value(data, "state")
    given, details = get_value(state, "input"), get_value(state, "metadata")
    begun = _moment(get_int(state, "time", "start"))
    when = _moment(get_int(state, "time", "end")) or when
    failed = get_text(state, "status") == "error"
    target = get_text(given, "filePath")
    if get_text(state, "status") not in ("completed", "error"):  # it is still running
        return
    if tool == "bash":
        code = None if failed else get_int(details, "exit")
        printed = get_text(details, "output") or get_text(state, "output") or get_text(state, "error")
        place = os.path.join(directory, get_text(given, "workdir"))
        yield events.CommandRun(when, get_text(given, "command"), code, printed, directory=place, began=begun)
    elif failed:
        return
    elif tool in _WRITING and target:
        yield events.FileEdit(when, os.path.join(directory, target), get_value(details, "exists") is False)
    elif tool in _WRITING:
        for file in get_list(details, "files"):
            if path := get_text(file, "movePath") or get_text(file, "filePath"):
                yield events.FileEdit(when, os.path.join(directory, path), get_text(file, "type") == "add")
    elif tool == "todowrite":
        yield task_list(when, get_list(given, "todos"), "content")


def _moment(milliseconds: int | None) -> str:
    """Return a time as ISO 8601 in UTC; empty if there is no valid time."""
    try:
        when = datetime.fromtimestamp((milliseconds or 0) / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return f"{when:%Y-%m-%dT%H:%M:%S}.{when.microsecond // 1000:03}Z" if milliseconds else ""
