"""One entry of the progress log: its types, its id, its validation and its fields."""

import heapq
import json
import os
import re
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.log.timestamp import format_time, read_time

ICONS = {
    "session_started": "🚀",
    "session_ended": "🏁",
    "task_completed": "✅",
    "task_blocked": "⚠️",
    "debug_resolved": "🔧",
    "scope_override": "📋",
    "milestone_reached": "🎯",
}
OTHER_ICON = "📝"
ENTRY_TYPES = tuple(ICONS)  # types that may be written; an entry of any type is read

NO_REASON = "marked as blocked"  # the issue of a blocker that a plan states without a reason
UNSHARED = "unshared"  # member of an entry that is not in `shared/`, because `share` was false
WRITER = "writer"  # member of an entry of another clone: its name
CORRECTION_TYPE = "scope_override"  # of entries that retract others or mute learnings
REFERENCES = ("resolves", "retracts", "supplements")  # in an entry's data: ids of other entries

_BEGINNING = datetime.min.replace(tzinfo=UTC)
_ENCODER = json.JSONEncoder(ensure_ascii=False)
MAX_NESTING = 100  # Python 3.11 reads and writes JSON of up to about 1,000 levels
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID_DIGITS = 6
_ID_ENDING = re.compile(f"[{_DIGITS}]{{{_ID_DIGITS}}}")
_IDS_PER_SECOND = 36**_ID_DIGITS
_MAX_ID_STEP = 36**3  # a second has room for over 20,000 ids, and two clones hardly choose the same one


def new_draft(
    kind: str, data: dict[str, Any], spec: str | None = None, task_id: str | None = None, **more: Any
) -> dict[str, Any]:
    """Return an entry before it is logged: `new_entry` adds an id, and a timestamp if the draft has none.

    `more` are further members, such as `story` and `signal`; those that are None are left out.
    """
    members = {"type": kind, "spec": spec, "task_id": task_id, **more}
    return {**{name: value for name, value in members.items() if value is not None}, "data": data}


def new_entry(draft: dict[str, Any], *, now: datetime, taken: Collection[str | None]) -> dict[str, Any]:
    """Return the entry for a draft, with secrets and private parts removed from every text.

    `now` carries its zone, `taken` are the ids in the log. `check_draft` must have accepted a draft of a
    person or agent.
    """
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - only if something is written

    when = time_of(draft) or now
    # Through JSON and back, so that the result equals the stored entry, including tuples and number keys.
    entry, _ = redact_value(json.loads(json.dumps(draft)))
    data = entry.pop("data")
    return {"id": _new_id(when, taken), "timestamp": format_time(when), **entry, "data": data}


