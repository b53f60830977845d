"""The status of an item, the words and marks that show it, and the types of entries that state one."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """The status of a story; in JSON output the values are the keys of every `counts` object."""

    DONE = "done"
    ACTIVE = "active"
    BLOCKED = "blocked"
    FAILED = "failed"
    SKIPPED = "skipped"
    PENDING = "pending"


FINISHED = frozenset({Status.DONE, Status.SKIPPED})  # nothing is left to do

SHOWN_WORDS: dict[str, str] = {
    Status.DONE: "complete",
    Status.ACTIVE: "in progress",
    Status.PENDING: "pending",
    Status.FAILED: "failed",
    Status.BLOCKED: "blocked",
    Status.SKIPPED: "skipped",
}
SHOWN_MARKS: dict[str, str] = {  # in the order of the legend
    Status.DONE: "✓",
    Status.ACTIVE: "→",
    Status.PENDING: "○",
    Status.FAILED: "✗",
    Status.BLOCKED: "⊘",
    Status.SKIPPED: "–",
}

STATUS_OF_TYPE = {"task_completed": Status.DONE, "task_blocked": Status.BLOCKED}  # other types state none
TYPE_OF_STATUS = {status: kind for kind, status in STATUS_OF_TYPE.items()}
SCOPE_CHANGE = "scope_override"  # the user wants something else than the plan says
