"""Which commit is the evidence of which finished task.

Only one that was made after the task was finished, by the session that finished it, or one made here whose
subject names the story. One that names stories of the plan is no evidence of another one.
"""

import os
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from progress_plugin.log.entry import EntryDraft, data_of, text_of
from progress_plugin.log.retractions import retracted
from progress_plugin.model.status import Status
from progress_plugin.plans.status_changes import transitions
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.usecases.summarizing.baselines import Baselines
from progress_plugin.usecases.summarizing.sources import Sources

_NAMES = LazyPattern(r"[\w.#-]+")
MOST_AT_ONCE = 20
"""Finished tasks that one commit is noted for, the newest: each note repeats its files."""


class Commit(NamedTuple):
    """The commit that HEAD is at, made here since plans and logs were looked at."""

    id: str
    files: list[str]
    when: int
    """By the reflog, in seconds since 1970."""
    named: frozenset[str] = frozenset()
    """The stories of plans that its subject names, in small letters."""

    def may_prove(self, task: str | None) -> bool:
        """Return whether its subject names this task, or no story at all."""
        return not self.named or (task or "").casefold() in self.named


class Step(NamedTuple):
    """How HEAD has moved since plans and logs were looked at."""

    moved: bool
    commit: Commit | None
    """The commit it is at, if commits made here moved it there."""
    made_since: frozenset[str | None] = frozenset()
    """The commits that tasks were finished at, and that only commits have followed since."""
    commits: bool = False
    """The session that looks has just run a command that commits."""
    named: Commit | None = None
    """The commit that HEAD is at, made here, where it names a story that its plan has called done since."""


def step_of(sources: Sources, seen: Baselines, *, commits: bool = False) -> Step:
    """Ask git, which may take its time: no lock is held."""
    repository, head = sources.project.repository, sources.head
    moved = seen.head != head and not seen.is_first
    if repository is None or head is None:
        return Step(moved, None)
    followed = {seen.head, *seen.uncommitted.values()} & (repository.earlier_heads() if moved else set())
    made_here = seen.head in followed
    last = repository.last_local_commit()
    named = _named(sources, last.subject if last else "")
    proves_later = not seen.is_first and (made_here or not moved) and _done_since(sources, seen, named, head)
    if not (made_here or proves_later):
        return Step(moved, None)
    made = Commit(head, repository.files_of(head), last.time if last else 0, named)
    later = made if proves_later else None
    return (
        Step(moved, made, frozenset(followed), commits, later)
        if made_here
        else Step(moved, None, named=later)
    )


def _named(sources: Sources, subject: str) -> frozenset[str]:
    """Return the stories of plans that a subject names; an id without letter and digit may be any word."""
    words = {word.strip(".-#").casefold() for word in _NAMES.findall(subject)}
    ids = {story.id.casefold() for plan in sources.plans for story in plan.stories} if words else set()
    return frozenset(name for name in ids & words if not (name.isdigit() or name.isalpha()))


def _done_since(sources: Sources, seen: Baselines, named: frozenset[str], head: str) -> bool:
    """Return whether a plan has turned one of these stories done, and nobody has noted this commit for it."""
    if not named:
        return False
    noted = {
        (text_of(entry, "task_id") or "").casefold()
        for entry in sources.log.entries
        if data_of(entry).get("commit") == head
    }
    return any(
        transition.to is Status.DONE and transition.story.id.casefold() in named - noted
        for plan in sources.plans
        for transition in transitions(seen.plans.get(plan.path), plan, head, own_commit=True)[0]
    )


def proof_of(step: Step, sources: Sources, path: str, task: str | None) -> Commit | None:
    """Return the commit that a story of a plan or log is in: made here since that was written, or naming it.

    None where what the file says came later, or the commit names other stories.
    """
    if step.named is not None and (task or "").casefold() in step.named.named:
        return step.named
    commit = step.commit
    if commit is None or not commit.may_prove(task):
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
    proven: list[dict[str, Any]] = []
    told: set[tuple[str | None, ...]] = set()
    for name, entry in _waiting(sources, waiting):
        task = text_of(entry, "task_id")
        what = (text_of(entry, "spec"), task or name, text_of(data_of(entry), "plan"))
        if what in told:
            continue  # it was done once more since: that one waits, or has its commit
        told.add(what)
        if waiting[name] in step.made_since and _is_of(entry, session, step) and step.commit.may_prove(task):
            proven.append(entry)
        elif waiting[name] == sources.head or waiting[name] in step.made_since:
            seen.uncommitted[name] = waiting[name]
    seen.uncommitted = dict(reversed(seen.uncommitted.items()))
    return [_draft(entry, step.commit) for entry in reversed(proven[:MOST_AT_ONCE])]


def _waiting(sources: Sources, ids: Container[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the entries of these ids, newest first: as they count, or as what was added on this branch."""
    whole = {text_of(entry, "id"): entry for entry in sources.log.entries}
    gone = retracted(sources.log.log.entries)
    for part in reversed(sources.log.log.entries):
        name = text_of(part, "id")
        if name is None or name not in ids:
            continue
        if name in whole:
            yield name, whole[name]
        elif name not in gone and "supplements" in data_of(part):
            yield name, part


def _is_of(entry: dict[str, Any], session: str | None, step: Step) -> bool:
    """Return whether a session finished a task; where the entry names none, the one that commits next did."""
    finished_by = text_of(data_of(entry), "session_id")
    return finished_by == session or (finished_by is None and step.commits)


def _draft(entry: dict[str, Any], commit: Commit) -> EntryDraft:
    first = text_of(data_of(entry), "supplements") or entry["id"]
    data = {"supplements": first, "commit": commit.id, "files_modified": commit.files}
    task, spec = text_of(entry, "task_id"), text_of(entry, "spec")
    return EntryDraft("task_completed", data, spec=spec, task_id=task, signal="commit")
