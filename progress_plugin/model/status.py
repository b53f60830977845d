"""The one status model of stories, whatever the words of the file they stand in (S5.4)."""

from __future__ import annotations

import re
from enum import StrEnum


class Status(StrEnum):
    """Where a story stands; the values are the keys of every ``counts`` object."""

    DONE = "done"
    ACTIVE = "active"
    BLOCKED = "blocked"
    FAILED = "failed"
    SKIPPED = "skipped"
    PENDING = "pending"


_WORDS: dict[Status, tuple[str, ...]] = {
    Status.DONE: ("done", "completed", "closed", "pass", "passed", "passing", "complete", "implemented"),
    Status.ACTIVE: ("inprogress", "hooked", "review", "pendingreview", "active", "partial"),
    Status.BLOCKED: ("blocked",),
    Status.FAILED: ("failed", "notimplemented"),
    Status.SKIPPED: ("skipped", "cancelled", "canceled", "deferred", "expanded", "wontfix"),
    Status.PENDING: ("pending", "open", "todo", "notstarted", "ready", "planned", "backlog", "queued"),
}
_BY_WORD = {word: status for status, words in _WORDS.items() for word in words}
_BY_MARK = {
    "✅": Status.DONE,
    "☑": Status.DONE,
    "✔": Status.DONE,
    "✓": Status.DONE,
    "[x]": Status.DONE,
    "🔄": Status.ACTIVE,
    "→": Status.ACTIVE,
    "⊘": Status.BLOCKED,
    "🚫": Status.BLOCKED,
    "❌": Status.FAILED,
    "✗": Status.FAILED,
    "[ ]": Status.PENDING,
    "○": Status.PENDING,
    "⏳": Status.PENDING,
    "⏸": Status.PENDING,
}
_LEADING_MARKS = re.compile(r"^[^\w\[]+|^\[[ xX]\]\s*")
_JOINERS = re.compile(r"[\s\-_'’]+")


def parse_status(text: str) -> Status | None:
    """Return the status a word or mark stands for, or None for a word of another language.

    Case, spaces, ``-``, ``_`` and leading emoji do not count; a mark alone counts as itself.
    """
    text = text.strip().strip("*`").strip()
    word = _JOINERS.sub("", _LEADING_MARKS.sub("", text)).casefold()
    if word:
        return _BY_WORD.get(word)
    return next((status for mark, status in _BY_MARK.items() if text.casefold().startswith(mark)), None)
