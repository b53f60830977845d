"""Entries that speak about other entries, or about learnings: corrections and additions (S1.10, S11.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of


def retracted(entries: Iterable[dict[str, Any]]) -> set[str]:
    """Return the ids that later corrections took back."""
    return {name for data in _holding("retracts", entries) for name in texts_of(data, "retracts")}


def muted(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[str]:
    """Return the learnings that somebody wants to see no more; retracting the entry shows them again.

    `hidden` are ids retracted elsewhere.
    """
    given = list(entries)
    gone = retracted(given) | set(hidden)
    return [
        text
        for entry in given
        if text_of(entry, "id") not in gone
        for text in texts_of(data_of(entry), "mutes")
    ]


def effective(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the entries that count: without retracted ones, retractions and mutes, supplements merged in.

    `hidden` are ids retracted elsewhere. A supplement whose entry is not here stays an entry of its own.
    The entries given are left as they are; a merged one is a new object in the place of the first.
    """
    given = list(entries)
    gone = retracted(given) | set(hidden)
    if not gone and not any("supplements" in (data := data_of(entry)) or "mutes" in data for entry in given):
        return given  # nearly every log: nothing in it speaks of another entry
    places: dict[str, int] = {}
    result: list[dict[str, Any]] = []
    for entry in given:
        data = data_of(entry)
        if text_of(entry, "id") in gone or texts_of(data, "retracts") or texts_of(data, "mutes"):
            continue
        target = next((places[name] for name in texts_of(data, "supplements") if name in places), None)
        if target is None:
            target = len(result)
            result.append(entry)
        else:
            result[target] = _merged(result[target], entry)
        if isinstance(entry.get("id"), str):
            places.setdefault(entry["id"], target)
    return result


def _holding(name: str, entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the data of the entries that have this field: hardly any, and it is asked of all of them."""
    return [data for entry in entries if name in (data := data_of(entry))]


def _merged(first: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """Add the facts of a supplement: new fields, new items of lists; a text that was there stays."""
    data = dict(data_of(first))
    for name, value in data_of(later).items():
        if name == "supplements":
            continue
        present = data.get(name)
        if isinstance(present, list) and isinstance(value, list):
            data[name] = present + [item for item in value if item not in present]
        elif present in (None, "", []):
            data[name] = value
    return {**later, **first, "data": data}
