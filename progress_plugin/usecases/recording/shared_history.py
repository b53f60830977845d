"""The history through git: our entries put where git finds them, those of others taken in.

Whether there is anything to take in is looked at before, in `usecases.recording.shared_arrivals`.
"""

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.data_directory import DATA_DIRECTORY, root_of
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

_MOST_AT_ONCE = 5000
_MOST_BYTES = 32 * 1024 * 1024
"""Files, and bytes of them, that one look takes in; the next one goes on."""
_PATIENCE_OF_GIT = 30.0
"""Seconds."""
_MOST_OF_GIT = 64 * 1024 * 1024


class _Arrived(NamedTuple):
    """What others have brought since the last look."""

    arrivals: Arrivals
    folders: InputSnapshot
    """The folders of `shared/` as they were read."""


def take_in(project: Project, timeout: float) -> int:
    """Add to our log what is new in `shared/`, and return how many entries that were.

    Nothing of it is news of ours: it is neither recorded as done here, nor evidence, nor does it begin a
    session. Where it cannot be taken in now, the next call looks again; why is noted for `doctor`. `timeout`
    is the lock's, in seconds.
    """
    try:
        if not data_directory.has_shared(project.directory) or not is_shared(project):
            return 0
        if shared_state.is_current(project.directory):
            return 0
        prepare(project)
        return take_turn(project, timeout, lambda: _arrived(project), lambda found, _: _added(project, found))
    except (AgentProgressError, OSError) as error:
        error_log.note("shared", error)
        return 0


def is_shared(project: Project) -> bool:
    """Return whether this project's history goes through git."""
    return project.has_directory and read_settings(project).stored.share


def announce(directory: str, entries: Iterable[dict[str, Any]]) -> None:
    """Note the entries that are about to be in the log and have no file yet. Caller holds the lock.

    Raises AgentProgressError where the disk refuses.
    """
    ids = [*unshared_ids(directory), *(entry["id"] for entry in entries)]
    data = json.dumps(ids).encode()
    make_state_directory(root_of(directory))
    write_atomic(shared_ids.path_of(directory), data, durable=False)


def publish(project: Project, items: Sequence[Any]) -> list[str]:
    """Give each announced entry of the log its file, and return notes. Caller holds the lock.

    The entries are on the disk, so nothing here may look like a failure of theirs: what could not be done is
    made up for by the next write.
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
    """Give each entry of ours its file that has none here and none in any commit, and return notes.

    One that a commit of another branch holds must not be made again: git refuses to merge or to check out
    what would replace a file that it does not know. Caller holds the lock. Raises as writing does.
    """
    entries = unpublished(project)
    notes = put_files(project, entries)
    return [
        *([f"{counted(len(entries), 'entry')} of ours shared in {SHARED_FOLDER}/"] if entries else []),
        *notes,
    ]


def unpublished(project: Project) -> list[dict[str, Any]]:
    """Return the entries of ours that no file in any worktree and no commit holds; every month is opened.

    Where git does not answer nobody knows, and there are none.
    """
    committed = _committed(project)
    if committed is None:
        return []
    named = committed | {(file.month, file.name) for directory in directories(project)
                         for file in shared_entries.files(directory)}  # fmt: skip
    found = []
    for entry in history.everything(project.log_directory):
        if not _is_to_share(entry) or shared_entries.name_as_stored(entry) in named:
            continue  # nearly all: looked at without redacting them
        file = shared_entries.file_of(entry)
        if file is not None and file[:2] not in named:
            found.append(entry)
    return found


def directories(project: Project) -> list[str]:
    """Return our directories, here and in all worktrees, where there are files that git carries."""
    roots = sorted(project.roots() | {project.root})
    places = [os.path.join(root, DATA_DIRECTORY) for root in roots]
    return [each for each in places if data_directory.has_shared(each)]


def put_files(project: Project, entries: Iterable[dict[str, Any]], directory: str | None = None) -> list[str]:
    """Give those of these entries their files that are ours to share, and return notes.

    What an entry says itself decides, whatever names it: a list of ids beside the log can have come with a
    commit. `directory` is ours in another worktree, if it is to be there; a look there finds them known.
    Caller holds the lock. Raises as writing does.
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
    """Make the files of entries, note that we know them, and return the ids of those that have none."""
    directory = project.directory
    parts = {
        part
        for entry in entries
        for part in _way(writer, shared_entries.month_of(entry))
        if shared_entries.UNDATED not in part
    }
    ours = {shared_state.path_of(directory, *part) for part in parts}
    known = shared_state.load(directory)
    changed = set(known.changes())  # they hold something of others: that is for `take_in`
    is_new = {path for path in ours if not os.path.isdir(os.path.join(project.root, path))}
    left = shared_entries.put(directory, writer, entries)
    if known.files or shared_state.path_of(directory) in is_new:
        for path in sorted((ours & known.files.keys() | is_new) - changed):
            known.note(path)
        shared_state.save(directory, known)
    return left