def check_draft(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a draft of a person or agent without secrets and private parts.

    Raises BadInput, naming all faults, if the draft may not be written, or has neither a task nor any data.
    """
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - only if something is written

    faults = faults_of(draft)
    if not faults:
        draft, _ = redact_value(draft)
        data: dict[str, Any] = draft["data"]
        faults = [
            f"{name} names no entry" for name in REFERENCES if name in data and not texts_of(data, name)
        ]
        values = (value.strip() if isinstance(value, str) else value for value in data.values())
        if not (draft.get("task_id") or any(values)):
            faults.append("an entry needs a task or some text; add --task or --description")
    if faults:
        raise BadInput(f"nothing was logged: {'; '.join(faults)}")
    return draft


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


_FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "description": (_is_text, "text"),
    "duration_minutes": (_is_amount, "a number, 0 or more"),
    **dict.fromkeys(
        ("learnings", "files_modified", "requested_tasks", "mutes"), (_are_texts, "a list of texts")
    ),
    **dict.fromkeys(
        REFERENCES,
        (lambda value: _is_text(value) or _are_texts(value), "an entry's id, or a list of them"),
    ),
}
"""For some members of an entry's data: a check of the value, and the allowed values in words."""


def faults_of(draft: dict[str, Any]) -> list[str]:
    """Return every reason to reject a draft, each a clause with the allowed values."""
    faults = []
    if draft["type"] not in ENTRY_TYPES:
        faults.append(f"type must be one of {', '.join(ENTRY_TYPES)}")
    for name in ("spec", "task_id"):
        value = draft.get(name)
        if value is not None and not (isinstance(value, str) and value.strip()):
            faults.append(f"{name} must be text, or left out")
    data = draft["data"]
    if not isinstance(data, dict):
        return [*faults, "data must be a JSON object"]
    for name, (is_form, form) in _FORMS.items():
        if data.get(name) is not None and not is_form(data[name]):
            faults.append(f"data.{name} must be {form}")
    try:
        json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return [*faults, f"data is not JSON: {error}"]
    if is_deep(data):
        faults.append(f"data nests more than {MAX_NESTING} levels deep")
    return faults


def is_deep(value: Any) -> bool:
    """Return whether a JSON value nests too deeply to be written or imported."""
    level = [value]
    for _ in range(MAX_NESTING):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(value: Any) -> Collection[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _new_id(when: datetime, taken: Collection[str | None]) -> str:
    """Return an id that is not in `taken`, and that comes after those of the same second.

    Git carries entries as files, sorted by name: so they keep their order within a second on every machine.
    """
    stamp = when.astimezone(UTC).strftime("entry-%Y%m%d-%H%M%S-")
    ends = (name.removeprefix(stamp) for name in taken if name and name.startswith(stamp))
    last = max((int(end, 36) for end in ends if _ID_ENDING.fullmatch(end)), default=None)
    name: str | None = None
    while name is None or name in taken:
        random = int.from_bytes(os.urandom(8))
        number = random % (_IDS_PER_SECOND // 2) if last is None else last + 1 + random % _MAX_ID_STEP
        digits = (_DIGITS[number // 36**place % 36] for place in reversed(range(_ID_DIGITS)))
        name = stamp + "".join(digits)
    return name


def data_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry's data; empty if it has none that can be read."""
    data = entry.get("data")
    return data if isinstance(data, dict) else {}


def text_of(holder: dict[str, Any], name: str) -> str | None:
    """Return the text of a field, or its number as text; None for blank text and any other value."""
    value = holder.get(name)
    if isinstance(value, str):
        return value if value and not value.isspace() else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else None


def texts_of(holder: dict[str, Any], name: str) -> list[str]:
    """Return a field that should be a list of texts, without blank texts; a single text becomes a list."""
    value = holder.get(name)
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and item.strip()]


def is_signal(entry: dict[str, Any]) -> bool:
    """Return whether an entry was made from a signal, such as an edit of a plan, and not stated by anyone."""
    return "signal" in entry


def writer_of(entry: dict[str, Any]) -> str | None:
    """Return the name of the other clone that wrote an entry; None for one that was written here."""
    return text_of(entry, WRITER)


def time_of(entry: dict[str, Any]) -> datetime | None:
    """Return an entry's time in UTC; None if it has none that can be read."""
    return read_time(entry.get("timestamp"))


def sort_time(item: Any) -> datetime:
    """Return the time of an item of a log; one without a time comes before all others."""
    return (time_of(item) if isinstance(item, dict) else None) or _BEGINNING


def in_order(items: list[Any], added: list[Any]) -> list[Any]:
    """Put each added entry before the first newer one of `items`, which keep their order."""
    return list(heapq.merge(items, sorted(added, key=_order), key=_order))


def _order(item: Any) -> tuple[datetime, int, str]:
    """Return a sort key: the time. Within one second session starts come first, session ends last.

    Then the ids decide: one writer's ids of a second are in the order in which the entries were written.
    """
    entry = item if isinstance(item, dict) else {}
    place = {"session_started": 0, "session_ended": 2}.get(str(entry.get("type")), 1)
    return sort_time(item), place, str(entry.get("id"))


def json_line(value: Any) -> bytes:
    """Return a value as one line of JSON in UTF-8; in ASCII if it has half a surrogate pair."""
    try:
        return _ENCODER.encode(value).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def canonical(item: Any) -> str:
    """Return a text that two items of a log share only if they are equal."""
    try:
        return json.dumps(item, sort_keys=True)
    except RecursionError:
        return f"too deep: {id(item)}"


def entry_identity(item: Any) -> str:
    """Return a text that two copies of an entry share: its id, time and type; all of it if it has no id."""
    if isinstance(item, dict) and isinstance(item.get("id"), str):
        return f"{item['id']}\n{item.get('timestamp')!r}\n{item.get('type')!r}"
    return canonical(item)


def is_valid(entry: Any) -> bool:
    """Return whether an entry from a file has all required fields; an invalid one is kept anyway."""
    if not isinstance(entry, dict) or time_of(entry) is None:
        return False
    return all(text_of(entry, name) for name in ("id", "type")) and isinstance(entry.get("data", {}), dict)
