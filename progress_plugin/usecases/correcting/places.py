"""Our files that can hold what was in a log: here, in other worktrees and in the user's own directories."""

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
)
from progress_plugin.core.paths import state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import sessions_of
from progress_plugin.core.snapshot import CACHE_FILE
from progress_plugin.log import archive, backup, clone_identity, store, team_state
from progress_plugin.log.shared_entries import SHARED_FOLDER, id_in
from progress_plugin.usecases.correcting.targets import EntryTarget, Target
from progress_plugin.usecases.summary_files import SUMMARIES_FOLDER

REPORT = "report.html"  # it is not made anew, since it is made on request
_USERS = ("config.toml", "templates")
_DERIVED = (
    SUMMARY_FILE, store.READABLE, REPORT, archive.INDEX_FILE, CACHE_FILE, FILE_NOTES,
    team_state.CLAIMS,
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
    shared_id: str | None = None  # of the entry in a file of `shared/`

    def read(self) -> bytes | None:
        """Return its content; None if there is none that could be ours."""
        try:
            return read_inside(self.directory, self.path)
        except (BadInput, LeadsOutside):
            return None

    def count(self, target: Target) -> int:
        """Return how often what is to be erased is in it."""
        if isinstance(target, EntryTarget) and self.shared_id is not None:
            return int(self.shared_id == target.name)
        data = self.read() if self.role is not Role.LINK else None
        return target.erase(data)[1] if data else 0


def our_files(project: Project) -> Iterator[OurFile]:
    """Yield our files without those that the user writes; entries that others share are named as foreign."""
    log_directory = project.log_directory
    writer = clone_identity.known_writer(log_directory)
    roots = dict.fromkeys([project.root, project.main_root, *sorted(project.roots())])
    for place in dict.fromkeys([log_directory, *map(data_directory_of, roots)]):
        if leads_outside(root_of(place), place):
            continue
        for name, is_link in walk_inside(root_of(place), place):
            if name.partition(os.sep)[0] not in _USERS:
                role = _role(name, writer, is_link=is_link)
                shared = id_in(os.path.basename(name)) if name.startswith(SHARED_FOLDER + os.sep) else None
                yield OurFile(os.path.join(place, name), role, place, shared)
    states = [state for root in roots if (state := state_directory(root))]
    for folder in (*states, *backup.folders_of_path(log_directory)):
        for name, _ in walk_inside(None, folder):
            yield OurFile(os.path.join(folder, name), _role(name, writer))
    log = error_log.place()
    yield from (OurFile(path, Role.PRIMARY) for path in (log, f"{log}.old"))
    yield from (OurFile(path, Role.DERIVED) for root in roots for path, _ in sessions_of(root))
    for folder in set(backup.folders()) - set(backup.folders_of_path(log_directory)):
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
