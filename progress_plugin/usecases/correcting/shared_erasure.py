"""What is to be erased, in the files that git carries: ours are replaced, others named (S1.10).

All other files are in `usecases.correcting.erasable_files`, the memory database in
`usecases.correcting.erasable_observations`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import data_directory, safe_read
from progress_plugin.core.files.data_directory import root_of
from progress_plugin.core.project import Project
from progress_plugin.log import foreign_entry, history, known_erasures, shared_entries, writer_identity
from progress_plugin.log.erasure import EntryTarget, ErasureTarget
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.usecases.recording.shared_history import is_shared, put_files


def holders(project: Project, target: ErasureTarget) -> dict[SharedFile, int]:
    """Return the files of entries that hold it, and how often."""
    return {file: count for file in shared_entries.files(project.directory)
            if (count := _count(project.directory, file, target))}  # fmt: skip


def others(project: Project, target: ErasureTarget) -> list[str]:
    """Say which files of other writers hold it."""
    own = writer_identity.known_writer(project.log_directory)
    return [
        f"{os.path.join(project.directory, file.path)} holds it: it is another writer's; have it erased there"
        for file in holders(project, target)
        if file.writer != own
    ]


def ours(project: Project, target: ErasureTarget) -> dict[str, int]:
    """Return the paths of our own files that hold it, and how often."""
    own = writer_identity.known_writer(project.log_directory)
    found = holders(project, target)
    return {
        os.path.join(project.directory, file.path): count
        for file, count in found.items()
        if file.writer == own
    }


def take_out(project: Project, target: ErasureTarget, paths: Iterable[str]) -> list[str]:
    """Remove our files that held it, and make those anew whose entries are still in the log; return notes.

    A file is never changed: one of the same name with another content would conflict with it in every other
    branch. An entry that is erased is remembered by a digest, since a branch or another clone may bring
    it again. Caller holds the lock, and has erased it from the log.
    """
    gone, had_files = list(paths), data_directory.has_shared(project.log_directory)
    ids = {shared_entries.id_in(os.path.basename(path)) for path in gone}
    for path in gone:
        os.unlink(path)
    is_member = data_directory.has_team(project.log_directory)
    # Also where sharing is off: once it is on again a branch may still have the file.
    if isinstance(target, EntryTarget) and (is_member or is_shared(project) or had_files):
        _remember(project, target.name)
    entries = (entry for entry in history.everything(project.log_directory) if entry.get("id") in ids)
    notes = put_files(project, entries)
    if gone and project.checkout is not None:
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
        writer = writer_identity.writer_of(directory)
        shared_entries.put_erasure(project.directory, writer, digest)


def _count(directory: str, file: SharedFile, target: ErasureTarget) -> int:
    if isinstance(target, EntryTarget):
        return int(shared_entries.id_in(file.name) == target.name)
    try:
        path = os.path.join(directory, file.path)
        data = (
            None if os.path.islink(path) else safe_read.read(path, root_of(directory), foreign_entry.LARGEST)
        )
    except (BadInput, safe_read.LeadsOut):
        return 0
    return target.count(data) if data else 0
