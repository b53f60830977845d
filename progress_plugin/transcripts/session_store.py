"""The records of a project's sessions, one JSON line each, in the project's private state.

A record repeats what the user asked, so it is readable by the user alone. The oldest are removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private, make_state_directory, state_directory, state_file
from progress_plugin.core.project import Project

if TYPE_CHECKING:
    from progress_plugin.transcripts.record import SessionRecord

SESSIONS_FILE = "sessions.jsonl"
READING_FOLDER = "reading"  # holds the lock of the process that reads transcripts: one lock fits in a folder
WORKTREES_FOLDER = "worktree-sessions"  # copies of the records of linked worktrees
MAX_RECORDS = 100
MAX_BYTES = 4 * 1024 * 1024


class SessionStore:
    """Where the records of one checkout are kept."""

    def __init__(self, project: Project) -> None:
        self.project = project

    @property
    def path(self) -> str | None:
        """The file; None without a home directory."""
        return state_file(self.project.root, SESSIONS_FILE) if state_directory(self.project.root) else None

    def lock(self, timeout: float) -> FileLock:
        """Return the lock of the process that reads transcripts. Raises AgentProgressError or OSError."""
        folder = os.path.join(make_state_directory(self.project.root), READING_FOLDER)
        make_private(folder)
        return FileLock(os.path.join(folder, "lock"), timeout)

    def records(self) -> list[SessionRecord]:
        """Return every record, the one that ended last at the end."""
        data = read_inside(None, self.path) if self.path else None
        found = {record.session: record for record in records_of(data, self.project.root)}
        return in_order(found.values())

    def told_records(self) -> list[SessionRecord]:
        """Return the records that a start may show: in a main worktree those of removed ones, too."""
        records = self.records()
        return in_order([*records, *self.of_gone_worktrees({record.session for record in records})])

    def of_gone_worktrees(self, known: Container[str]) -> list[SessionRecord]:
        """Return the records of removed worktrees, but for sessions that are `known`."""
        if not os.path.isdir(state_file(self.project.root, WORKTREES_FOLDER)):
            return []
        from progress_plugin.transcripts.worktree_records import records_of_gone_worktrees  # noqa: PLC0415 - imports this

        return records_of_gone_worktrees(self.project, known)

    def put(self, records: Iterable[SessionRecord]) -> None:
        """Write these records beside the others. Caller holds the lock. Raises AgentProgressError."""
        if self.path is None:
            return
        fresh = {record.session: record for record in records}
        kept = [record for record in self.records() if record.session not in fresh]
        room = max(MAX_RECORDS - len(fresh), 0)
        data = file_bytes(in_order([*kept[len(kept) - min(room, len(kept)) :], *fresh.values()]))
        make_state_directory(self.project.root)
        write_atomic(self.path, data, durable=False, private=True)
        if self.project.worktree:
            from progress_plugin.transcripts.worktree_records import keep_copy  # noqa: PLC0415 - imports this

            keep_copy(self.project, data)


def records_of(data: bytes | None, root: str) -> list[SessionRecord]:
    """Return the records in a file of the project at `root`."""
    if not data:
        return []
    from progress_plugin.transcripts.record import SessionRecord  # noqa: PLC0415 - twelve modules, if a session is known

    found = []
    for line in data.split(b"\n"):
        try:
            value = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        record = SessionRecord.from_json(value, root)
        if record is not None:
            found.append(record)
    return found


def file_bytes(records: Sequence[SessionRecord]) -> bytes:
    """Return a file of these records, without the oldest if there are too many bytes."""
    lines = [
        json.dumps(record.as_json(), ensure_ascii=False).encode("utf-8", "replace") for record in records
    ]
    while len(lines) > 1 and sum(map(len, lines)) > MAX_BYTES:
        del lines[0]
    return b"\n".join([*lines, b""])


def in_order(records: Iterable[SessionRecord]) -> list[SessionRecord]:
    """Return records by when they ended, by the times inside the transcripts; each can be named then."""
    found = sorted(records, key=lambda record: (record.ended, record.session))
    if not found:
        return []
    from progress_plugin.transcripts.session_ids import short_ids  # noqa: PLC0415 - where a session is known

    names = short_ids(record.session for record in found)
    for record in found:
        record.short = names[record.session]
    return found
