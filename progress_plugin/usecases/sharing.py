"""Entries that travel: those of others are put into our log, and ours get files that git carries.

Entries of other clones are not news of this one: they are no evidence, and begin no session.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.data_directory import data_directory_of
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import archive, clone_identity, history, known_erasures, shared_entries, store
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import KEPT_HERE, WRITER, in_order, place_in_session
from progress_plugin.log.shared_entries import SHARED_FOLDER, UNDATED, SharedFile, month_of
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import Moved, keeps_output, lock_of, prepare, take_turn
from progress_plugin.usecases.reading import LogReading, read_log, read_settings

GIT_TIMEOUT_S = 30.0
MAX_GIT_BYTES = 64 << 20
_DATED_ID = re.compile(r"entry-(\d{4})(\d{2})\d{2}-")


class Arrivals:
    """New entries of others, gathered without the lock, and the state of the log at that time."""

    def __init__(self, project: Project) -> None:
        directory = project.log_directory
        self.state = history.state_of(directory)
        log = store.load(directory)
        log.refuse_if_read_only()
        self.has_log = log.raw is not None
        self.entries: list[dict[str, Any]] = []
        self.reading: LogReading | None = None  # None if nothing is to be written into the log
        self._project = project
        self._live = {entry.get("id") for entry in log.entries}
        self._archived: dict[str, set[object]] = {}  # ids by month, of the months that were asked for
        self._erased = known_erasures.read(directory, project.directory)  # a worktree has its own `shared/`
        self._own = clone_identity.known_writer(directory)

    def is_known(self, name: str, month: str, writer: str) -> bool:
        """Return whether a writer's entry is in the log, in the archive, or known as erased."""
        if name in self._live or self._erased.has(name, writer):
            return True
        # An earlier version filed an entry under the month of what was added to it last.
        months = archive.month_names(self._project.log_directory)
        first = "" if UNDATED in (month, _month_in(name)) else min(month, _month_in(name))
        return any(name in self._ids_of(each) for each in months if each >= first)

    def add(self, entry: dict[str, Any], writer: str) -> None:
        """Take an entry of `shared_entries.entry_of` as new, unless it is known.

        The carrier names the writer; an entry of this clone itself comes back as our own.
        """
        if not self.is_known(entry["id"], month_of(entry), writer):
            self._live.add(entry["id"])
            self.entries.append(entry if writer == self._own else {**entry, WRITER: writer})

    def settle(self) -> None:
        """Order the entries, and read what is needed to write them. The caller holds no lock."""
        self.entries.sort(key=place_in_session)
        self.reading = read_log(self._project) if self.entries else None

    def _ids_of(self, month: str) -> set[object]:
        if month not in self._archived:
            entries = archive.read_month(self._project.log_directory, month).entries
            self._archived[month] = {entry.get("id") for entry in entries}
        return self._archived[month]


def put_into_log(project: Project, found: Arrivals) -> int:
    """Put what arrived into the log, each entry at its time, and return how many there are.

    The caller holds the lock. Raises Moved if the log has changed meanwhile, and as `store.save`.
    """
    directory = project.log_directory
    if history.state_of(directory) != found.state:
        raise Moved("the log has changed while others' entries were read; the next start looks again")
    if found.reading is not None:
        log = store.load(directory)
        log.items = in_order(log.items, found.entries)
        store.save(
            directory,
            log,
            now=datetime.now(UTC),
            project_name=found.reading.name,
            limits=limits_of(found.reading.settings),
        )
    return len(found.entries)


def _month_in(name: str) -> str:
    """Return the month in an id of ours; for any other id the name of all months."""
    found = _DATED_ID.match(name)
    return f"{found[1]}-{found[2]}" if found else UNDATED


def is_shared(project: Project) -> bool:
    """Return whether this project's history goes through git."""
    return project.has_directory and read_settings(project).stored.share


def take_in_latest(project: Project, timeout: float = DEFAULT_TIMEOUT_S) -> None:
    """Add to our log what is new in `shared/`, unless nothing may be written.

    Every command that shows something of the history calls this first. `timeout` is the lock's, in seconds.
    """
    if keeps_output(project):
        take_in_arrivals(project, timeout)


