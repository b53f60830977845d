"""`progress.md`: the log as a person reads it. Text in, text out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any

from progress_plugin.log.entry import ICONS, OTHER_ICON, data_of, text_of, texts_of, time_of, writer_of
from progress_plugin.log.recent_entries import type_words
from progress_plugin.log.retractions import retracted
from progress_plugin.log.supplements import effective
from progress_plugin.text.safe_output import items, points, stored_item, stored_line

UNDATED = "Undated"
_NAMED = {
    "description": "Details",
    "earlier_descriptions": "Details",
    "duration_minutes": "Duration",
    "notes": "Notes",
    "earlier_notes": "Notes",
    "next_steps": "Next",
}
_EARLIER = ("earlier_descriptions", "earlier_notes")
_MACHINES = frozenset({
    "key", "plan", "plan_id", "plan_branch", "title", "recorded_by", "supplements", "client_task",
    "session_id",
})  # fmt: skip
"""Fields by which our own readers tell entries apart; nobody reads them."""
_OF_SESSIONS = ("session_started", "session_ended")
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_BELOW = "\n"
"""What a value begins with that is a list below its label."""


def render(document: dict[str, Any], entries: Iterable[dict[str, Any]]) -> str:
    """Return the whole of `progress.md` for a document's metadata and its entries in log order.

    What several entries say of one thing is written once, in the place of the first.
    """
    given = list(entries)
    gone = retracted(given)
    metadata = document.get("metadata") or {}
    told = _told(given, gone)
    number = len(given) - len(told)
    adding = f" ({number} of them {'adds to another' if number == 1 else 'add to others'})" if number else ""
    head = [
        "# Agent OS Progress Log",
        f"*Project: {stored_item(stored_line(str(document.get('project') or 'unknown')))}*",
        f"*Total entries: {metadata.get('total_entries', len(given))}{adding}*",
        "---",
    ]
    days = [_day(day, of_day, gone) for day, of_day in _by_day(told)]
    text = "\n\n".join(head) + "\n\n" + "\n\n---\n\n".join(days)
    through = metadata.get("archived_through")
    if through:
        text += f"\n\n---\n\n*Older entries archived through {stored_line(str(through))} in `archive/`*"
    return text.rstrip("\n") + "\n"


def _told(given: list[dict[str, Any]], gone: set[str]) -> list[dict[str, Any]]:
    """Return the entries with supplements merged in; what no longer counts is still shown, in its place."""
    counted = effective(given)
    if counted == given:  # nearly every log: nothing in it speaks of another entry
        return given
    as_they_are = set(map(id, counted))
    merged = {text_of(entry, "id"): entry for entry in counted}
    told = []
    for entry in given:
        name = text_of(entry, "id")
        if id(entry) in as_they_are or name in gone:
            told.append(entry)
        elif name and name in merged:
            told.append({**merged.pop(name), "timestamp": entry.get("timestamp")})
        elif "supplements" not in data_of(entry):
            told.append(entry)
    return told


def _by_day(entries: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group by UTC day, newest first; of one moment the later position is newer; undated ones last."""
    days: dict[str, list[tuple[datetime | None, dict[str, Any]]]] = {}
    for entry in reversed(entries):
        when = time_of(entry)
        days.setdefault(when.date().isoformat() if when else UNDATED, []).append((when, entry))
    undated = days.pop(UNDATED, None)
    for dated in days.values():
        dated.sort(key=itemgetter(0), reverse=True)
    ordered = [*sorted(days.items(), reverse=True), *([(UNDATED, undated)] if undated else [])]
    return [(day, [entry for _, entry in of_day]) for day, of_day in ordered]


def _day(day: str, entries: list[dict[str, Any]], gone: set[str]) -> str:
    texts = [f"## {day}"]
    for entry in entries:
        head, rest = _parts(entry)
        mark = " (retracted)" if gone and text_of(entry, "id") in gone else ""
        texts.append(f"{head}{mark}{rest}")
    return "\n\n".join(texts)


def _parts(entry: dict[str, Any]) -> tuple[str, str]:
    """Return the heading of an entry, and all that is below it."""
    when = time_of(entry)
    icon = (
        ICONS.get(entry.get("type") or "", OTHER_ICON) if isinstance(entry.get("type"), str) else OTHER_ICON
    )
    time = f"{when.hour:02}:{when.minute:02}" if when else "--:--"
    lines = ["", ""]
    lines += [
        f"- **{label}**:{value if value[:1] == _BELOW else f' {value}'}" for label, value in _facts(entry)
    ]
    learnings = texts_of(data_of(entry), "learnings")
    if learnings:
        told = [f"- {stored_item(point)}" for learning in learnings for point in items(learning)]
        lines += ["", "**Learnings:**", "", *told]
    return f"### {time} - {icon} {_title(type_words(entry))}", "\n".join(lines).rstrip("\n")


def _facts(entry: dict[str, Any]) -> Iterable[tuple[str, str]]:
    data = data_of(entry)
    for name, label in (("spec", "Spec"), ("task_id", "Task")):
        if (value := text_of(entry, name)) is not None:
            yield label, stored_item(value)
    if (writer := writer_of(entry)) is not None:
        yield "By", stored_item(writer)
    for name, label in _NAMED.items():
        if (value := data.get(name)) or value not in _EMPTY:
            yield from ((label, shown) for shown in _named_values(name, value))
        elif name == "description" and (title := text_of(data, "title")) is not None:
            yield label, stored_item(title)
    if entry.get("type") in _OF_SESSIONS and (session := text_of(data, "session_id")) is not None:
        yield "Session", stored_item(session)
    for name, value in data.items():
        if name in _NAMED or name in _MACHINES or (not value and value in _EMPTY):
            continue
        if not (name == "learnings" and texts_of(data, name)):
            yield _label(name), _value(value)


def _text(text: str) -> str:
    """Return a text as a list item's; one of several points as a list below it."""
    if text.isprintable():
        return stored_item(text)
    found = points(text)
    return "".join(f"\n  - {stored_item(point)}" for point in found) if len(found) > 1 else stored_item(text)


def _named_values(name: str, value: Any) -> list[str]:
    if name == "duration_minutes":
        return [f"~{_value(value)} minute{'' if value == 1 else 's'}"]
    if name in _EARLIER and isinstance(value, list):
        return [_value(part) for part in value if part not in _EMPTY]
    return [_value(value)]


@lru_cache(maxsize=100)
def _title(words: str) -> str:
    return stored_line(words).title()


@lru_cache(maxsize=100)  # of hundreds of entries the same few fields
def _label(name: str) -> str:
    words = stored_line(name.replace("_", " ").replace("*", ""))
    return words[:1].upper() + words[1:] or "?"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if type(value) is int:  # no bool
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return stored_item(", ".join(str(part) for part in value))
    return stored_item(json.dumps(value, ensure_ascii=False))