def _is_to_share(entry: dict[str, Any]) -> bool:
    return WRITER not in entry and KEPT_HERE not in entry


def _way(writer: str, month: str) -> tuple[tuple[str, ...], ...]:
    return (), (writer,), (writer, month)


def _committed(project: Project) -> set[tuple[str, str]] | None:
    """Return month and name of every entry's file that any commit of this clone has brought.

    None where git does not answer.
    """
    if project.repository is None or not os.path.isdir(project.directory):
        return set()
    words = ["log", "--all", "--full-history", "-m", "--format=", "--name-only", "-z", "--no-renames"]
    words += ["--diff-filter=A", "--", SHARED_FOLDER]
    told = project.repository.run(words, project.directory, timeout=_PATIENCE_OF_GIT, max_bytes=_MOST_OF_GIT)
    if told is None:
        return None
    paths = (path.split("/") for path in told.decode("utf-8", "replace").split("\0"))
    return {(path[-2], path[-1]) for path in paths if path[-4:-3] == [SHARED_FOLDER]}


def _arrived(project: Project) -> _Arrived:
    """Read what is new; no lock is held meanwhile."""
    directory = project.directory
    folders = InputSnapshot(project.root)
    arrivals = Arrivals(project)
    before = shared_state.load(directory) if arrivals.is_begun else folders
    reading = _Reading(directory, arrivals)
    for writer in shared_entries.writers(folders.list_folder(shared_state.path_of(directory))):
        for month in shared_entries.months(folders.list_folder(shared_state.path_of(directory, writer))):
            path = shared_state.path_of(directory, writer, month)
            if path in before.files and before.is_unchanged(path):
                folders.adopt(path, before)
            elif not reading.take(writer, month, folders.list_folder(path)):
                folders.mark_changed(path)
    arrivals.settle()
    return _Arrived(arrivals, folders)


class _Reading:
    """One look at what is new, within its bounds."""

    def __init__(self, directory: str, arrivals: Arrivals) -> None:
        self._directory = directory
        self._arrivals = arrivals
        self._files = self._bytes = 0

    def take(self, writer: str, month: str, names: Iterable[str]) -> bool:
        """Read the new entries of a month; False where there are more than one look takes in."""
        for name in names:
            id_ = shared_entries.id_in(name)
            if id_ is None or self._arrivals.is_known(id_, month, writer):
                continue
            if self._files >= _MOST_AT_ONCE or self._bytes >= _MOST_BYTES:
                return False
            file = SharedFile(writer, month, name)
            self._files += 1
            self._bytes += self._size(file)
            entry = shared_entries.read(self._directory, file)
            if not isinstance(entry, str):  # else `verify` names it
                self._arrivals.add(entry, writer)
        return True

    def _size(self, file: SharedFile) -> int:
        """Return how many bytes are read of a file: none of one that is too large to be an entry."""
        try:
            size = os.lstat(os.path.join(self._directory, file.path)).st_size
        except OSError:
            return 0
        return size if size <= LARGEST else 0


def _added(project: Project, found: _Arrived) -> int:
    """Put what arrived into the log, and note what was looked at. Caller holds the lock."""
    number = put_into_log(project, found.arrivals)
    known_erasures.remember(project.log_directory, shared=project.directory)
    shared_state.save(project.directory, found.folders)
    return number
