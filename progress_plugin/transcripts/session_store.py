"""The records of a project's sessions, one line each; before our directory stands, outside it.

A record tells what the user asked, so a repository must not bring its own: the first line holds what only
this user's files know. Nothing of it is tracked by git, and the oldest go when there are too many.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError, BadInput, DiskRefused
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.fast.shown_sessions import LINES_KEPT, TOLD_OUTSIDE
from progress_plugin.core.fast.unused_project import READY
from progress_plugin.core.files import create_new, read_inside, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private, user_data
from progress_plugin.core.project import Project
from progress_plugin.log import outside_copies

if TYPE_CHECKING:
    from progress_plugin.transcripts.record import SessionRecord

SESSIONS_FILE = "sessions.jsonl"
FOREIGN = ".foreign"
"""Ending of a file that was not made here, set aside before ours is written."""
FOLDER = "reading"
"""Holds the lock of the one process that reads transcripts: two locks cannot stand in one folder."""
OUTSIDE = "sessions"
"""Folder in the user's data directory for projects without our directory."""
OF_WORKTREES = "worktree-sessions"
"""Folder with copies of the records of linked worktrees, beside the main one's records or its log."""
_LOCK = "lock"
_KEY_FILE = "key"
KEPT = 100
"""Records."""
_MOST = 4 * 1024 * 1024
_PRIVATE_FILE = 0o600


