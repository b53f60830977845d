"""What is to be erased, in the files that git carries: those of this clone are replaced, others are named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import LeadsOutside, read_inside
from progress_plugin.core.project import Project
from progress_plugin.log import clone_identity, foreign_entry, history, known_erasures, shared_entries
from progress_plugin.log.foreign_entry import digest_of
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile
from progress_plugin.usecases.correcting.erasable_files import directories
from progress_plugin.usecases.correcting.erasable_text import EntryTarget, Target
from progress_plugin.usecases.sharing import is_shared, put_files


class SharedHolder(NamedTuple):
    """A file of an entry that holds what is to be erased, here or in another worktree."""

    directory: str
    file: SharedFile
    times: int

    @property
    def path(self) -> str:
        """Return its absolute path."""
        return os.path.join(self.directory, self.file.path)


def find_holders(project: Project, target: Target, *, own: bool) -> list[SharedHolder]:
    """Return the files that hold it, those of this clone or those of other writers."""
    writer = clone_identity.known_writer(project.log_directory)
    return [each for each in _holders(project, target) if (each.file.writer == writer) is own]


def take_out(project: Project, holders: list[SharedHolder]) -> list[str]:
    """Remove our files that hold it, and make those anew whose entries are still in the log; return notes.

    A file is never changed: one of the same name with another content would conflict with it in every other
    branch. Caller holds the lock, and has erased it from the log.
    """
    for each in holders:
        os.unlink(each.path)
    notes = []
    for directory in {each.directory for each in holders}:
        ids = {shared_entries.id_in(each.file.name) for each in holders if each.directory == directory}
        left = [entry for entry in history.everything(project.log_directory) if entry.get("id") in ids]
        notes += put_files(project, left, directory)
    if holders and project.repository is not None:
        notes.append(
            f"git keeps what was committed of {SHARED_FOLDER}/: where it must go from there, too, its "
            "history has to be rewritten (git filter-repo), and every clone made anew"
        )
    return notes


def remember(project: Project, target: Target) -> None:
    """Remember an erased entry by a digest, since a branch or another clone may bring it again."""
    if not isinstance(target, EntryTarget):
        return
    directory, digest = project.log_directory, digest_of(target.name)
    known_erasures.add(directory, digest)
    if is_shared(project):
        shared_entries.put_erasure(project.directory, clone_identity.writer_of(directory), digest)


def describe_copies_of_others(project: Project, target: Target) -> list[str]:
    """Say what colleagues keep of it, and what each of them does; nothing if the project is alone."""
    notes = []
    if is_shared(project):
        has = "colleagues who took it in have it in their logs, and in copies in their user data"
        if isinstance(target, EntryTarget):
            notes.append(
                f"{has}: what is put into {SHARED_FOLDER}/ for that tells them, once it is committed and "
                "pulled; `agent-progress verify` names it there, and the command that takes it out; an entry "
                "of another clone has to be erased in that clone first"
            )
        else:
            notes.append(
                f"{has}, and nobody is told which text it was: repeat this in each of their clones, also in "
                "one made anew, before `agent-progress repair` there"
            )
    if data_directory.has_team(project.log_directory):
        notes.append(
            "the team's server has what was sent of it, and so have clones that took it in: repeat this in "
            "each of them; on the server an administrator removes it"
        )
    return notes


def _holders(project: Project, target: Target) -> Iterator[SharedHolder]:
    for directory in directories(project):
        for file in shared_entries.files(directory):
            count = _count(directory, file, target)
            if count:
                yield SharedHolder(directory, file, count)


def _count(directory: str, file: SharedFile, target: Target) -> int:
    if isinstance(target, EntryTarget):
        return int(shared_entries.id_in(file.name) == target.name)
    path = os.path.join(directory, file.path)
    try:
        data = None if os.path.islink(path) else read_inside(root_of(directory), path, foreign_entry.LARGEST)
    except (BadInput, LeadsOutside):
        return 0
    return target.erase(data)[1] if data else 0
