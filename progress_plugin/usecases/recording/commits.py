"""Which commit is evidence for a finished story: one made here after it that names no other story."""

from __future__ import annotations

import re
from collections.abc import Iterable
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

    def proves(self, task: str | None) -> bool:
        """Return whether it is evidence for a task: it names the task, or no story at all."""
        return not self.named or (task or "").casefold() in self.named

    def as_data(self) -> dict[str, Any]:
        """Return what an entry says of it."""
        return {"commit": self.id, "files_modified": self.files}


@dataclass(frozen=True, slots=True)
class Head:
    """The commit that is checked out, and how HEAD has moved there since plans and logs were looked at."""

    id: str | None
    is_moved: bool = False
    earlier: frozenset[str | None] = frozenset()  # from which only commits made here have led to it
    is_new: bool = False  # whether only such commits have moved it since the last look
    commit: Commit | None = None

    @property
    def is_foreign(self) -> bool:
        """Whether a checkout, a pull or a merge has moved it."""
        return self.is_moved and not self.is_new

    def proof_of(self, task: str | None) -> dict[str, Any]:
        """Return what an entry of a story that was just found finished says of the commit; empty for none."""
        is_proof = self.commit and self.commit.proves(task) and (self.is_new or self.commit.named)
        return self.commit.as_data() if self.commit and is_proof else {}


def read_head(project: Project, last_seen: LastSeen, plans: Iterable[PlanState]) -> Head:
    """Ask git, which may take its time: the caller holds no lock."""
    repository, head = project.repository, project.head()[1]
    is_moved = not last_seen.is_first and last_seen.head != head
    if repository is None or head is None:
        return Head(head, is_moved)
    waiting = {at for at in last_seen.uncommitted.values() if at != head}
    earlier = frozenset(repository.earlier_heads()) if is_moved or waiting else frozenset()
    last = repository.last_local_commit()
    if last is None or last.id != head:
        return Head(head, is_moved, earlier)
    is_new = is_moved and last_seen.head in earlier
    words = {word.strip(".-#").casefold() for word in _NAME.findall(last.subject)}
    ids = {each.item.id.casefold() for plan in plans for each in plan.items if each.item.id}
    named = frozenset(name for name in words & ids if not (name.isdigit() or name.isalpha()))
    if not (is_new or named or waiting & earlier):
        return Head(head, is_moved, earlier)
    return Head(head, is_moved, earlier, is_new, Commit(head, repository.files_of(head), named))


def add_evidence(
    log: LogHistory, last_seen: LastSeen, session: str | None, head: Head, *, is_committer: bool
) -> list[EntryDraft]:
    """Return supplements by which the last commit proves stories that were finished before it.

    Those are stories of this session, and stories of no known session if this one has run the commit. What
    other sessions finished goes on waiting; after a checkout nothing does.
    """
    waiting, last_seen.uncommitted = last_seen.uncommitted, {}
    whole = {text_of(entry, "id"): entry for entry in log.entries}
    gone = retracted(log.log.entries)
    proven: dict[tuple[str | None, ...], EntryDraft] = {}  # one for each story
    for part in log.log.entries:
        name = text_of(part, "id")
        if name is None or name not in waiting or name in gone:
            continue
        entry = whole.get(name, part)
        data, task, spec = data_of(entry), text_of(entry, "task_id"), text_of(entry, "spec")
        owner = text_of(data, "session_id")
        is_ours = owner == session or (owner is None and is_committer)
        is_followed = waiting[name] != head.id and waiting[name] in head.earlier
        if head.commit and is_followed and is_ours and head.commit.proves(task):
            facts = {"supplements": text_of(data, "supplements") or name, **head.commit.as_data()}
            draft = EntryDraft("task_completed", facts, spec=spec, task_id=task, signal="commit")
            proven[spec, task or name, text_of(data, "plan")] = draft
        elif is_followed or waiting[name] == head.id:
            last_seen.uncommitted[name] = waiting[name]
    return list(proven.values())[-MAX_PROVEN:]
