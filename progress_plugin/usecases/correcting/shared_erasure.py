"""What is to be erased, in the files that git carries: ours are replaced, others named.

All other files are in `usecases.correcting.erasable_files`, the memory database in
`usecases.correcting.erasable_observations`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import LeadsOutside, read_inside
from progress_plugin.core.project import Project
from progress_plugin.log import clone_identity, foreign_entry, history, known_erasures, shared_entries
from progress_plugin.log.erasure import EntryTarget, ErasureTarget
from progress_plugin.log.foreign_entry import digest_of
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile
from progress_plugin.usecases.correcting import erasable_files
from progress_plugin.usecases.sharing import is_shared, put_files

_DEPTH = 4
"""Parts of the path of an entry's file in our directory: `shared`, the writer, the month, its name."""


class Holder(NamedTuple):
    """A file of an entry that holds what is to be erased, here or in another worktree."""

    directory: str
    """The directory of ours that it lies in."""
    file: SharedFile
    often: int

    @property
    def path(self) -> str:
        """Return its absolute path."""
        return os.path.join(self.directory, self.file.path)


def holders(target: ErasureTarget, directories: Iterable[str]) -> list[Holder]:
    """Return the files of entries in these directories of ours that hold it, and how often."""
    found = ((directory, file) for directory in directories for file in shared_entries.files(directory))
    return [Holder(*each, often) for each in found if (often := _count(*each, target))]


def others(project: Project, target: ErasureTarget) -> list[str]:
    """Say which files hold it that are not taken out: other writers', and those of unknown worktrees."""
    own = clone_identity.known_writer(project.log_directory)
    near, far = erasable_files.directories(project), erasable_files.other_worktrees(project)
    return [
        f"{held.path} holds it: it is another writer's; have it erased there"
        if held.file.writer != own
        else f"{held.path} holds it: no entry names that worktree; repeat this there"
        for held in holders(target, [*near, *far])
        if held.file.writer != own or held.directory in far
    ]


def ours(project: Project, target: ErasureTarget) -> dict[str, int]:
    """Return the paths of our own files that hold it, and how often; all worktrees are one writer."""
    own = clone_identity.known_writer(project.log_directory)
    found = holders(target, erasable_files.directories(project))
    return {held.path: held.often for held in found if held.file.writer == own}


def take_out(project: Project, target: ErasureTarget, paths: Iterable[str]) -> list[str]:
    """Remove our files that held it, and make those anew whose entries are still in the log; return notes.

    A file is never changed: one of the same name with another content would conflict with it in every other
    branch. An entry that is erased is remembered by a digest, since a branch or another clone may bring
    it again. Caller holds the lock, and has erased it from the log.
    """
    gone: dict[str, set[str | None]] = {}
    had_files = data_directory.has_shared(project.log_directory)
    for path in paths:
        ids = gone.setdefault(path.rsplit(os.sep, _DEPTH)[0], set())
        ids.add(shared_entries.id_in(os.path.basename(path)))
        os.unlink(path)
    is_member = data_directory.has_team(project.log_directory)
    # Also where sharing is off: once it is on again a branch may still have the file.
    if isinstance(target, EntryTarget) and (is_member or is_shared(project) or had_files):
        _remember(project, target.name)
    notes = []
    for directory, ids in gone.items():
        left = [entry for entry in history.everything(project.log_directory) if entry.get("id") in ids]
        notes += put_files(project, left, directory)
    if gone and project.repository is not None:
        notes.append(
            f"git keeps what was committed of {SHARED_FOLDER}/: where it must go from there, too, its "
            "history has to be rewritten (git filter-repo), and every clone made anew"
        )
    return notes


def told_by_git(project: Project, target: ErasureTarget) -> list[str]:
    """Say what colleagues keep of it, and what each of them does; nothing where git carries nothing."""
    if not is_shared(project):
        return []
    has = "colleagues who took it in have it in their logs, and in copies in their user data"
    if isinstance(target, EntryTarget):
        told = f"what is put into {SHARED_FOLDER}/ for that tells them, once it is committed and pulled"
        return [f"{has}: {told}; `agent-progress verify` names it there, and the command that takes it out"]
    repeat = (
        "repeat this in each of their clones, also in one made anew, before `agent-progress repair` there"
    )
    return [f"{has}, and nobody is told which text it was: {repeat}"]


def _remember(project: Project, name: str) -> None:
    directory, digest = project.log_directory, digest_of(name)
    known_erasures.note(directory, digest)
    if is_shared(project):
        writer = clone_identity.writer_of(directory)
        shared_entries.put_erasure(project.directory, writer, digest)


def _count(directory: str, file: SharedFile, target: ErasureTarget) -> int:
    if isinstance(target, EntryTarget):
        return int(shared_entries.id_in(file.name) == target.name)
    try:
        path = os.path.join(directory, file.path)
        data = None if os.path.islink(path) else read_inside(root_of(directory), path, foreign_entry.LARGEST)
    except (BadInput, LeadsOutside):
        return 0
    return target.count(data) if data else 0
