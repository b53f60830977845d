"""Members of a transcript's records: each may be missing or of another type than usual."""

import json
from typing import Any


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
    """Return the value at a path of members; None without one."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def joined(content: Any) -> str:
    """Return the text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return text({"": content}, "")
    blocks = content if isinstance(content, list) else []
    return "\n".join(found for block in blocks if (found := text(block, "text")))


def parsed(data: str) -> Any:
    """Return the value of a JSON text; None if it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
