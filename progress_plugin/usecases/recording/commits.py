"""Which commit is evidence for a finished story: one made here since the last look, or one that names it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.log.entry import EntryDraft, data_of, text_of
from progress_plugin.log.history import LogHistory
from progress_plugin.log.merge import retracted
from progress_plugin.state.state import PlanState
from progress_plugin.usecases.recording.last_seen import LastSeen

MAX_PROVEN = 20  # finished stories that one commit is noted for: each note repeats its files
_NAME = re.compile(r"[\w.#-]+")


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit that is checked out, if it was made here."""

    id: str
    files: list[str]
    named: frozenset[str]  # ids of stories in its subject, in small letters
    is_new: bool  # made since plans and logs were looked at

    def names(self, task: str | None) -> bool:
        """Return whether its subject names a task."""
        return (task or "").casefold() in self.named

    def proves(self, task: str | None) -> bool:
        """Return whether it names a task that is found finished now; a new one that names none proves any."""
        return self.names(task) or (self.is_new and not self.named)

    def as_data(self) -> dict[str, Any]:
        """Return what an entry says of it."""
        return {"commit": self.id, "files_modified": self.files}


@dataclass(frozen=True, slots=True)
class Head:
    """The commit that is checked out, and how HEAD has moved there since plans and logs were looked at."""

    id: str | None
    is_moved: bool = False
    earlier: frozenset[str | None] = frozenset()  # from which only commits made here have led to it
    commit: Commit | None = None

    @property
    def is_foreign(self) -> bool:
        """Whether a checkout, a pull or a merge has moved it."""
        return self.is_moved and not (self.commit and self.commit.is_new)


def read_head(project: Project, last_seen: LastSeen, plans: Iterable[PlanState]) -> Head:
    """Ask git, which may take its time: the caller holds no lock."""
    repository, head = project.repository, project.head()[1]
    is_moved = not last_seen.is_first and last_seen.head != head
    if repository is None or head is None:
        return Head(head, is_moved)
    waiting = {at for at in last_seen.uncommitted.values() if at != head}
    earlier = frozenset(repository.earlier_heads()) if is_moved or waiting else frozenset()
    is_new = is_moved and last_seen.head in earlier
    last = repository.last_local_commit()
    if last is None or last.id != head:
        return Head(head, is_moved, earlier)
    words = {word.strip(".-#").casefold() for word in _NAME.findall(last.subject)}
    ids = {each.item.id.casefold() for plan in plans for each in plan.items if each.item.id}
    named = frozenset(name for name in words & ids if not (name.isdigit() or name.isalpha()))
    if not (is_new or named or waiting & earlier):
        return Head(head, is_moved, earlier)
    return Head(head, is_moved, earlier, Commit(head, repository.files_of(head), named, is_new))


def add_evidence(
    log: LogHistory, last_seen: LastSeen, session: str | None, head: Head, *, is_committer: bool
) -> list[EntryDraft]:
    """Return supplements by which the last commit proves stories that were finished before it.

    Those are stories of this session, and stories of no known session if this one has run the commit. What
    other sessions finished goes on waiting; after a checkout nothing does.
    """
    waiting, last_seen.uncommitted = last_seen.uncommitted, {}
    commit, proven = head.commit, []
    for name, entry in _waiting_entries(log, waiting):
        task = text_of(entry, "task_id")
        finished_by = text_of(data_of(entry), "session_id")
        is_ours = finished_by == session or (finished_by is None and is_committer)
        is_followed = waiting[name] != head.id and waiting[name] in head.earlier
        if commit and is_followed and is_ours and (commit.names(task) or not commit.named):
            proven.append(entry)
        elif is_followed or waiting[name] == head.id:
            last_seen.uncommitted[name] = waiting[name]
    return [_draft(entry, commit) for entry in proven[-MAX_PROVEN:] if commit]


def _waiting_entries(log: LogHistory, waiting: dict[str, str | None]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the newest entry about each story that waits, oldest first, as it counts."""
    whole = {text_of(entry, "id"): entry for entry in log.entries}
    gone = retracted(log.log.entries)
    newest: dict[tuple[str | None, ...], tuple[str, dict[str, Any]]] = {}
    for part in log.log.entries:
        name = text_of(part, "id")
        if name is None or name not in waiting or name in gone:
            continue
        entry = whole.get(name, part)
        task = text_of(entry, "task_id") or name
        newest[text_of(entry, "spec"), task, text_of(data_of(entry), "plan")] = (name, entry)
    yield from newest.values()


def _draft(entry: dict[str, Any], commit: Commit) -> EntryDraft:
    first = text_of(data_of(entry), "supplements") or entry["id"]
    data = {"supplements": first, **commit.as_data()}
    task, spec = text_of(entry, "task_id"), text_of(entry, "spec")
    return EntryDraft("task_completed", data, spec=spec, task_id=task, signal="commit")
