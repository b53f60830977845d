"""Every file we keep here that can hold what was in a log: whoever erases has to look at all of them.

The memory database is in `usecases.correcting.erasable_observations`, what git carries (`shared/`), in
`usecases.correcting.shared_erasure`.
"""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.changed_documents import BASELINE_FILE
from progress_plugin.core.data_directory import SUMMARY_FILE, root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.file_note_index import INDEX_FILE
from progress_plugin.core.files import (
    TEMPORARY_PREFIX,
    LeadsOutside,
    leads_outside,
    list_inside,
    read_inside,
    read_range,
    walk_inside,
    write_atomic,
)
from progress_plugin.core.paths import state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import sessions_of
from progress_plugin.core.start_cache import CACHE_FILE
from progress_plugin.log import archive_index, outside_copies, pending_events, store, team_state
from progress_plugin.log.document import parse
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.transcripts.clients.copilot_todos import DATABASE as TODOS
from progress_plugin.transcripts.session_store import SESSIONS_FILE, WORKTREES_FOLDER, SessionStore
from progress_plugin.usecases.summary_files import SUMMARIES_FOLDER

REPORT = "report.html"
"""What `report` writes; not made anew, since somebody asked for it once."""
_USERS = ("config.toml", "templates")
"""What people write in our directory; it is theirs, so it is named and not changed."""
_OF_ENTRIES = ("archive", "recovery")
_EVENTS = "events.jsonl"
"""Copilot's transcript, beside which it keeps the tasks."""
_PIECE, _OVERLAP = 8 * 1024 * 1024, 64 * 1024
"""Bytes looked at together, and those of them that are looked at again with what follows."""


class KeptFile(NamedTuple):
    """A file of ours; it lies below `root`, and no link that leads out of that is followed to it."""

    path: str
    root: str | None
    """One of our directories; None for a file in the user's own, where links are the user's."""

    def read(self) -> bytes | None:
        """Return its content; None where there is none that could be ours."""
        try:
            return read_inside(self.root, self.path)
        except (BadInput, LeadsOutside):
            return None

    def replace(self, data: bytes) -> None:
        """Write it anew. Raises what `write_atomic` raises."""
        write_atomic(self.path, data, root=self.root)

    def leads_away(self) -> bool:
        """Return whether a link, in its place or on the way to it from our directory, leads out of that."""
        return self.root is not None and leads_outside(self.root, self.path)


def directories(project: Project) -> list[str]:
    """Return our directories that belong to this log: its own, and those of worktrees that it names.

    What a repository says of its worktrees may be out of date, or forged. So only those count that an entry
    names, and that both sides know (`Repository.worktrees`): elsewhere another project may be.
    """
    found = [project.log_directory, project.directory]
    if project.repository is not None:
        inside = os.path.relpath(project.directory, project.repository.top)
        named = _worktrees_named(project)
        tops = project.repository.worktrees().items()
        found += [os.path.normpath(os.path.join(top, inside)) for name, top in tops if name in named]
    return [path for path in dict.fromkeys(found) if _is_there(path)]


def roots(project: Project) -> list[str]:
    """Return the roots of which caches outside may know what is in this log: that of every worktree.

    Those are ours whatever is in the worktree, and made again.
    """
    found = [project.root, *map(data_directory.root_of, directories(project))]
    if project.repository is not None:
        inside = os.path.relpath(project.root, project.repository.top)
        tops = project.repository.worktrees().values()
        found += [os.path.normpath(os.path.join(top, inside)) for top in tops]
    return list(dict.fromkeys(found))


def other_worktrees(project: Project) -> list[str]:
    """Return our directories in worktrees that no entry names; they are not touched."""
    if project.repository is None:
        return []
    inside = os.path.relpath(project.directory, project.repository.top)
    tops = project.repository.worktrees().values()
    places = [os.path.normpath(os.path.join(top, inside)) for top in tops]
    return [path for path in places if path not in directories(project) and _is_there(path)]


def log_of(project: Project) -> KeptFile:
    """Return the log."""
    return _in(project.log_directory, store.LOG_FILE)


def entries_of(project: Project) -> list[KeptFile]:
    """Return every file that holds entries: the log, the months, and all copies of either."""
    directory = project.log_directory
    folders = (("", ".json.corrupt-"), *((folder, ".json") for folder in _OF_ENTRIES))
    inside = [
        _in(directory, os.path.join(folder, name))
        for folder, mark in folders
        for name in _names(directory, folder)
        if mark in name and not name.startswith(TEMPORARY_PREFIX)
    ]
    index = os.path.join(archive_index.ARCHIVE_FOLDER, archive_index.INDEX_FILE)
    inside = [kept for kept in inside if kept.path != os.path.join(directory, index)]
    away = [path for folder in outside_copies.folders(directory) for path in outside_copies.files(folder)]
    return [log_of(project), *inside, *(KeptFile(path, None) for path in away)]


def copies_elsewhere(project: Project) -> list[KeptFile]:
    """Return the copies that are kept for other paths, whosever those are."""
    folders = outside_copies.of_other_paths(project.log_directory)
    return [KeptFile(path, None) for folder in folders for path in outside_copies.files(folder)]


def notes_of(project: Project) -> list[KeptFile]:
    """Return the files that hold texts of the log for another purpose, and cannot be made anew."""
    found = [kept for root in roots(project) for kept in private_notes(root)]
    return [*found, KeptFile(error_log.place(), None), KeptFile(f"{error_log.place()}.old", None)]


