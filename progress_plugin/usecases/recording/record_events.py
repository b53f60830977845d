"""The one way of hook events into the log: into the spool, take the lock, record what waits, look again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from itertools import groupby

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, ReadOnly, reason_of
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.start_cache import load_start_cache
from progress_plugin.log import pending_events
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.usecases.recording.append import Logged
from progress_plugin.usecases.recording.drafts import Task
from progress_plugin.usecases.recording.signals import record_changes, record_ends, record_tasks

MAX_SOURCE_BYTES = 4 << 20  # plans and logs that are compared while an agent waits: a second or so


def record_spooled(project: Project, timeout: float, unspooled: Sequence[PendingEvent] = ()) -> None:
    """Record what a hook has put into the spool, and the events for which there was no place in it.

    If another process keeps the log locked for longer than `timeout`, or plans and logs are too large to be
    compared while an agent waits, a background process does it. Raises what writing raises.
    """
    environment.enter()
    for event in unspooled:
        _record_group(project, [event], timeout)
    if unspooled:
        return
    if not _is_large(project):
        with suppress(Busy):
            drain(project, timeout)
            return
    pending_events.start_background(project.log_directory, project.root)


@contextmanager
def sole_recorder(project: Project, timeout: float = 0) -> Iterator[None]:
    """Hold the lock of the spool, and leave what came meanwhile to a process of its own.

    If something is in the place of the spool, nothing can wait there, so there is no lock to hold. Raises
    Busy if another process holds the lock for `timeout` seconds.
    """
    held = ExitStack()
    try:
        held.enter_context(pending_events.drainer(project.log_directory, timeout))
    except Busy:
        raise
    except AgentProgressError as error:
        error_log.note("spool", error)
    try:
        with held:
            yield
    finally:
        if pending_events.names(project.log_directory):
            pending_events.start_background(project.log_directory, project.root)


def drain(project: Project, timeout: float) -> None:
    """Record every event that waits, each once, and remove it; `timeout` is for the project's lock.

    If another process is at it, leave it to that: it looks again after it has released its lock. Raises what
    writing raises; what is not recorded then goes on waiting.
    """
    directory = project.log_directory
    unreadable: set[str] = set()
    while not unreadable.issuperset(pending_events.names(directory)):
        with ExitStack() as held:
            try:
                held.enter_context(pending_events.drainer(directory))
            except Busy:
                return
            unreadable |= drain_as_holder(project, timeout)


def drain_as_holder(project: Project, timeout: float) -> set[str]:
    """Record what waits until nothing does, and return the names of files that hold no event.

    The caller holds the lock of the spool.
    """
    unreadable: set[str] = set()
    while waiting := [
        (path, event)
        for path, event in pending_events.waiting(project.log_directory).items()
        if os.path.basename(path) not in unreadable
    ]:
        unreadable |= {
            os.path.basename(path) for path, event in waiting if event is None and not _set_aside(path)
        }
        events = [(path, event) for path, event in waiting if event is not None]
        for (kind, _), group in groupby(events, key=lambda pair: (pair[1].kind, pair[1].root)):
            together = list(group)
            try:
                _record_group(project, [event for _, event in together], timeout)
            except ReadOnly:
                if kind == "look":  # once the log can be written, the next look finds what changed
                    _remove(path for path, _ in together)
                raise
            _remove(path for path, _ in together)
    return unreadable


def _remove(paths: Iterable[str]) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            os.unlink(path)


def _set_aside(path: str) -> bool:
    """Keep a file that holds no event under another name; return whether it is out of the way."""
    try:
        os.replace(path, f"{path}.unreadable")
        why = "it is kept as it is, under another name"
    except OSError as error:  # a name too long, or a folder in that place
        why = f"it cannot be moved away: {reason_of(error)}"
    error_log.note("spool", BadInput(f"{path} holds no event; {why}"))
    return not os.path.lexists(path)


def _record_group(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append what events of one kind in one checkout report; `timeout` is for the lock, in seconds."""
    first = events[0]
    kind, root = first.kind, first.root
    here = project if root == project.root else worktree_at(root, project)
    if kind == "look" and here is not None:
        # One look finds everything; the first session has done it. A checkout that is gone has no news.
        is_committer = any(event.facts.get("commits") for event in events if event.session == first.session)
        record_changes(
            here, now=first.when, session=first.session, timeout=timeout, is_committer=is_committer
        )
    elif kind == "task":
        record_tasks(here or project, _tasks(events), timeout)
    elif kind == "end" and project.has_directory:
        record_ends(here or project, events, timeout)


def _tasks(events: Iterable[PendingEvent]) -> list[Task]:
    return [
        Task(subject, event.facts.get("client_task"), event.when, event.session, event.facts.get("details"))
        for event in events
        if isinstance(subject := event.facts.get("subject"), str)
    ]


def observe(project: Project, *, now: datetime, session: str | None) -> Logged | None:
    """Record what waits and what has changed since the last look; None if nothing was appended."""
    drain(project, DEFAULT_TIMEOUT_S)
    return record_changes(project, now=now, session=session, timeout=DEFAULT_TIMEOUT_S)


def worktree_at(root: str, project: Project) -> Project | None:
    """Return the project of a linked worktree with the same log; None if that was removed.

    A file can name any root, so only worktrees that our repository knows count.
    """
    if root not in project.roots():
        return None
    try:
        found = find_project(root) if os.path.isdir(root) else None
    except AgentProgressError:
        return None
    return found if found and found.log_directory == project.log_directory else None


def _is_large(project: Project) -> bool:
    cache = load_start_cache(project.root)
    paths = map(project.path, cache.snapshot.files if cache else ())
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path)) > MAX_SOURCE_BYTES
