"""What hooks report, recorded in the order in which it happened, at once or after a wait."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, HookTimeout, reason_of
from progress_plugin.core.project import Project, find_project
from progress_plugin.log import pending_events
from progress_plugin.log.entry import EntryDraft, data_of, text_of, writer_of
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.timestamp import written
from progress_plugin.usecases.project_writes import take_turn
from progress_plugin.usecases.recording.entries_from_signals import Task, record_changes, tasks_completed
from progress_plugin.usecases.recording.log_entry import (
    EntryBatch,
    WrittenEntries,
    summed_up,
    under_lock,
    write_all,
)
from progress_plugin.usecases.recording.session_entries import Session
from progress_plugin.usecases.summarizing.sources import Sources, read_to_append


class _Closing(NamedTuple):
    session: Session
    event: PendingEvent
    draft: EntryDraft


def drain(project: Project, timeout: float) -> None:
    """Record every event that waits, each once, and remove it; where another process is at it, leave it that.

    `timeout` is for the project's lock, in seconds. Raises what writing raises; what is not recorded then
    goes on waiting.
    """
    with ExitStack() as held:
        try:
            held.enter_context(as_drainer(project))
        except Busy:
            return
        drain_as_holder(project, timeout)


@contextmanager
def as_drainer(project: Project, timeout: float = 0) -> Iterator[None]:
    """Hold the lock of the drainer, and leave what came meanwhile to a process of its own.

    Whoever finds the lock held puts down what it has and goes: nobody else would look at that before the next
    event. Raises Busy where another process holds the lock for `timeout` seconds, and what making it raises.
    """
    directory = project.log_directory
    try:
        with pending_events.drainer(directory, timeout):
            before = frozenset(pending_events.names(directory))
            yield
    except HookTimeout:
        _look_again(project, frozenset())
        raise
    _look_again(project, before)  # what was there and still is cannot be recorded by anybody


def _look_again(project: Project, known: frozenset[str]) -> None:
    """Leave what waits besides the `known` to a process of its own."""
    directory = project.log_directory
    if not known.issuperset(pending_events.names(directory)) or pending_events.is_summary_wanted(directory):
        from progress_plugin.usecases.recording.background import start_background  # noqa: PLC0415 - it imports subprocess

        start_background(project)


@contextmanager
def sole_recorder(project: Project, timeout: float = 0) -> Iterator[None]:
    """Do as `as_drainer`, but go on without its lock where something is in the place of the spool.

    Nothing waits there then, and nobody else can hold it.
    """
    with ExitStack() as held:
        try:
            held.enter_context(as_drainer(project, timeout))
        except Busy:
            raise
        except AgentProgressError as error:
            error_log.note("spool", error)
        yield


def drain_as_holder(project: Project, timeout: float) -> None:
    """Do what `drain` does until nothing waits. Caller holds the lock of the drainer."""
    passed_over: set[str] = set()
    while found := {
        path: happened
        for path, happened in pending_events.waiting(project.log_directory).items()
        if path not in passed_over
    }:
        events = [(path, happened) for path, happened in found.items() if happened is not None]
        passed_over |= {path for path, happened in found.items() if happened is None and not _set_aside(path)}
        for _, group in groupby(events, key=lambda pair: (pair[1].kind, pair[1].root)):
            together = list(group)
            record(project, [happened for _, happened in together], timeout)
            for path, _ in together:
                os.unlink(path)


def _set_aside(path: str) -> bool:
    """Keep what holds no event under another name; return whether it has gone from where events wait."""
    fault: Exception = BadInput(f"{path} holds no event; it is kept as it is, under another name")
    try:
        os.replace(path, f"{path}.unreadable")
    except OSError as error:  # a name too long, or something in that place: it must not be in others' way
        fault = BadInput(f"{path} holds no event, and cannot be put aside: {reason_of(error)}")
    error_log.note("spool", fault)
    return not os.path.lexists(path)


def record(project: Project, events: Iterable[PendingEvent], timeout: float) -> None:
    """Append what these events report, those of a kind by one write; `timeout` is the lock's, in seconds."""
    for (kind, root), group in groupby(events, key=lambda event: (event.kind, event.root)):
        here = project if root == project.root else worktree_at(root, project)
        together = list(group)
        if kind == "task":
            tasks = [
                Task(
                    event.told.get("subject"),
                    event.told.get("client_task"),
                    event.when,
                    event.session,
                    event.told.get("details"),
                )
                for event in together
            ]
            tasks_completed(here or project, tasks, timeout)
        elif kind == "end":
            _end(here or project, together, timeout)
        elif here is not None:
            # One look finds all there is; whoever looked first did it. A checkout that is gone has no news.
            first = together[0]
            ran = any(event.told.get("commits") for event in together if event.session == first.session)
            record_changes(here, now=first.when, session=first.session, timeout=timeout, commits=ran)


def worktree_at(root: str, project: Project) -> Project | None:
    """Return the project of a linked worktree that writes the same log, None where that was removed.

    A file can name any root, and not each was written by us: only where our repository knows of a worktree,
    and that of us, is anything looked at.
    """
    if root not in project.roots():
        return None
    try:
        found = find_project(root) if os.path.isdir(root) else None
    except AgentProgressError:
        return None
    return found if found and found.log_directory == project.log_directory else None


def _end(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append the ends of sessions that did something since their last one."""
    ends: dict[str | None, PendingEvent] = {}
    for event in events:
        ends.setdefault(event.session, event)
    if not _closing(project, ends):
        return

    def write(sources: Sources, last: bool) -> WrittenEntries | None:
        return _write_ends(under_lock(sources, last=last), _closing(project, ends))

    written = take_turn(project, timeout, lambda: read_to_append(project), write)
    if written is not None:
        summed_up(written)


def _closing(project: Project, ends: Mapping[str | None, PendingEvent]) -> list[_Closing]:
    """Return the ends that are worth an entry."""
    closing = []
    for event in ends.values():
        session = Session(project, event.session)
        draft = session.closing(event.when, event.told.get("reason"))
        if draft is not None:
            closing.append(_Closing(session, event, draft))
    return closing


def _write_ends(sources: Sources, closing: Iterable[_Closing]) -> WrittenEntries | None:
    new = []
    for session, event, draft in closing:
        known = _ended_already(sources, event)
        if known is not None:
            session.ended(known)
        else:
            new.append((session, EntryBatch([draft], event.when, event.session)))
    if not new:
        return None
    written = write_all(sources, [told for _, told in new], now=datetime.now(UTC))
    for (session, _), entry in zip(new, written.logged.entries, strict=True):
        Session(sources.project, session.name).ended(entry["id"])
    return written


def _ended_already(sources: Sources, event: PendingEvent) -> str | None:
    """Return the entry of this very end: a process may have been killed before it noted that it wrote it."""
    for entry in reversed(sources.log.log.entries):
        if writer_of(entry) is None and data_of(entry).get("session_id") == event.session:
            is_end = entry.get("type") == "session_ended" and "tasks_completed" in data_of(entry)
            same = is_end and entry.get("timestamp") == written(event.when)
            return text_of(entry, "id") if same else None
    return None