def take_in_arrivals(project: Project, timeout: float) -> int:
    """Add to our log what is new in `shared/`, and return how many entries that were.

    What cannot be taken in now is looked at again by the next call; the reason is noted for `doctor`.
    """
    try:
        if not data_directory.has_shared(project.directory) or not is_shared(project):
            return 0
        has_log = os.path.lexists(os.path.join(project.log_directory, store.LOG_FILE))
        if has_log and shared_entries.is_current(project.directory):
            return 0
        prepare(project)
        return take_turn(
            project, timeout, lambda: _read_arrivals(project), lambda found, _: _add(project, *found)
        )
    except (AgentProgressError, OSError) as error:
        error_log.note("shared", error)
        return 0


def _read_arrivals(project: Project) -> tuple[Arrivals, InputSnapshot]:
    """Read what is new, and return it with the folders of `shared/` as they were read; no lock is held."""
    directory = project.directory
    folders = InputSnapshot(project.root)
    arrivals = Arrivals(project)
    before = shared_entries.load_folders(directory) if arrivals.has_log else folders
    path_of = partial(shared_entries.path_in_project, directory)
    for writer in shared_entries.writers(folders.list_folder(path_of())):
        for month in shared_entries.months(folders.list_folder(path_of(writer))):
            path = path_of(writer, month)
            if path in before.files and before.is_unchanged(path):
                folders.adopt(path, before)
                continue
            for name in folders.list_folder(path):
                entry_id = shared_entries.id_in(name)
                if entry_id is None or arrivals.is_known(entry_id, month, writer):
                    continue
                entry = shared_entries.read(directory, SharedFile(writer, month, name))
                if not isinstance(entry, str):  # `verify` names what is not a valid entry
                    arrivals.add(entry, writer)
    arrivals.settle()
    return arrivals, folders


def _add(project: Project, arrivals: Arrivals, folders: InputSnapshot) -> int:
    """Put what arrived into the log, and note what was looked at. The caller holds the lock."""
    number = put_into_log(project, arrivals)
    known_erasures.remember(project.log_directory, shared=project.directory)
    shared_entries.save_folders(project.directory, folders)
    return number


def publish(project: Project, entries: Iterable[dict[str, Any]]) -> list[str]:
    """Give entries that were just logged their files, and return notes. The caller holds the lock.

    The entries are on the disk, so nothing here is a failure of theirs: `repair` makes up for it.
    """
    try:
        return put_files(project, entries)
    except (AgentProgressError, OSError) as error:
        return [f"not shared through git, `agent-progress repair` tries again: {error}"]


def publish_missing(project: Project) -> list[str]:
    """Give a file to each entry of ours that has none here and none in any commit, and return notes.

    A file that a commit of another branch holds must not be made again: git refuses to merge or check out
    over a file that it does not know. The caller holds the lock. Raises as writing does.
    """
    entries = find_unpublished(project)
    notes = put_files(project, entries)
    shared = [f"{counted(len(entries), 'entry')} of ours shared in {SHARED_FOLDER}/"] if entries else []
    return [*shared, *notes]


def find_unpublished(project: Project) -> list[dict[str, Any]]:
    """Return the entries of ours that no file in any worktree and no commit holds; every month is opened.

    There are none if git does not answer, because then it is not known; the error log names that.
    """
    committed = _committed_files(project)
    if committed is None:
        return []
    files = (file for place in shared_directories(project) for file in shared_entries.files(place))
    named = committed | {(file.month, file.name) for file in files}
    found = []
    for entry in history.everything(project.log_directory):
        if not _is_to_share(entry) or shared_entries.name_as_stored(entry) in named:
            continue  # nearly all: looked at without redacting them
        shared = shared_entries.file_of(entry)
        if shared is not None and shared[:2] not in named:
            found.append(entry)
    return found


def shared_directories(project: Project) -> list[str]:
    """Return our directories, here and in all worktrees, that have files which git carries."""
    places = map(data_directory_of, sorted(project.roots() | {project.root}))
    return [place for place in places if data_directory.has_shared(place)]


