"""Which commit is the evidence of which finished task (S11.1, S11.2).

Only one that was made after the task was finished, by the session that finished it. Whether HEAD moved by
commits made here is decided in `core.git.git_files` (`Checkout.committed_since`), which of a commit's files
are named, in `usecases.recording.commit_files`.
"""

import os

from progress_plugin.core.light_typing import Any, NamedTuple
from progress_plugin.log.entry import EntryDraft, data_of, text_of
from progress_plugin.usecases.recording.baselines import Baselines
from progress_plugin.usecases.summarizing.sources import Sources

MOST_AT_ONCE = 20
"""Finished tasks that one commit is noted for, the newest: each note repeats its files."""


class Commit(NamedTuple):
    """The commit that HEAD is at, made here since plans and logs were looked at."""

    id: str
    files: list[str]
    when: int
    """By the reflog, in seconds since 1970."""


class Step(NamedTuple):
    """How HEAD has moved since plans and logs were looked at."""

    moved: bool
    commit: Commit | None
    """The commit it is at, if commits made here moved it there."""
    made_since: frozenset[str | None] = frozenset()
    """The commits that tasks were finished at, and that only commits have followed since."""
    commits: bool = False
    """The session that looks has just run a command that commits."""


def step_of(sources: Sources, seen: Baselines, *, commits: bool = False) -> Step:
    """Ask git, which may take its time: no lock is held."""
    checkout, head = sources.project.checkout, sources.head
    moved = seen.head != head and not seen.is_first
    if not moved or checkout is None or head is None:
        return Step(moved, None)
    followed = {at for at in {seen.head, *seen.uncommitted.values()} if checkout.committed_since(at)}
    if seen.head not in followed:
        return Step(moved, None)
    from progress_plugin.usecases.recording.commit_files import files_of  # noqa: PLC0415 - subprocess: 4 ms, few need it

    made = Commit(head, files_of(sources.project.root, head), checkout.moved_at() or 0)
    return Step(moved, made, frozenset(followed), commits)


def edited_before(commit: Commit | None, sources: Sources, path: str) -> Commit | None:
    """Return the commit if a plan or log was last written before it, None where what it says came later."""
    if commit is None:
        return None
    try:
        edited = os.stat(os.path.join(sources.project.root, path)).st_mtime
    except OSError:
        return None
    return commit if int(edited) <= commit.when else None


def evidence(sources: Sources, seen: Baselines, session: str | None, step: Step) -> list[EntryDraft]:
    """Return what a commit adds to the tasks finished before it, and leave waiting what waits for another.

    That is what was finished at the commit that is checked out now, and what other sessions have finished.
    """
    if not step.moved:
        return []
    waiting, seen.uncommitted = seen.uncommitted, {}
    if step.commit is None:
        return []
    proven = []
    for entry in sources.log.entries:
        name = text_of(entry, "id")
        if name is None or name not in waiting:
            continue
        if waiting[name] in step.made_since and _is_of(entry, session, step):
            proven.append(entry)
        elif waiting[name] == sources.head or waiting[name] in step.made_since:
            seen.uncommitted[name] = waiting[name]
    return [_draft(entry, step.commit) for entry in proven[-MOST_AT_ONCE:]]


def _is_of(entry: dict[str, Any], session: str | None, step: Step) -> bool:
    """Return whether a session finished a task; where the entry names none, the one that commits next did."""
    finished_by = text_of(data_of(entry), "session_id")
    return finished_by == session or (finished_by is None and step.commits)


def _draft(entry: dict[str, Any], commit: Commit) -> EntryDraft:
    data = {"supplements": entry["id"], "commit": commit.id, "files_modified": commit.files}
    task, spec = text_of(entry, "task_id"), text_of(entry, "spec")
    return EntryDraft("task_completed", data, spec=spec, task_id=task, signal="commit")
