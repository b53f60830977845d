"""What an entry is about in one line, and what it says besides."""

from __future__ import annotations

import json
from typing import Any

from progress_plugin.log.entry import CLAIM, data_of, is_claim, text_of, texts_of
from progress_plugin.log.merge import EARLIER, EARLIER_NOTES
from progress_plugin.text.safe_output import one_line, points, stored_line

CLAIMED = "story claimed"
_HEADLINES = ("description", "issue", "focus_task", "resolution", "root_cause", "reason", "context", "notes")
_FIELDS_OF_TYPE = {
    "session_started": ("focus_task", "context"),
    "scope_override": ("requested_tasks", "reason"),
    "debug_resolved": ("root_cause", "resolution"),
}
_CORRECTIONS = {"retracts": "entry retracted", "mutes": "learning muted"}


def headline(entry: dict[str, Any]) -> str:
    """Return what an entry is about: the first sentence of the field that describes it."""
    data, field = data_of(entry), headline_field(entry)
    if entry.get("type") == "session_ended" and field in (None, "reason"):
        return one_line(_end_of_session(data))
    found = points(text_of(data, field) or "") if field else []
    first = found[0].rstrip(" :") if len(found) > 1 else "".join(found[:1])
    return stored_line(first or text_of(entry, "task_id") or type_words(entry))


def headline_field(entry: dict[str, Any]) -> str | None:
    """Return which field of its data an entry's headline is taken from."""
    data = data_of(entry)
    return next((name for name in _HEADLINES if text_of(data, name)), None)


def below_headline(entry: dict[str, Any]) -> list[str]:
    """Return the rest of an entry's text, a line for each point, and the fields that belong to its type."""
    data, field = data_of(entry), headline_field(entry)
    lines = points(text_of(data, field) or "")[1:] if field else []
    notes = [] if field == "notes" else [text_of(data, "notes") or ""]
    lines += [point for text in (*notes, *texts_of(data, EARLIER_NOTES)) for point in points(text)]
    lines += [point for text in texts_of(data, EARLIER) for point in points(text)]
    named = _FIELDS_OF_TYPE.get(text_of(entry, "type") or "", ())
    more = [with_name(data, name) for name in named if name != field and texts_of(data, name)]
    return [*map(stored_line, lines), *more]


def type_words(entry: dict[str, Any]) -> str:
    """Return an entry's type in words, `task completed`; claims and corrections have their own."""
    data = data_of(entry)
    if is_claim(entry):
        return "story released" if data[CLAIM].get("released") is True else CLAIMED
    if entry.get("type") == "scope_override":
        for name, words in _CORRECTIONS.items():
            if data.get(name):
                return words
    return (text_of(entry, "type") or "entry").replace("_", " ")


def with_name(data: dict[str, Any], name: str) -> str:
    """Return a field as one line: `Focus task: US-013`."""
    value = data[name]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = "; ".join(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return stored_line(f"{name.replace('_', ' ').capitalize()}: {'; '.join(points(text))}")


def _end_of_session(data: dict[str, Any]) -> str:
    tasks, minutes = (text_of(data, name) for name in ("tasks_completed", "duration_minutes"))
    facts = [f"{tasks} task{'' if tasks == '1' else 's'} completed"] if tasks else []
    facts += [f"~{minutes} minute{'' if minutes == '1' else 's'}"] if minutes else []
    return f"session ended: {', '.join(facts)}" if facts else "session ended"
