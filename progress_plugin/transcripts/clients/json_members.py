"""Members of a transcript's records: none may be required, and none needs to be of the kind it usually is."""

import json
from typing import Any

_ALWAYS_READ = 512 * 1024
"""Characters of a text that is never too dense."""
_MOST_MEMORY = 192 * 1024 * 1024
"""Bytes that the values of a text may take."""
_COSTS = {"{": 200, "[": 64, ",": 60}
"""Bytes that an object takes, a list, and what is in them."""
_PIECE = 256 * 1024


def text(value: Any, *names: str) -> str:
    """Return the string at a path of members; empty without one."""
    for name in names:  # as `at`, which would be asked a dozen times for every record
        if not isinstance(value, dict):
            return ""
        value = value.get(name)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def number(value: Any, *names: str) -> int | None:
    """Return the whole number at a path of members; None without one."""
    found = at(value, *names)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def items(value: Any, *names: str) -> list[Any]:
    """Return the list at a path of members; an empty one without."""
    found = at(value, *names)
    return found if isinstance(found, list) else []


def at(value: Any, *names: str) -> Any:
    """Return what stands at a path of members; None where it ends before."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def tables(value: Any) -> dict[str, dict[str, Any]]:
    """Return the objects in an object by name; none of anything else."""
    found = value.items() if isinstance(value, dict) else ()
    return {name: each for name, each in found if isinstance(each, dict)}


def joined(content: Any) -> str:
    """Return the text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return text({"": content}, "")
    blocks = content if isinstance(content, list) else []
    return "\n".join(found for block in blocks if (found := text(block, "text")))


def is_dense(data: str) -> bool:
    """Return whether a JSON text holds so many values that they would take many times its own room."""
    return len(data) >= _ALWAYS_READ and _room(data) > _MOST_MEMORY and _is_too_much(data)


def _room(data: str) -> int:
    return sum(cost * data.count(mark) for mark, cost in _COSTS.items())


def _is_too_much(data: str) -> bool:
    """Return whether the marks that stand in no string are too many; it is gone through a piece at a time."""
    room, at, is_string = 0, 0, False
    while at < len(data) and room <= _MOST_MEMORY:
        end = at + _PIECE
        while data[end - 1 : end] == "\\":
            end += 1
        rows = data[at:end].replace("\\\\", "").replace('\\"', "").split('"')
        room += _room("".join(rows[is_string::2]))
        is_string, at = is_string ^ (len(rows) % 2 == 0), end
    return room > _MOST_MEMORY


def parsed(data: str) -> Any:
    """Return the value of a JSON text; None where it is none, or takes too much room."""
    if is_dense(data):
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
