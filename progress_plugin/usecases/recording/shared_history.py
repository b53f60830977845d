"""The history through git: give our entries files that git carries, and take in the entries of others."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.data_directory import data_directory_of, root_of
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import write_atomic
from progress_plugin.core.paths import make_state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import (
    history,
    known_erasures,
    shared_entries,
    shared_ids,
    shared_state,
    writer_identity,
)
from progress_plugin.log.entry import KEPT_HERE, WRITER
from progress_plugin.log.foreign_entry import LARGEST
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile
from progress_plugin.log.shared_ids import unshared_ids
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import prepare, take_turn
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.entries_of_others import Arrivals, put_into_log

MAX_FILES_AT_ONCE = 5000  # that one look takes in; the next one goes on
MAX_BYTES_AT_ONCE = 32 << 20
GIT_TIMEOUT_S = 30.0
MAX_GIT_BYTES = 64 << 20


class _Arrived(NamedTuple):
    """What others have brought since the last look, and the folders of `shared/` as they were read."""

    arrivals: Arrivals
    folders: InputSnapshot


def take_in(project: Project, timeout: float) -> int:
    """Add to our log what is new in `shared/`, and return how many entries that were.

    What cannot be taken in now is looked at again by the next call; the reason is noted for `doctor`.
    `timeout` is for the project's lock, in seconds.
    """
    try:
        if not data_directory.has_shared(project.directory) or not is_shared(project):
            return 0
        if shared_state.is_current(project.directory):
            return 0
        prepare(project)
        return take_turn(
            project, timeout, lambda: _read_arrivals(project), lambda found, _: _add(project, found)
        )
    except (AgentProgressError, OSError) as error:
        error_log.note("shared", error)
        return 0


def is_shared(project: Project) -> bool:
    """Return whether this project's history goes through git."""
    return project.has_directory and read_settings(project).stored.share


def announce(directory: str, entries: Iterable[dict[str, Any]]) -> None:
    """Note entries that are about to be in the log and have no file yet. The caller holds the lock.

    Raises AgentProgressError if the disk refuses.
    """
    ids = [*unshared_ids(directory), *(entry["id"] for entry in entries)]
    make_state_directory(root_of(directory))
    write_atomic(shared_ids.path_of(directory), json.dumps(ids).encode(), durable=False)


def publish(project: Project, items: Sequence[Any]) -> list[str]:
    """Give each announced entry of the log its file, and return notes. The caller holds the lock.

    The entries are on the disk, so nothing here may look like a failure of theirs: the next write makes up
    for what cannot be done.
    """
    directory = project.log_directory
    waiting = set(unshared_ids(directory))
    entries = [item for item in items if isinstance(item, dict) and item.get("id") in waiting]
    try:
        notes = put_files(project, entries)
        os.unlink(shared_ids.path_of(directory))
    except (AgentProgressError, OSError) as error:
        number = counted(len(waiting), "entry")
        return [f"could not share {number} through git, the next write tries again: {error}"]
    return notes


def publish_missing(project: Project) -> list[str]:
    """Give a file to each entry of ours that has none here and none in any commit, and return notes.

    A file that a commit of another branch holds must not be made again: git refuses to merge or check out
    over a file that it does not know. The caller holds the lock. Raises as writing does.
    """
    entries = unpublished(project)
    notes = put_files(project, entries)
    shared = [f"{counted(len(entries), 'entry')} of ours shared in {SHARED_FOLDER}/"] if entries else []
    return [*shared, *notes]


def unpublished(project: Project) -> list[dict[str, Any]]:
    """Return the entries of ours that no file in any worktree and no commit holds; every month is opened.

    There are none if git does not answer, because then it is not known.
    """
    committed = _committed_files(project)
    if committed is None:
        return []
    files = (file for directory in directories(project) for file in shared_entries.files(directory))
    named = committed | {(file.month, file.name) for file in files}
    found = []
    for entry in history.everything(project.log_directory):
        if not _is_to_share(entry) or shared_entries.name_as_stored(entry) in named:
            continue  # nearly all: looked at without redacting them
        shared = shared_entries.file_of(entry)
        if shared is not None and shared[:2] not in named:
            found.append(entry)
    return found


def directories(project: Project) -> list[str]:
    """Return our directories, here and in all worktrees, that have files that git carries."""
    places = map(data_directory_of, sorted(project.roots() | {project.root}))
    return [place for place in places if data_directory.has_shared(place)]


