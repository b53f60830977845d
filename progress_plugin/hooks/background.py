"""Work that outlasts a hook: record the spool, read changed transcripts, sync with the team's server."""

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


def record(directory: str) -> None:
    """Record the events in the spool, then renew the summary here and in the worktrees that have one.

    Also called after a start that ran out of time: this makes the cache for the next start, and stores the
    status of each story, so that the next event can tell which stories were finished since then.
    """
    from progress_plugin.usecases.recording.record import record_waiting, worktree_at

    if is_read_only():
        return
    project = find_project(start=directory)
    record_waiting(project, BACKGROUND_SECONDS)
    renew_project(project)
    for other in sorted(project.roots() - {project.root}):
        worktree = worktree_at(other, project)
        if worktree is not None and has_start_cache(other):
            renew_project(worktree)


def renew_project(project: Project) -> None:
    """Renew the start cache and the last known statuses if an input changed or no status is known yet.

    Do nothing while another process renews them: that process compares the inputs before it writes.
    """
    from progress_plugin.usecases.recording import last_seen
    from progress_plugin.usecases.starting import renew_cache

    with suppress(Busy), FileLock(os.path.join(make_state_directory(project.root), LOCK_FILE), 0):
        if load_fresh_cache(project.root) is None or last_seen.load(project).is_first:
            renew_cache(project)


def read_transcripts(root: str, skip: str, ended: str) -> None:
    """Read the changed transcripts, except that of session `skip`. Session `ended` has ended."""
    from progress_plugin.usecases.sessions.read_transcripts import read_all_changed_transcripts

    project = find_project(root)
    read_all_changed_transcripts(project, skip or None, ended)
    renew_project(project)


def sync(root: str) -> None:
    """Sync with the team's server."""
    from progress_plugin.usecases.team.sync import run_in_background

    run_in_background(root)


ACTIONS: dict[str, Callable[..., None]] = {"record": record, "read": read_transcripts, "sync": sync}
