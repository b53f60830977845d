"""Our files that can hold what was in a log, here, in other worktrees and in the user's own directories."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

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
from progress_plugin.log import archive_index, backup, clone_identity, store, team_state
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile, id_in
from progress_plugin.usecases.correcting.erasable_text import EntryTarget, Target
from progress_plugin.usecases.summary_files import SUMMARIES_FOLDER

REPORT = "report.html"  # it is not made anew, since it is made on request
_USERS = ("config.toml", "templates")
_DERIVED = (
    SUMMARY_FILE, store.READABLE, REPORT, archive_index.INDEX_FILE, archive_index.OLD_STORY_TABLE,
    CACHE_FILE, FILE_NOTES, team_state.CLAIMS,
)  # fmt: skip


class Role(Enum):
    """What a file is to us."""

    PRIMARY = "cannot be made anew, and is rewritten"
    DERIVED = "is made from the others, and is removed"
    SHARED = "our entry, which git carries: it is replaced by a file of another name"
    FOREIGN = "not ours to change"
    LINK = "a link, which is not followed"


@dataclass(frozen=True, slots=True)
class OurFile:
    """A file of ours."""

    path: str
    role: Role
    directory: str | None = None  # ours, out of which no link is followed; None in the user's directories

    def read(self) -> bytes | None:
        """Return its content; None if there is none that could be ours."""
        try:
            return read_inside(self.directory, self.path)
        except (BadInput, LeadsOutside):
            return None

    def write(self, data: bytes) -> None:
        """Replace its content. Raises as `write_atomic`."""
        write_atomic(self.path, data, root=self.directory)

    def count(self, target: Target) -> int:
        """Return how often what is to be erased is in it."""
        if isinstance(target, EntryTarget) and self._shared is not None:
            return int(self.shared_id == target.name)
        data = self.read() if self.role is not Role.LINK else None
        return target.erase(data)[1] if data else 0

    @property
    def shared_id(self) -> str | None:
        """The id of the entry in a file of `shared/`."""
        return id_in(self._shared.name) if self._shared else None

    @property
    def _shared(self) -> SharedFile | None:
        parts = os.path.relpath(self.path, self.directory).split(os.sep) if self.directory else []
        return SharedFile(*parts[1:]) if len(parts) == 4 and parts[0] == SHARED_FOLDER else None  # noqa: PLR2004


def roots(project: Project) -> list[str]:
    """Return the roots of all worktrees, this one first."""
    return list(dict.fromkeys([project.root, project.main_root, *sorted(project.roots())]))


def our_files(project: Project) -> Iterator[OurFile]:
    """Yield our files without those that the user writes; entries that others share are named as foreign."""
    writer = clone_identity.known_writer(project.log_directory)
    for place in dict.fromkeys([project.log_directory, *map(data_directory_of, roots(project))]):
        if not os.path.isdir(place) or leads_outside(root_of(place), place):
            continue
        for name, is_link in walk_inside(root_of(place), place):
            if name.partition(os.sep)[0] not in _USERS:
                yield OurFile(os.path.join(place, name), _role(name, writer, is_link=is_link), place)
    states = [state for root in roots(project) if (state := state_directory(root))]
    for folder in (*states, *backup.folders_of_path(project.log_directory)):
        for name, _ in walk_inside(None, folder):
            yield OurFile(os.path.join(folder, name), _role(name, writer))
    log = error_log.place()
    yield from (OurFile(path, Role.PRIMARY) for path in (log, f"{log}.old"))
    yield from (OurFile(path, Role.DERIVED) for root in roots(project) for path, _ in sessions_of(root))
    for folder in backup.folders_of_other_paths(project.log_directory):
        yield from (OurFile(path, Role.FOREIGN) for path in backup.files_of(folder))


def _role(name: str, writer: str | None, *, is_link: bool = False) -> Role:
    folder, _, rest = name.partition(os.sep)
    is_temporary = os.path.basename(name).startswith(TEMPORARY_PREFIX)
    if name in _DERIVED or is_temporary or folder == SUMMARIES_FOLDER:
        return Role.DERIVED  # of a link in such a place it is the link that goes
    if is_link:
        return Role.LINK
    if folder == SHARED_FOLDER:
        return Role.SHARED if rest.partition(os.sep)[0] == writer else Role.FOREIGN
    return Role.PRIMARY
