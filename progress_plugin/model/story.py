"""Stories and the plans that hold them, as every plan reader returns them.

Skipped stories do not count (`Counts.counted`), nor do parts of a story.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from progress_plugin.model.status import Status


class Story(NamedTuple):
    """One unit of a plan: a user story, task, feature, phase or issue."""

    id: str
    """As written in the plan; numbers become strings; the 1-based position where the plan has none.

    Unique within its plan: a repeated one gets `` (2)`` and a line in ``Plan.problems``."""
    title: str
    status: Status
    position: int
    """Place in the plan, from 0."""
    depends_on: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()
    """Of a pending story the unfinished dependencies; of one blocked by dependencies those that block it."""
    attempts: int = 0
    agent: str | None = None
    completed_at: str | None = None
    """ISO 8601 as written in the plan, or None."""
    description: str = ""
    notes: str = ""
    issue: str | None = None
    """Why it is blocked or failed, where the plan says so."""
    subtasks: tuple["Story", ...] = ()
    """Shown with their parent, never counted."""
    line: int | None = None
    """1-based, where the format is read by lines."""
    positional: bool = False
    """The plan gives no id, so `id` is only the position and changes when a story is put before it."""
    criteria: tuple[str, ...] = ()
    """What it has to fulfil, where the plan lists that as plain texts."""
    priority: float | None = None
    """The less, the sooner it is to be begun; None where the plan says no order but that of the file."""
    says_pending: bool = False
    """The plan has a word such as `pending` for it: that nobody is at it, whatever a log says."""


class Plan(NamedTuple):
    """One plan file with its stories in file order."""

    path: str
    """Relative to the project root, with forward slashes."""
    format: str
    """prd, feature-list, task-master, agent-os, beads or planning-with-files."""
    stories: tuple["Story", ...]
    name: str | None = None
    branch: str | None = None
    started: str | None = None
    """ISO 8601 as written, where the plan says when it was begun."""
    settings: dict[str, Any] | None = None
    """The `optimization` object of a prd.json, unchecked."""
    drift: tuple[str, ...] = ()
    """Contradictions inside the plan, one sentence each."""
    problems: tuple[str, ...] = ()
    """What could not be read, one line each; the rest of the file counts."""
    remarks: tuple[tuple[int, int], ...] = ()
    """First line, and line after the last, of what the file says beside its stories: decisions, errors."""


class Counts(Counter[Status]):
    """How many stories have which status, and the share that is done: every output asks here."""

    @property
    def done(self) -> int:
        """Stories that are done."""
        return self[Status.DONE]

    @property
    def counted(self) -> int:
        """Stories that count; skipped ones do not."""
        return self.total() - self[Status.SKIPPED]

    def percent(self, digits: int = 0) -> float | None:
        """Return the percentage that is done; 100 only where all is, None where no story counts."""
        if not self.counted:
            return None
        if self.done == self.counted:
            return 100.0
        return min(round(100 * self.done / self.counted, digits), 100.0 - 10.0**-digits)

    def as_object(self) -> dict[str, int]:
        """Return the figures by status as a JSON object, with every status as a key."""
        return {status.value: self[status] for status in Status}

    @classmethod
    def of_object(cls, numbers: Mapping[str, int]) -> "Counts":
        """Return what `as_object` was made from."""
        return cls({Status(name): number for name, number in numbers.items()})


def counts_of(stories: Iterable["Story"]) -> Counts:
    """Return how many of these stories have which status."""
    return Counts(story.status for story in stories)


def count(stories: Iterable["Story"]) -> dict[str, int]:
    """Return the same as a JSON object."""
    return counts_of(stories).as_object()