def put_files(project: Project, entries: Iterable[dict[str, Any]], directory: str | None = None) -> list[str]:
    """Give those of these entries their files that are ours to share, and return notes.

    `directory` is ours in another worktree if the files are to be there. The caller holds the lock. Raises as
    writing does.
    """
    entries = [entry for entry in entries if _is_to_share(entry)]
    if not entries:
        return []
    writer = clone_identity.writer_of(project.log_directory)
    place = directory or project.directory
    known = shared_entries.load_folders(place)
    was_current = shared_entries.is_current(place) or not data_directory.has_shared(place)
    left = shared_entries.put(place, writer, entries)
    if was_current and place == project.directory:  # no start needs to look at what we have put there
        months = {shared_entries.month_of(entry) for entry in entries} - {UNDATED}
        for parts in ((), (writer,), *((writer, month) for month in months)):
            known.note(shared_entries.path_in_project(place, *parts))
        shared_entries.save_folders(place, known)
    return [f"not shared, too large or without a time or an id that fits: {some_of(left)}"] if left else []


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
        error_log.note("shared", AgentProgressError("git does not answer which entries are in a commit"))
        return None
    paths = (path.split("/") for path in output.decode("utf-8", "replace").split("\0"))
    return {(path[-2], path[-1]) for path in paths if path[-4:-3] == [SHARED_FOLDER]}


def share_from_now(project: Project) -> list[str]:
    """Take in what others have shared, give every entry of ours its file, and return what is left to do.

    Git is asked what it tracks and ignores; nothing of the repository is written. Raises Busy if another
    process holds the lock, AgentProgressError if the disk refuses.
    """
    prepare(project)
    take_in_arrivals(project, DEFAULT_TIMEOUT_S)
    with lock_of(project, DEFAULT_TIMEOUT_S):
        notes = publish_missing(project)
    if project.repository is None:
        return notes
    place = _path_from_top(project)
    notes.append(f"commit {place}/config.toml and {place}/{SHARED_FOLDER}/ with your work: `git add {place}`")
    tracked = [name for name in tracked_files(project) if not data_directory.may_be_tracked(name, share=True)]
    if tracked:
        notes.append(
            f"git still tracks {place}/{tracked[0]}, where two branches conflict; take it out once: "
            f"{still_tracked_remedy(project, tracked)}"
        )
    if _is_ignored(project):
        notes.append(
            f"a .gitignore of the repository, or your own, leaves {place}/{SHARED_FOLDER}/ out: "
            f"`git check-ignore -v {place}/{SHARED_FOLDER}` names the line to change"
        )
    return notes


def still_tracked_remedy(project: Project, tracked: Sequence[str]) -> str:
    """Return the command that takes files of ours out of git, and leaves them on the disk here."""
    place = _path_from_top(project)
    names = sorted({name.partition("/")[0] for name in tracked})
    words = " ".join(f"{place}/{name}" for name in names)
    return (
        f"`git rm -r -q --cached {words}`, then commit; the files stay here, and the next start of other "
        "clones brings theirs back after they pull"
    )


def tracked_files(project: Project) -> list[str]:
    """Return what git tracks of our directory; nothing without git."""
    return _list_files(project, ["--", "."])


def _is_ignored(project: Project) -> bool:
    """Return whether a rule keeps git from seeing the files of entries."""
    ignored = _list_files(project, ["--others", "--ignored", "--exclude-standard", "--", SHARED_FOLDER])
    return any(shared_entries.id_in(os.path.basename(name)) for name in ignored)


def _list_files(project: Project, words: list[str]) -> list[str]:
    if project.repository is None or not os.path.isdir(project.directory):
        return []
    output = project.repository.run(["ls-files", "-z", *words], project.directory) or b""
    return [name for name in output.decode("utf-8", "replace").split("\0") if name]


def _path_from_top(project: Project) -> str:
    top = project.repository.top if project.repository else project.root
    return os.path.relpath(project.directory, top).replace(os.sep, "/")