def private_notes(root: str) -> list[KeptFile]:
    """Return those of them in the private state of the project at `root`."""
    spool = state_file(root, pending_events.FOLDER)
    copies = state_file(root, WORKTREES_FOLDER)
    paths = [state_file(root, name) for name in (BASELINE_FILE, SESSIONS_FILE)]
    paths += [os.path.join(spool, name) for name in list_inside(None, spool) if pending_events.is_event(name)]
    paths += [os.path.join(copies, name) for name in list_inside(None, copies) if name.endswith(".jsonl")]
    return [KeptFile(path, None) for path in paths]


def private_caches(root: str) -> list[str]:
    """Return the files in the private state of the project at `root` that are made from the log."""
    names = (CACHE_FILE, INDEX_FILE, team_state.CLAIMS)
    return [*(state_file(root, name) for name in names), *(path for path, _ in sessions_of(root))]


def transcripts(project: Project) -> list[str]:
    """Return the clients' transcripts that records were made of, and what a client writes beside them."""
    paths = {path for record in SessionStore(project).records() for path in record.reading}
    paths |= {
        os.path.join(os.path.dirname(path), TODOS) for path in paths if os.path.basename(path) == _EVENTS
    }
    return sorted(paths | {f"{path}-wal" for path in paths if path.endswith(".db")})


def pieces(path: str) -> Iterator[bytes]:
    """Yield a file of a client's, however large, in pieces that overlap; nothing where it cannot be read."""
    at = 0
    while piece := read_range(None, path, at, _PIECE + _OVERLAP):
        yield piece
        at += _PIECE


def made_of(project: Project) -> list[str]:
    """Return what is made from the log, shortened and reworded, so that no search would find all of it.

    These are removed; of a link it is the link that goes.
    """
    found: list[str] = []
    for directory in directories(project):
        names = [SUMMARY_FILE, store.READABLE, REPORT]
        names += [os.path.relpath(path, directory) for path in archive_index.files(directory)]
        names += [f"{SUMMARIES_FOLDER}/{name}" for name in _names(directory, SUMMARIES_FOLDER)]
        names += [name for name, _ in walk_inside(root_of(directory), directory) if _is_temporary(name)]
        found += [
            kept.path for name in names if not (kept := _in(directory, name)).leads_away() or _is_link(kept)
        ]
    found += [path for root in roots(project) for path in private_caches(root)]
    for folder in outside_copies.folders(project.log_directory):
        temporary = [name for name, _ in walk_inside(None, folder) if _is_temporary(name)]
        found += [os.path.join(folder, name) for name in temporary]
    return [path for path in dict.fromkeys(found) if os.path.lexists(path)]


def everything(project: Project) -> list[KeptFile]:
    """Return every file of our directories and of the copies outside, but for what people write."""
    inside = [_in(place, name) for place in directories(project) for name in _all(root_of(place), place)]
    states = [state for root in roots(project) if (state := state_directory(root))]
    inside += [KeptFile(os.path.join(state, name), None) for state in states for name in _all(None, state)]
    copies = outside_copies.folders(project.log_directory)
    outside = [os.path.join(folder, name) for folder in copies for name in _all(None, folder)]
    return inside + [KeptFile(path, None) for path in outside]


def elsewhere(project: Project) -> list[KeptFile]:
    """Return every file of our directories in worktrees that no entry names."""
    return [_in(place, name) for place in other_worktrees(project) for name in _all(root_of(place), place)]


def links(project: Project) -> list[str]:
    """Return the links in our directories that lead out of them; their targets are not looked at."""
    found = []
    for place in directories(project):
        for name, is_link in walk_inside(root_of(place), place):
            if is_link and name.split(os.sep)[0] not in _USERS and _in(place, name).leads_away():
                found.append(os.path.join(place, name))
    return found


def contents(kept: Iterable[KeptFile]) -> Iterator[tuple[KeptFile, bytes]]:
    """Yield each file that can be read, with its content."""
    for each in kept:
        data = each.read()
        if data is not None:
            yield each, data


def _worktrees_named(project: Project) -> set[str]:
    found = set()
    for _, data in contents(entries_of(project)):
        found |= {
            text_of(item, "worktree")
            for item in parse(data).items
            if isinstance(item, dict) and writer_of(item) is None
        }
    return {name for name in found if name}


def _in(directory: str, name: str) -> KeptFile:
    return KeptFile(os.path.join(directory, name), directory)


def _is_there(directory: str) -> bool:
    return os.path.isdir(directory) and not leads_outside(data_directory.root_of(directory), directory)


def _is_temporary(name: str) -> bool:
    return os.path.basename(name).startswith(TEMPORARY_PREFIX)


def _is_link(kept: KeptFile) -> bool:
    """Return whether it is itself the link, in a folder of ours: that can be removed."""
    return os.path.islink(kept.path) and not KeptFile(os.path.dirname(kept.path), kept.root).leads_away()


def _names(directory: str, folder: str) -> list[str]:
    try:
        return list_inside(root_of(directory), os.path.join(directory, folder))
    except LeadsOutside:
        return []


def _all(root: str | None, place: str) -> list[str]:
    names = [name for name, _ in walk_inside(root, place)]
    return sorted(name for name in names if name.split(os.sep)[0] not in (*_USERS, SHARED_FOLDER))