def put_files(project: Project, entries: Iterable[dict[str, Any]], directory: str | None = None) -> list[str]:
    """Give those of these entries their files that are ours to share, and return notes.

    The entry itself decides: a list of ids beside the log can have come with a commit. `directory` is ours in
    another worktree if the files are to be there. The caller holds the lock. Raises as writing does.
    """
    entries = [entry for entry in entries if _is_to_share(entry)]
    if not entries:
        return []
    writer = writer_identity.writer_of(project.log_directory)
    if directory is None or directory == project.directory:
        left = _put_here(project, writer, entries)
    else:
        left = shared_entries.put(directory, writer, entries)
    return [f"not shared, too large or without a time or an id that fits: {some_of(left)}"] if left else []


def _put_here(project: Project, writer: str, entries: list[dict[str, Any]]) -> list[str]:
    """Make the files of entries and return the ids of those without one.

    A folder that held nothing new of others before is noted as known, so that no start looks at it for this.
    """
    directory = project.directory
    months = {shared_entries.month_of(entry) for entry in entries} - {shared_entries.UNDATED}
    parts = [(), (writer,), *((writer, month) for month in sorted(months))]
    paths = [shared_state.path_of(directory, *part) for part in parts]
    known = shared_state.load(directory)
    seen = [
        path
        for path in paths
        if (path in known.files and known.is_unchanged(path)) or not os.path.isdir(project.path(path))
    ]
    left = shared_entries.put(directory, writer, entries)
    if known.files or paths[0] in seen:
        for path in seen:
            known.note(path)
        shared_state.save(directory, known)
    return left


def _is_to_share(entry: dict[str, Any]) -> bool:
    return WRITER not in entry and KEPT_HERE not in entry


def _committed_files(project: Project) -> set[tuple[str, str]] | None:
    """Return month and name of each entry's file in any commit of this clone; None if git does not answer."""
    if project.repository is None or not os.path.isdir(project.directory):
        return set()
    words = ["log", "--all", "--full-history", "-m", "--format=", "--name-only", "-z", "--no-renames"]
    words += ["--diff-filter=A", "--", SHARED_FOLDER]
    output = project.repository.run(words, project.directory, timeout=GIT_TIMEOUT_S, max_bytes=MAX_GIT_BYTES)
    if output is None:
        return None
    paths = (path.split("/") for path in output.decode("utf-8", "replace").split("\0"))
    return {(path[-2], path[-1]) for path in paths if path[-4:-3] == [SHARED_FOLDER]}


def _read_arrivals(project: Project) -> _Arrived:
    """Read what is new; no lock is held meanwhile."""
    directory = project.directory
    folders = InputSnapshot(project.root)
    arrivals = Arrivals(project)
    before = shared_state.load(directory) if arrivals.is_begun else folders
    reader = _BoundedReader(directory, arrivals)
    for writer in shared_entries.writers(folders.list_folder(shared_state.path_of(directory))):
        for month in shared_entries.months(folders.list_folder(shared_state.path_of(directory, writer))):
            path = shared_state.path_of(directory, writer, month)
            if path in before.files and before.is_unchanged(path):
                folders.adopt(path, before)
            elif not reader.take(writer, month, folders.list_folder(path)):
                folders.mark_changed(path)
    arrivals.settle()
    return _Arrived(arrivals, folders)


class _BoundedReader:
    """Reads new entries until one look has read enough."""

    def __init__(self, directory: str, arrivals: Arrivals) -> None:
        self._directory = directory
        self._arrivals = arrivals
        self._files = self._bytes = 0

    def take(self, writer: str, month: str, names: Iterable[str]) -> bool:
        """Read the new entries of a month; return False if there are more than one look takes in."""
        for name in names:
            entry_id = shared_entries.id_in(name)
            if entry_id is None or self._arrivals.is_known(entry_id, month, writer):
                continue
            if self._files >= MAX_FILES_AT_ONCE or self._bytes >= MAX_BYTES_AT_ONCE:
                return False
            file = SharedFile(writer, month, name)
            self._files += 1
            self._bytes += self._size(file)
            entry = shared_entries.read(self._directory, file)
            if not isinstance(entry, str):  # `verify` names what is no entry
                self._arrivals.add(entry, writer)
        return True

    def _size(self, file: SharedFile) -> int:
        """Return how many bytes of a file are read: none of one that is too large to be an entry."""
        try:
            size = os.lstat(os.path.join(self._directory, file.path)).st_size
        except OSError:
            return 0
        return size if size <= LARGEST else 0


def _add(project: Project, found: _Arrived) -> int:
    """Put what arrived into the log, and note what was looked at. The caller holds the lock."""
    number = put_into_log(project, found.arrivals)
    known_erasures.remember(project.log_directory, shared=project.directory)
    shared_state.save(project.directory, found.folders)
    return number
