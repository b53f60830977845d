"""The records of a project's sessions, one JSON file each, in the user's state directory.

The worktrees of a repository share them. A record repeats what the user asked, so only the user can read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Container, Iterable
from contextlib import suppress
from datetime import UTC, datetime

from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import list_inside, read_inside, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import has_home, make_private, state_directory, state_file, user_state
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import FOLDER, record_path
from progress_plugin.transcripts.record import SessionRecord, note_later_passes

MAX_RECORDS = 100
MAX_RECORD_BYTES = 4 << 20
SWITCHED_OFF = "switched_off"
_ENDING = ".json"


class SessionStore:
    """The folder of the records of one project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.folder = state_file(project.main_root, FOLDER)

    def lock(self, timeout: float) -> FileLock:
        """Return the lock that a process holds while it reads many transcripts. Raises OSError."""
        make_private(self.folder)
        return FileLock(os.path.join(self.folder, "lock"), timeout, "the records of sessions are locked")

    def load(self) -> dict[str, SessionRecord]:
        """Return every record by session, foreign ones too."""
        names = [name for name in list_inside(None, self.folder) if name.endswith(_ENDING)]
        records = (_read(os.path.join(self.folder, name)) for name in names)
        return {record.session: record for record in records if record is not None}

    def records(self) -> list[SessionRecord]:
        """Return the records of this project's sessions in all worktrees, the last session at the end."""
        return in_order(record for record in self.load().values() if not record.foreign)

    def visible_records(self, records: Collection[SessionRecord]) -> list[SessionRecord]:
        """Return the records that a start may show, without the records of other worktrees.

        The main worktree also shows the records of removed worktrees.
        """
        own = self.project.worktree or ""
        hidden: Container[str] = {record.worktree for record in records} - {own}
        if hidden and not own and self.project.repository is not None:
            hidden = self.project.repository.worktrees()
        return in_order(each for each in records if not each.foreign and each.worktree not in hidden)

    def save(self, record: SessionRecord) -> None:
        """Write a record. Raises AgentProgressError or OSError."""
        if path := self._path(record):
            make_private(self.folder)
            data = json.dumps(record.to_data(), ensure_ascii=False).encode("utf-8", "surrogateescape")
            write_atomic(path, data, durable=False, private=True)

    def forget_oldest(self) -> None:
        """Remove the records of the transcripts that were written longest ago, if there are too many."""
        newest = sorted(self.load().values(), key=lambda record: record.written_ns, reverse=True)
        for path in filter(None, map(self._path, newest[MAX_RECORDS:])):
            with suppress(FileNotFoundError):  # another process was first
                os.unlink(path)

    def forbid_rereading(self, paths: Container[str]) -> None:
        """Mark the records in these files: their transcripts hold an erased text and are never read again."""
        for record in self.load().values():
            if self._path(record) in paths:
                record.never_reread = True
                self.save(record)

    def _path(self, record: SessionRecord) -> str | None:
        return record_path(self.project.main_root, record.client, record.session)


def in_order(records: Iterable[SessionRecord]) -> list[SessionRecord]:
    """Return records ordered by their end; note in each which of its failing checks passed later."""
    ordered = sorted(records, key=lambda record: (record.ended, record.session))
    note_later_passes(ordered)
    return ordered


def switch_off(project: Project, *, for_user: bool = False) -> None:
    """Note that transcripts may not be read from now on. Raises AgentProgressError or OSError."""
    folder = user_state() if for_user else state_directory(project.main_root)
    if has_home():
        make_private(folder)
        write_atomic(os.path.join(folder, SWITCHED_OFF), b"", durable=False, private=True)


def readable_since(project: Project) -> str:
    """Return the time before which no session may be read, `YYYY-MM-DDTHH:MM:SS`; empty without one.

    It is the time of the first call after reading was allowed again. Raises AgentProgressError or OSError.
    """
    since = ""
    for folder in (user_state(), state_directory(project.main_root)):
        path = os.path.join(folder, SWITCHED_OFF)
        data = read_inside(None, path, MAX_RECORD_BYTES)
        if data == b"":
            data = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S").encode()
            write_atomic(path, data, durable=False, private=True)
        since = max(since, (data or b"").decode("ascii", "replace"))
    return since


def _read(path: str) -> SessionRecord | None:
    try:
        data = read_inside(None, path, MAX_RECORD_BYTES) or b""
        record = SessionRecord.of_data(json.loads(data.decode("utf-8", "surrogateescape")))
        if not record.written_ns:  # its transcript was not read yet
            record.written_ns = os.stat(path).st_mtime_ns
    except (BadInput, OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return record
