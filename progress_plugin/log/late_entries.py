"""Entries that come late, put where their time puts them."""

from __future__ import annotations

from typing import Any

from progress_plugin.log.entry import when_of


def in_order(items: list[Any], added: list[Any]) -> list[Any]:
    """Put each added entry before the first that is newer; those that are there keep their order.

    Of one second and one writer the id tells which came first: a release follows its claim on every machine.
    """
    waiting = sorted(added, key=_order, reverse=True)
    merged = []
    for item in items:
        place = _order(item)
        while waiting and _order(waiting[-1]) < place:
            merged.append(waiting.pop())
        merged.append(item)
    return [*merged, *reversed(waiting)]


def place_in_session(entry: Any) -> int:
    """Return what orders entries of one second: a session begins first, and ends last."""
    kind = entry.get("type") if isinstance(entry, dict) else None
    return {"session_started": 0, "session_ended": 2}.get(str(kind), 1)


def _order(entry: Any) -> tuple[Any, int, str]:
    name = entry.get("id") if isinstance(entry, dict) else ""
    return when_of(entry), place_in_session(entry), str(name)
