"""Members of a transcript's records: none may be required, and none needs to be of the kind it usually is."""

import json

from progress_plugin.core.light_typing import Any


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


def parsed(data: str) -> Any:
    """Return the value of a JSON text; None where it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
