"""Copies of the records of linked worktrees, kept where the log is: they outlive the worktree.

The records themselves are the worktree's own (`transcripts.session_store`): what was done there is not here
before it is merged. So a start tells none of a worktree that is still there, and whoever asks for the
sessions is told of all, each with the worktree's name.
"""

import os
from collections.abc import Container, Iterator

from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import list_inside, write_atomic
from progress_plugin.core.paths import make_private, make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import WORKTREES_FOLDER, records_of

_ENDING = ".jsonl"
_KEPT = 20
"""Worktrees of which there is a copy, those that were written last."""


def keep_copy(project: Project, data: bytes) -> None:
    """Keep a file of records for when this worktree is gone; nothing where it is no linked one.

    The records are written already, so what stands in the way of a copy is noted and no more.
    """
    name = project.worktree
    if not name or _is_main(project):
        return
    try:
        folder = os.path.join(make_state_directory(project.main_root), WORKTREES_FOLDER)
        make_private(folder)
        _write(folder, name, data)
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionEnd", error)


def records_of_worktrees(project: Project, inputs: InputSnapshot | None = None) -> list[SessionRecord]:
    """Return the records of other worktrees' sessions, as the main one keeps them; none in a linked one."""
    inputs = inputs or InputSnapshot(project.root)
    found: dict[str, SessionRecord] = {}
    for name, path in _copies(project):
        for record in records_of(inputs.read_users(path), project.root):
            record.worktree = name
            found[record.session] = record
    return list(found.values())


def records_of_gone_worktrees(project: Project, known: Container[str]) -> list[SessionRecord]:
    """Return those of them that a start may tell of, but for sessions that are `known`."""
    records = [each for each in records_of_worktrees(project) if each.session not in known]
    there = project.repository.worktrees() if records and project.repository else {}
    return [each for each in records if each.worktree not in there]


def _is_main(project: Project) -> bool:
    return project.log_directory == project.directory


def _copies(project: Project) -> Iterator[tuple[str, str]]:
    """Yield worktree and path of each copy; none in a linked worktree."""
    folder = state_file(project.root, WORKTREES_FOLDER)
    for name in list_inside(None, folder) if _is_main(project) else ():
        if name.endswith(_ENDING):
            yield name.removesuffix(_ENDING), os.path.join(folder, name)


def _write(folder: str, name: str, data: bytes) -> None:
    write_atomic(os.path.join(folder, name + _ENDING), data, durable=False, private=True)
    paths = [os.path.join(folder, each) for each in list_inside(None, folder) if each.endswith(_ENDING)]
    for path in sorted(paths, key=os.path.getmtime)[:-_KEPT]:
        os.unlink(path)
