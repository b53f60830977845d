"""Two agents wrote one progress document: what of both can be kept together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from progress_plugin.memory.json_text import ExactNumber

_ABSENT = object()


def merge(base: Any, live: Any, offered: Any) -> tuple[Any, list[str]]:
    """Return both versions as one, and the fields where that is impossible; with any, the first is worthless.

    `base` is what the second writer had read, None where that revision is no longer known. Objects are merged
    by field and lists united, live items first; `next_steps` loses what `completed` has. A conflict is a
    scalar that differs, or something of the base that one of the two took away while the other kept it.
    """
    conflicts: list[str] = []
    merged = _values("", base if base is not None else _ABSENT, live, offered, conflicts)
    return merged, conflicts


def _values(path: str, base: Any, live: Any, offered: Any, conflicts: list[str]) -> Any:
    if value_identity(live) == value_identity(offered):
        return live
    if isinstance(live, dict) and isinstance(offered, dict):
        return _objects(path, base if isinstance(base, dict) else {}, live, offered, conflicts)
    if path and isinstance(live, list) and isinstance(offered, list):
        return [*live, *_without(offered, live)]
    conflicts.append(path or "the whole document")
    return live


def _objects(
    path: str, base: dict[str, Any], live: dict[str, Any], offered: dict[str, Any], conflicts: list[str]
) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for name in dict.fromkeys([*live, *offered]):
        place = f"{path}.{name}" if path else name
        if name in live and name in offered:
            merged[name] = _values(place, base.get(name, _ABSENT), live[name], offered[name], conflicts)
        elif name in base:
            conflicts.append(f"{place} (removed)")
        else:
            merged[name] = live.get(name, offered.get(name))
    _move_completed(merged)
    conflicts.extend(_removed_items(path, base, live, offered, merged))
    return merged


def _move_completed(merged: dict[str, Any]) -> None:
    steps, done = merged.get("next_steps"), merged.get("completed")
    if isinstance(steps, list) and isinstance(done, list):
        merged["next_steps"] = _without(steps, done, loosely)


def _removed_items(
    path: str, base: dict[str, Any], live: dict[str, Any], offered: dict[str, Any], merged: dict[str, Any]
) -> list[str]:
    """Name the lists that lost an item of the base on one side; a completed step is not lost."""
    named = []
    for name, before in base.items():
        mine, theirs = live.get(name), offered.get(name)
        if not (isinstance(before, list) and isinstance(mine, list) and isinstance(theirs, list)):
            continue
        done = merged.get("completed") if name == "next_steps" else None
        completed = {loosely(item) for item in done} if isinstance(done, list) else set()
        disputed = {value_identity(item) for item in mine} ^ {value_identity(item) for item in theirs}
        if any(value_identity(item) in disputed and loosely(item) not in completed for item in before):
            named.append(f"{path}.{name} (an item removed)" if path else f"{name} (an item removed)")
    return named


def _without(items: list[Any], others: list[Any], same: Callable[[Any], str] | None = None) -> list[Any]:
    same = same or value_identity
    seen = {same(item) for item in others}
    return [item for item in items if same(item) not in seen]


def value_identity(value: Any) -> str:
    """Return what distinguishes two JSON values: 1, 1.0, true and "1" differ, the order of names does not."""
    return json.dumps(value, sort_keys=True, default=_of_a_number)


def _of_a_number(number: ExactNumber) -> str:
    return f"\0{number.text}"


def loosely(value: Any) -> str:
    """Return the identity of a list item without regard to case and white space of a text."""
    return " ".join(value.split()).casefold() if isinstance(value, str) else value_identity(value)
