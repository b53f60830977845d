"""Entries that speak about other entries, or about learnings: corrections and additions (S1.10, S11.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import canonical, data_of, text_of, texts_of


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
    grown: dict[int, _Grown] = {}
    for entry in given:
        data = data_of(entry)
        if text_of(entry, "id") in gone or texts_of(data, "retracts") or texts_of(data, "mutes"):
            continue
        target = next((places[name] for name in texts_of(data, "supplements") if name in places), None)
        if target is None:
            target = len(result)
            result.append(entry)
        else:
            if target not in grown:
                grown[target] = _Grown(result[target])
            grown[target].add(entry)
        if isinstance(entry.get("id"), str):
            places.setdefault(entry["id"], target)
    for target, whole in grown.items():
        result[target] = whole.entry
    return result


def _holding(name: str, entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the data of the entries that have this field: hardly any, and it is asked of all of them."""
    return [data for entry in entries if name in (data := data_of(entry))]


class _Grown:
    """An entry with its supplements: new fields, new items of lists; a text that was there stays."""

    def __init__(self, first: dict[str, Any]) -> None:
        self._data = dict(data_of(first))
        self.entry = {**first, "data": self._data}
        self._known: dict[str, set[str]] = {}

    def add(self, later: dict[str, Any]) -> None:
        """Add the facts of one supplement, at the cost of what it tells and not of what is known."""
        for name, value in later.items():
            self.entry.setdefault(name, value)
        for name, value in data_of(later).items():
            present = self._data.get(name)
            if name == "supplements":
                continue
            if isinstance(present, list) and isinstance(value, list):
                self._extend(name, present, value)
            elif present in (None, "", []):
                self._data[name] = value

    def _extend(self, name: str, present: list[Any], added: list[Any]) -> None:
        if name not in self._known:
            self._known[name] = set(map(canonical, present))
            present = self._data[name] = list(present)
        known = self._known[name]
        for item in added:
            key = canonical(item)
            if key not in known:
                known.add(key)
                present.append(item)