class SessionStore:
    """Where the records of one checkout are kept."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.is_inside = os.path.isdir(project.directory)
        self.outside = outside_of(project.root)
        self.inside = os.path.join(project.directory, SESSIONS_FILE)

    @property
    def path(self) -> str | None:
        """Where it is written; None without a home."""
        if self.outside is None:
            return None
        return self.inside if self.is_inside else os.path.join(self.outside, SESSIONS_FILE)

    def lock(self, timeout: float) -> FileLock:
        """Return the lock of whoever reads transcripts. Raises OSError where its folder cannot be made."""
        place = os.path.join(self.project.directory, FOLDER)
        if self.is_inside and (self.outside is None or not _is_barred(place)):
            folder = data_directory.subfolder(self.project.directory, FOLDER)
        else:
            folder = os.path.join(self.outside or "", FOLDER)
            make_private(folder)
        return FileLock(os.path.join(folder, _LOCK), timeout)

    def records(self) -> list[SessionRecord]:
        """Return every record, the one that ended last at the end."""
        found: dict[str, SessionRecord] = {}
        for data in (self._outside_data(), self._inside_data()):
            for record in records_of(data, self.project.root):
                found[record.session] = record
        return in_order(found.values())

    def told_records(self) -> list[SessionRecord]:
        """Return the records that a start may tell of: in a main worktree those of removed ones, too."""
        records = self.records()
        return in_order([*records, *self.of_gone_worktrees({record.session for record in records})])

    def of_gone_worktrees(self, known: Container[str]) -> list[SessionRecord]:
        """Return the records of removed worktrees, but for sessions that are `known`."""
        if not any(map(os.path.isdir, folders_of_copies(self.project))):
            return []
        from progress_plugin.transcripts.worktree_records import records_of_gone_worktrees  # noqa: PLC0415 - where there are any

        return records_of_gone_worktrees(self.project, known)

    def outside_records(self) -> list[SessionRecord]:
        """Return the records that were made before our directory stood."""
        return records_of(self._outside_data(), self.project.root)

    def put(self, records: Iterable[SessionRecord]) -> None:
        """Write these records anew beside the others. Caller holds the lock.

        Raises AgentProgressError where it cannot be written.
        """
        path = self.path
        if path is None:
            return
        fresh = {record.session: record for record in records}
        room = max(KEPT - len(fresh), 0)
        kept = [record for record in self.records() if record.session not in fresh]
        data = file_bytes(in_order([*kept[len(kept) - min(room, len(kept)) :], *fresh.values()]))
        if self.is_inside:
            self._set_aside_foreign()
            _write(path, data, self.project.root)
            self._clear_outside()
        else:
            make_private(os.path.dirname(path))
            _write(path, data, None)
        if self.project.worktree:
            from progress_plugin.transcripts.worktree_records import keep_copy  # noqa: PLC0415 - in a linked worktree

            keep_copy(self.project, data)

    def put_ready(self, data: bytes | None) -> None:
        """Put the text for the next start beside the records outside; None takes it away.

        Raises AgentProgressError where it cannot be written.
        """
        if self.outside is None or not os.path.isdir(self.outside):
            return
        path = os.path.join(self.outside, READY)
        self._shorten_told()
        if data is not None:
            _write(path, data, None)
        elif os.path.exists(path):
            os.unlink(path)

    def _shorten_told(self) -> None:
        """Keep the newest lines of what sessions were told outside."""
        path = os.path.join(self.outside or "", TOLD_OUTSIDE)
        lines = (read_inside(None, path) or b"").splitlines(keepends=True)
        if len(lines) > LINES_KEPT:
            _write(path, b"".join(lines[-LINES_KEPT:]), None)

    def _clear_outside(self) -> None:
        """Remove what was kept before our directory stood: it is in there now."""
        for name in (SESSIONS_FILE, READY, TOLD_OUTSIDE):
            path = os.path.join(self.outside or "", name)
            if self.outside is not None and os.path.exists(path):
                os.unlink(path)

    def _inside_data(self) -> bytes | None:
        try:
            return data_directory.read(self.project.directory, SESSIONS_FILE) if self.is_inside else None
        except BadInput:
            return None  # a repository may bring a directory or a pipe of that name

    def _outside_data(self) -> bytes | None:
        return read_inside(None, os.path.join(self.outside, SESSIONS_FILE)) if self.outside else None

    def _set_aside_foreign(self) -> None:
        """Keep what was not made here from being replaced, and what is no file from being in the way."""
        data = self._inside_data()
        if data is None and (os.path.islink(self.inside) or not os.path.lexists(self.inside)):
            return
        if data is not None and _is_ours(data):
            return
        aside = f"{self.inside}{FOREIGN}"
        while os.path.isdir(aside) or (data is None and os.path.lexists(aside)):
            aside += FOREIGN
        try:
            os.replace(self.inside, aside)
        except OSError as error:
            raise DiskRefused(f"cannot set {self.inside} aside", error) from error


def records_of(data: bytes | None, root: str) -> list[SessionRecord]:
    """Return the records of a file as it was read; none of one that was not made by this user."""
    if data is None or not _is_ours(data):
        return []
    from progress_plugin.transcripts.record import SessionRecord  # noqa: PLC0415 - twelve modules, where no session is known

    found = []
    for line in data.split(b"\n")[1:]:
        try:
            value = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        record = SessionRecord.from_json(value, root)
        if record is not None:
            found.append(record)
    return found


def file_bytes(records: Sequence[SessionRecord]) -> bytes:
    """Return a file of these records, the oldest left out where there are too many bytes."""
    lines = [
        json.dumps(record.as_json(), ensure_ascii=False).encode("utf-8", "replace") for record in records
    ]
    while len(lines) > 1 and sum(map(len, lines)) > _MOST:
        del lines[0]
    return b"\n".join([_head() or b"", *lines, b""])


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


def outside_of(root: str) -> str | None:
    """Return the folder for a project without our directory; None without a home."""
    data = user_data()
    copies = outside_copies.folder_of(os.path.join(root, ".agent-os", "progress"))
    return os.path.join(data, OUTSIDE, os.path.basename(copies)) if data and copies else None


def folders_of_copies(project: Project) -> list[str]:
    """Return where a main worktree may have copies of the records of linked ones, the newer place last."""
    outside = outside_of(project.root)
    places = [*([outside] if outside else []), project.directory]
    return [os.path.join(place, OF_WORKTREES) for place in places]


def _is_barred(folder: str) -> bool:
    """Return whether something else stands in the place of the lock, or of its folder."""
    lock = os.path.join(folder, _LOCK)
    return (os.path.lexists(folder) and not os.path.isdir(folder)) or (
        os.path.lexists(lock) and not os.path.isfile(lock)
    )


def _is_ours(data: bytes) -> bool:
    head = _head()
    return head is not None and data.partition(b"\n")[0] == head


def _head() -> bytes | None:
    key = _users_key()
    return b'{"made_by":"%s"}' % content_digest(key) if key else None


def _users_key() -> bytes | None:
    """Return what only this user's files hold, made once; None where there is no place for it."""
    data = user_data()
    if data is None:
        return None
    path = os.path.join(data, OUTSIDE, _KEY_FILE)
    key = read_inside(None, path)
    if key:
        return key
    try:
        make_private(os.path.dirname(path))
        made = create_new(path, os.urandom(32).hex().encode(), _PRIVATE_FILE)
    except (OSError, AgentProgressError):
        return None
    if made != path:  # another process was first
        os.unlink(made)
    return read_inside(None, path)


def _write(path: str, data: bytes, root: str | None) -> None:
    write_atomic(path, data, root=root, durable=False, private=True)
