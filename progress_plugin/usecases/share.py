"""Sharing switched on: what there is gets its files, and what to tell git is said, once.

git is asked what it tracks and ignores; nothing of the repository is written.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from progress_plugin.core import data_directory
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import shared_entries
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.recording.shared_history import publish_missing


def share_from_now(project: Project) -> list[str]:
    """Take in what others have shared, give every entry of ours its file, and return what is left to do.

    Raises Busy where another process holds the lock, AgentProgressError where the disk refuses.
    """
    prepare(project)
    take_in_arrivals(project, DEFAULT_TIMEOUT_S)
    with lock_of(project, DEFAULT_TIMEOUT_S):
        notes = publish_missing(project)
    if project.repository is None:
        return notes
    place = _from_top(project)
    notes.append(f"commit {place}/config.toml and {place}/{SHARED_FOLDER}/ with your work: `git add {place}`")
    tracked = [name for name in tracked_files(project) if not data_directory.may_be_tracked(name, share=True)]
    if tracked:
        notes.append(
            f"git still tracks {place}/{tracked[0]}, where two branches conflict; take it out once: "
            f"{still_tracked_remedy(project, tracked)}"
        )
    if is_ignored(project):
        notes.append(
            f"a .gitignore of the repository, or your own, leaves {place}/{SHARED_FOLDER}/ out: "
            f"`git check-ignore -v {place}/{SHARED_FOLDER}` names the line to change"
        )
    return notes


def still_tracked_remedy(project: Project, tracked: Sequence[str]) -> str:
    """Return the command that takes files of ours out of git, and leaves them on the disk here."""
    place = _from_top(project)
    names = sorted({name.partition("/")[0] for name in tracked})
    words = " ".join(f"{place}/{name}" for name in names)
    return (
        f"`git rm -r -q --cached {words}`, then commit; the files stay here, and the next start of other "
        "clones brings theirs back after they pull"
    )


def is_ignored(project: Project) -> bool:
    """Return whether somebody's rule keeps git from seeing the files of entries."""
    words = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", SHARED_FOLDER]
    told = (project.repository.run(words, project.directory) if project.repository else None) or b""
    return any(
        shared_entries.id_in(os.path.basename(name)) for name in told.decode("utf-8", "replace").split("\0")
    )


def tracked_files(project: Project) -> list[str]:
    """Return what git tracks of our directory; nothing where there is no git."""
    if project.repository is None or not os.path.isdir(project.directory):
        return []
    told = project.repository.run(["ls-files", "-z", "--", "."], project.directory) or b""
    return [name for name in told.decode("utf-8", "replace").split("\0") if name]


def _from_top(project: Project) -> str:
    top = project.repository.top if project.repository else project.root
    return os.path.relpath(project.directory, top).replace(os.sep, "/")
