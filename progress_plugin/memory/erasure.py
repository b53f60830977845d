"""What must not stay is taken out of the observations, those that were deleted or replaced too."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from progress_plugin.memory import full_text
from progress_plugin.memory.database import Store
from progress_plugin.memory.observation import normalized_hash

_TEXTS = ("title", "content", "tool_name")
_NAMES = ("project", "topic_key")


class Holder(NamedTuple):
    """One observation that holds it."""

    id: int
    project: str | None
    times: int
    """How often it is in the texts of the row."""
    is_named: bool
    """Whether it is in a name of the row, by which it is found."""
    topic: str | None = None
    """The topic key of the row."""


def holders(store: Store, count: Callable[[str], int]) -> list[Holder]:
    """Return the observations that hold what `count` finds in a text, in order of their ids."""
    found = []
    for number, project, *texts in _rows(store):
        named, written = texts[: len(_NAMES)], texts[len(_NAMES) :]
        times = sum(map(count, filter(None, written)))
        holder = Holder(number, project, times, any(map(count, filter(None, named))), named[1])
        if holder.times or holder.is_named:
            found.append(holder)
    return found


def broken_by(store: Store, without: Callable[[str], str]) -> int | None:
    """Return the id of an observation whose JSON would be none any longer."""
    contents = store.connection.execute("SELECT id, content FROM observations ORDER BY id")
    return next(
        (
            number
            for number, text in contents
            if (left := without(text)) != text and _is_json(text) and not _is_json(left)
        ),
        None,
    )


def take_out(store: Store, without: Callable[[str], str]) -> None:
    """Replace every text of a row by what `without` leaves of it; names stay. In a transaction."""
    for number, _, *texts in _rows(store):
        written = texts[len(_NAMES) :]
        left = [without(text) if text else text for text in written]
        if left == written:
            continue
        store.connection.execute(
            "UPDATE observations SET title = ?, content = ?, tool_name = ?, normalized_hash = ? WHERE id = ?",
            (*left, normalized_hash(left[1]), number),
        )
    # What was deleted stays in the index until it is merged some time.
    full_text.rebuild(store.connection)


def _rows(store: Store) -> list[Any]:
    columns = ", ".join(("id", "project", *_NAMES, *_TEXTS))
    return store.connection.execute(f"SELECT {columns} FROM observations ORDER BY id").fetchall()


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
