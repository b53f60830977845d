"""Our files that can hold what was in a log: those that are rewritten, and those that are made from them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from progress_plugin.core import error_log
from progress_plugin.core.data_directory import SUMMARY_FILE, data_directory_of, root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.file_note_index import INDEX_FILE as FILE_NOTES
from progress_plugin.core.files import (
    TEMPORARY_PREFIX,
    LeadsOutside,
    leads_outside,
    read_inside,
    walk_inside,
    write_atomic,
)
from progress_plugin.core.paths import state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import sessions_of
from progress_plugin.core.start_cache import CACHE_FILE
from progress_plugin.log import archive_index, backup, store, team_state
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.usecases.summary_files import SUMMARIES_FOLDER

REPORT = "report.html"  # it is not made anew, since somebody asked for it once
_NOT_OURS = ("config.toml", "templates", SHARED_FOLDER)  # the user's, and what git carries
_DERIVED = (
    SUMMARY_FILE, store.READABLE, REPORT, archive_index.INDEX_FILE, archive_index.OLD_STORY_TABLE,
    CACHE_FILE, FILE_NOTES, team_state.CLAIMS,
)  # fmt: skip


class OurFile(NamedTuple):
    """A file of ours."""

    path: str
    directory: (
        str | None
    )  # ours, out of which no link is followed; None for a file in the user's own directories

    def read(self) -> bytes | None:
        """Return its content; None if there is none that could be ours."""
        try:
            return read_inside(self.directory, self.path)
        except (BadInput, LeadsOutside):
            return None

    def write(self, data: bytes) -> None:
        """Replace its content. Raises as `write_atomic`."""
        write_atomic(self.path, data, root=self.directory)

    def is_stray_link(self) -> bool:
        """Return whether a link in its place, or on the way to it, leads out of our directory."""
        return self.directory is not None and leads_outside(self.directory, self.path)


def directories(project: Project) -> list[str]:
    """Return our directories: that of the log, and those of this and all other worktrees."""
    found = [project.log_directory, *map(data_directory_of, roots(project))]
    return [path for path in dict.fromkeys(found)
            if os.path.isdir(path) and not leads_outside(root_of(path), path)]  # fmt: skip


def roots(project: Project) -> list[str]:
    """Return the roots of all worktrees, this one first."""
    return list(dict.fromkeys([project.root, project.main_root, *sorted(project.roots())]))


def primary_files(project: Project) -> list[OurFile]:
    """Return the files that cannot be made anew: log, archive, all copies, and private state."""
    found = [OurFile(path, root) for path, root, is_derived in _walk(project) if not is_derived]
    log = error_log.place()
    return [*found, OurFile(log, None), OurFile(f"{log}.old", None)]


def derived_files(project: Project) -> list[str]:
    """Return the files that are made from those: of a link in such a place it is the link that goes."""
    found = [path for path, _, is_derived in _walk(project) if is_derived]
    return [*found, *(path for root in roots(project) for path, _ in sessions_of(root))]


def copies_of_other_paths(project: Project) -> list[OurFile]:
    """Return the copies that are kept outside for other paths, whosever those are."""
    folders = backup.folders_of_other_paths(project.log_directory)
    return [OurFile(path, None) for folder in folders for path in backup.files_outside(folder)]


def stray_links(project: Project) -> list[str]:
    """Return the links in our directories that lead out of them and are not removed."""
    return [
        os.path.join(place, name)
        for place in directories(project)
        for name, is_link in walk_inside(root_of(place), place)
        if is_link and not _is_of(name, ("config.toml", "templates")) and not _is_derived(name)
        and OurFile(os.path.join(place, name), place).is_stray_link()
    ]  # fmt: skip


def contents(files: Iterable[OurFile]) -> Iterator[tuple[OurFile, bytes]]:
    """Yield each file that can be read, with its content."""
    for each in files:
        data = each.read()
        if data is not None:
            yield each, data


def _walk(project: Project) -> Iterator[tuple[str, str | None, bool]]:
    """Yield each of our files, our directory that it is in, and whether it is made from others."""
    for place in directories(project):
        for name, is_link in walk_inside(root_of(place), place):
            if not _is_of(name, _NOT_OURS) and not (is_link and not _is_derived(name)):
                yield os.path.join(place, name), place, _is_derived(name)
    states = [state for root in roots(project) if (state := state_directory(root))]
    for folder in (*states, *backup.folders_of_path(project.log_directory)):
        for name, _ in walk_inside(None, folder):
            yield os.path.join(folder, name), None, _is_derived(name)


def _is_of(name: str, folders: Iterable[str]) -> bool:
    return name.partition(os.sep)[0] in folders


def _is_derived(name: str) -> bool:
    is_temporary = os.path.basename(name).startswith(TEMPORARY_PREFIX)
    return name in _DERIVED or is_temporary or _is_of(name, [SUMMARIES_FOLDER])
