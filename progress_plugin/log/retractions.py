"""Which entries later ones took back, and which learnings are muted.

An entry that is retracted counts no more (`log.supplements`, `effective`). What a plan itself says of a story
is not taken back with it: that status counts (`summary.merged_story_status`, `_by_plan`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of


def retracted(entries: Iterable[dict[str, Any]]) -> set[str]:
    """Return the ids that later corrections took back."""
    return {name for entry in _holding("retracts", entries) for name in texts_of(data_of(entry), "retracts")}


def muted(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[str]:
    """Return the learnings that somebody wants to see no more; retracting the entry shows them again.

    `hidden` are ids retracted elsewhere.
    """
    return [text for _, texts in muting(entries, hidden) for text in texts]


def muting(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[tuple[str, list[str]]]:
    """Return the ids of the entries that mute something and hold, each with the learnings; see `muted`."""
    given = list(entries)
    found = _holding("mutes", given)
    gone = retracted(given) | set(hidden) if found else set()
    named = [(text_of(entry, "id") or "", texts_of(data_of(entry), "mutes")) for entry in found]
    return [each for each in named if each[0] not in gone]


def _holding(name: str, entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries whose data have this field: hardly any, and it is asked of all of them."""
    return [entry for entry in entries if isinstance(data := entry.get("data"), dict) and name in data]
