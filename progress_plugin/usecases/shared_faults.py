"""What is wrong with `shared/`, and what `repair` does about it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import (
    clone_identity,
    known_erasures,
    shared_entries,
)
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.log.verify import Fault
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.sharing import (
    find_unpublished,
    is_shared,
    publish_missing,
    shared_directories,
    take_in_arrivals,
)

MAX_NAMED = 20  # faults of one kind that are named
MAX_PATH_CHARS = 200


def shared_faults(project: Project) -> list[Fault]:
    """Return which files are no entry, and which entries of ours lack a file or are erased."""
    erased = list(_erased_files(project))
    if not is_shared(project):
        return erased
    invalid = list(shared_entries.find_invalid(project.directory))
    remedy = "it is kept where it is; ask who committed it, or remove it with `git rm`"
    faults = [Fault(f"{_shown(path)} {why}; it is passed over", remedy) for path, why in invalid[:MAX_NAMED]]
    if rest := len(invalid) - len(faults):
        faults.append(Fault(f"{counted(rest, 'more file')} in {SHARED_FOLDER}/", "as above"))
    entries = find_unpublished(project)
    if entries:
        number = counted(len(entries), "entry of ours is", "entries of ours are")
        where = f"{number} in no file of {SHARED_FOLDER}/ and in no commit"
        faults.append(Fault(where, "run `agent-progress repair`"))
    return [*faults, *erased]


def share_again(project: Project) -> list[str]:
    """Give entries of ours their files if they have lost them, look at all others again; return notes."""
    if not is_shared(project):
        return []
    with lock_of(project, DEFAULT_TIMEOUT_S):
        notes = publish_missing(project)
        shared_entries.forget_taken(project.directory)
    taken = take_in_arrivals(project, DEFAULT_TIMEOUT_S)
    return [*notes, *([f"{counted(taken, 'entry')} came from {SHARED_FOLDER}/"] if taken else [])]


def _erased_files(project: Project) -> Iterator[Fault]:
    """Yield the files of ours, in all worktrees, that hold an entry which is known as erased.

    Git would publish them with the next commit there, and a branch that is checked out can bring one again.
    """
    own = clone_identity.known_writer(project.log_directory)
    known = known_erasures.read(project.log_directory)
    if own is None or not known.own:
        return
    for directory in shared_directories(project):
        files = [file for file in shared_entries.list_files(directory) if file.writer == own]
        held = sorted({name for file in files if (name := file.entry_id) and known.has(name, None)})
        if held:
            place = os.path.join(directory, SHARED_FOLDER)
            number = counted(len(held), "entry that was", "entries that were")
            root = None if directory == project.directory else root_of(directory)
            what = f"{place} holds {number} erased, for git to publish: {some_of(held)}"
            yield Fault(what, known_erasures.commands(held, root))


def _shown(path: str) -> str:
    return one_line(os.path.join(SHARED_FOLDER, path), MAX_PATH_CHARS)
