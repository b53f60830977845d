"""Entries for people: each as one line, and all as `progress.md`, by day, newest first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from progress_plugin.log.entry import (
    ICONS,
    OTHER_ICON,
    data_of,
    sort_time,
    text_of,
    texts_of,
    time_of,
    writer_of,
)
from progress_plugin.log.merge import EMPTY, effective
from progress_plugin.text.safe_output import one_line, points, statements, stored_item, stored_line

_HEADLINES = ("description", "issue", "focus_task", "resolution", "root_cause", "reason", "context", "notes")
_CORRECTIONS = {"retracts": "entry retracted", "mutes": "learning muted"}
_LABELS = {"description": "Details", "duration_minutes": "Duration", "notes": "Notes", "next_steps": "Next"}
_INTERNAL = frozenset(
    {"key", "plan", "plan_id", "plan_branch", "title", "recorded_by", "supplements", "client_task"}
)  # and `session_id`, but for the start and end of a session


def render(document: dict[str, Any], entries: Iterable[dict[str, Any]]) -> str:
    """Return `progress.md` for a log's document and its entries in log order."""
    given = list(entries)
    metadata = document.get("metadata") or {}
    head = [
        "# Agent OS Progress Log",
        f"*Project: {stored_item(stored_line(str(document.get('project') or 'unknown')))}*",
        f"*Total entries: {metadata.get('total_entries', len(given))}*",
        "---",
    ]
    newest_first = sorted(effective(given), key=sort_time)[::-1]  # undated entries last
    days = groupby(newest_first, lambda entry: str(when.date()) if (when := time_of(entry)) else "Undated")
    text = "\n\n".join(head) + "\n\n" + "\n\n---\n\n".join(_render_day(*day) for day in days)
    if through := metadata.get("archived_through"):
        text += f"\n\n---\n\n*Older entries archived through {stored_line(str(through))} in `archive/`*"
    return text.rstrip("\n") + "\n"


def _render_day(day: str, entries: Iterable[dict[str, Any]]) -> str:
    texts = [f"## {day}"]
    for entry in entries:
        when, kind = time_of(entry), text_of(entry, "type") or ""
        time = f"{when.hour:02}:{when.minute:02}" if when else "--:--"
        title = stored_line(type_words(entry)).title()
        lines = [f"### {time} - {ICONS.get(kind, OTHER_ICON)} {title}", "", *_facts(entry)]
        if learnings := texts_of(data_of(entry), "learnings"):
            lines += ["", "**Learnings:**", ""]
            lines += [f"- {stored_item(point)}" for learning in learnings for point in statements(learning)]
        texts.append("\n".join(lines).rstrip("\n"))
    return "\n\n".join(texts)


def _facts(entry: dict[str, Any]) -> Iterator[str]:
    """Yield a list item for each field that a person reads, the usual ones first."""
    data = data_of(entry)
    named = [("Spec", text_of(entry, "spec")), ("Task", text_of(entry, "task_id")), ("By", writer_of(entry))]
    if data.get("description") in EMPTY:
        named.append(("Details", text_of(data, "title")))
    yield from (f"- **{label}**: {stored_item(value)}" for label, value in named if value is not None)
    is_session = text_of(entry, "type") in {"session_started", "session_ended"}
    for name in dict.fromkeys([*_LABELS, *data]):
        value = data.get(name)
        is_shown = name not in _INTERNAL and (name != "session_id" or is_session)
        if value in EMPTY or not is_shown or (name == "learnings" and texts_of(data, name)):
            continue
        words = stored_line(name.removesuffix("_id").replace("_", " ").replace("*", ""))
        label = _LABELS.get(name) or words[:1].upper() + words[1:] or "?"
        if name == "duration_minutes":
            yield f"- **{label}**: ~{_value(value)} minute{'' if value == 1 else 's'}"
        else:
            yield f"- **{label}**:{_value_or_list(value)}"


def _value_or_list(value: Any) -> str:
    """Return what follows a label: a space and the value, or a list below it for a text of several points."""
    found = points(value) if isinstance(value, str) and not value.isprintable() else []
    if len(found) > 1:
        return "".join(f"\n  - {stored_item(point)}" for point in found)
    return f" {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return stored_item(value)
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return stored_item(", ".join(map(str, value)))
    return stored_item(json.dumps(value, ensure_ascii=False))


def headline(entry: dict[str, Any]) -> str:
    """Return the first sentence of the field that describes an entry, else its task or its type."""
    data, field = data_of(entry), headline_field(entry)
    if entry.get("type") == "session_ended" and field in (None, "reason"):
        return one_line(_end_of_session(data))
    found = points(text_of(data, field) or "") if field else []
    first = found[0].rstrip(" :") if len(found) > 1 else "".join(found[:1])
    return stored_line(first or text_of(entry, "task_id") or type_words(entry))


def headline_field(entry: dict[str, Any]) -> str | None:
    """Return the name of the data field that holds an entry's headline."""
    return next((name for name in _HEADLINES if text_of(data_of(entry), name)), None)


def type_words(entry: dict[str, Any]) -> str:
    """Return an entry's type in words, e.g. `task completed`; a correction is named by its effect."""
    data = data_of(entry)
    if entry.get("type") == "scope_override":
        for name, words in _CORRECTIONS.items():
            if data.get(name):
                return words
    return (text_of(entry, "type") or "entry").replace("_", " ")


def _end_of_session(data: dict[str, Any]) -> str:
    tasks, minutes = (text_of(data, name) for name in ("tasks_completed", "duration_minutes"))
    facts = [f"{tasks} task{'' if tasks == '1' else 's'} completed"] if tasks else []
    facts += [f"~{minutes} minute{'' if minutes == '1' else 's'}"] if minutes else []
    return f"session ended: {', '.join(facts)}" if facts else "session ended"
