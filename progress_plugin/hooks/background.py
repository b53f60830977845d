"""Work that outlasts a hook: record the spool, read a long transcript, sync with the team's server."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from progress_plugin.core import environment
from progress_plugin.core.errors import Busy
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import is_read_only, make_state_directory
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import has_start_cache, load_fresh_cache
from progress_plugin.hooks import BACKGROUND_SECONDS, HookRun, run_guarded

LOCK_FILE = "renewal"  # in the private state


def main(arguments: list[str]) -> None:
    """Do one of `ACTIONS`, which the first argument names; does not return."""
    action, *rest = arguments

    def work(_: HookRun) -> None:
        environment.enter()
        ACTIONS[action](*rest)

    run_guarded(f"background {action}", BACKGROUND_SECONDS, work)


def start(directory: str) -> None:
    """Make the summary, and note the plans, if the start of a session had no time for it.

    Without a summary no start would be fast. Without the note the next event would be the first to read the
    plans, and the stories that were finished before it would not be recorded.
    """
    project = find_project(start=directory)
    if not is_read_only():
        record(project.root)


def record(root: str) -> None:
    """Record the events in the spool, then renew the summary here and in linked worktrees."""
    from progress_plugin.usecases.recording.record import drain, worktree_at

    project = find_project(root)
    drain(project, BACKGROUND_SECONDS)
    renew_project(project)
    for other in sorted(project.roots() - {project.root}):
        worktree = worktree_at(other, project)
        if worktree is not None and has_start_cache(other):
            renew_project(worktree)


def renew_project(project: Project) -> None:
    """Renew start context and note of the plans, unless another process has done both or is about it.

    That one compares the inputs again before it writes.
    """
    from progress_plugin.usecases.recording import last_seen
    from progress_plugin.usecases.starting import renew_cache

    with suppress(Busy), FileLock(os.path.join(make_state_directory(project.root), LOCK_FILE), 0):
        if load_fresh_cache(project.root) is None or last_seen.load(project).is_first:
            renew_cache(project)


def read(root: str, *transcript: str) -> None:
    """Read one transcript, given by client, session, path, and "over" or nothing.

    With a session alone: read all that the start of that session left unread.
    """
    from progress_plugin.transcripts.transcript import Transcript
    from progress_plugin.usecases.sessions.reading import read_detached, read_rest

    project = find_project(root)
    if len(transcript) == 1:
        read_rest(project, transcript[0] or None)
        return
    client, session, path, over = transcript
    read_detached(project, Transcript(client, session, path), over=over == "over")


def sync(root: str) -> None:
    """Sync with the team's server."""
    from progress_plugin.usecases.team.sync import run_in_background

    run_in_background(root)


ACTIONS: dict[str, Callable[..., None]] = {
    "start": start,
    "record": record,
    "read": read,
    "sync": sync,
}
