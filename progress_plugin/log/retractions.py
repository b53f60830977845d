"""Entries that speak about other entries, or about learnings: corrections and additions (S1.10, S11.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import data_of, is_signal, text_of, texts_of


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
    The entries given are left as they are; a merged one is a new object. It stands where somebody last said
    something, so that their words are as new as they are; what a signal adds moves nothing.
    """
    given = list(entries)
    gone = retracted(given) | set(hidden)
    if not gone and not any("supplements" in (data := data_of(entry)) or "mutes" in data for entry in given):
        return given  # nearly every log: nothing in it speaks of another entry
    places: dict[str, int] = {}
    result: list[dict[str, Any] | None] = []
    for entry in given:
        data = data_of(entry)
        if text_of(entry, "id") in gone or texts_of(data, "retracts") or texts_of(data, "mutes"):
            continue
        target = next((places[name] for name in texts_of(data, "supplements") if name in places), None)
        known = result[target] if target is not None else None
        if target is None or known is None:
            target = len(result)
            result.append(entry)
        elif is_signal(entry) and entry.get("type") != "session_ended":
            result[target] = merged(known, entry)
        else:
            result[target] = None
            _move(places, target, len(result))
            target = len(result)
            result.append(merged(known, entry))
        if isinstance(entry.get("id"), str):
            places.setdefault(entry["id"], target)
    return [entry for entry in result if entry is not None]


def _move(places: dict[str, int], old: int, new: int) -> None:
    for name in [name for name, place in places.items() if place == old]:
        places[name] = new


def _holding(name: str, entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the data of the entries that have this field: hardly any, and it is asked of all of them."""
    return [data for entry in entries if name in (data := data_of(entry))]


EARLIER = "earlier_descriptions"
"""Field of a merged entry: what was said of the same thing before `description`, newest first."""


def merged(first: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with the facts of its supplement (S11.3).

    Lists are united. Of other fields the newest value counts, but what somebody said goes before what a
    signal made up. No description that somebody gave is dropped: the older ones are `earlier_descriptions`.
    """
    said_first, said_later = not is_signal(first), not is_signal(later)
    data = dict(data_of(first))
    for name, value in data_of(later).items():
        present = data.get(name)
        if name in ("supplements", "description") or value in _EMPTY:
            continue
        if isinstance(present, list) and isinstance(value, list):
            data[name] = present + [item for item in value if item not in present]
        elif present in _EMPTY or said_later or not said_first:
            data[name] = value
    if said_later and not said_first and text_of(data_of(later), "description"):
        _drop_reason(data, data_of(first), data_of(later))
    _describe(data, data_of(later), replaces=said_later, keeps=said_first)
    result = {**later, **first, "data": data}
    if said_first or said_later:
        result.pop("signal", None)
    if said_later:
        result["timestamp"] = later.get("timestamp", first.get("timestamp"))
        if said_first is False and "story" not in result:
            result["story"] = None  # of an older version: the member says that it is no signal any more
    elif later.get("type") == "session_ended":
        result["timestamp"] = later.get("timestamp", first.get("timestamp"))
    return result


_EMPTY: tuple[Any, ...] = (None, "", [], {})


def _drop_reason(data: dict[str, Any], first: dict[str, Any], later: dict[str, Any]) -> None:
    """Take out what a plan gave for a reason, where somebody says in their own words what is wrong."""
    for name in ("issue", "notes"):
        if name not in later and data.get(name) == first.get(name):
            data.pop(name, None)


def _describe(data: dict[str, Any], later: dict[str, Any], *, replaces: bool, keeps: bool) -> None:
    new, old = text_of(later, "description"), text_of(data, "description")
    if new is None or new == old or not (replaces or old is None):
        return
    earlier = [*([old] if keeps and old else []), *texts_of(data, EARLIER)]
    data["description"] = new
    kept = [text for text in dict.fromkeys(earlier) if text != new]
    if kept:
        data[EARLIER] = kept
