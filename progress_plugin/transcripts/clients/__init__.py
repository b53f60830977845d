"""Read the transcripts of each client as events.

The readers share these functions for members of JSON objects that may be missing or of another type.
"""

from typing import Any

from progress_plugin.transcripts.events import TaskList


def get_text(value: Any, *names: str) -> str:
    """Return the string at a path of members; empty without one."""
    found = get_value(value, *names)
    if not isinstance(found, str):
        return ""
    return found if found.isascii() else found.encode("utf-8", "replace").decode()


def get_int(value: Any, *names: str) -> int | None:
    """Return the whole number at a path of members; None without one."""
    found = get_value(value, *names)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def get_list(value: Any, *names: str) -> list[Any]:
    """Return the list at a path of members; an empty list if there is none."""
    found = get_value(value, *names)
    return found if isinstance(found, list) else []


def get_value(value: Any, *names: str) -> Any:
    """Return the value at a path of members; None without one."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def join_texts(content: Any) -> str:
    """Return the text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return get_text({"": content}, "")
    blocks = content if isinstance(content, list) else []
    return "\n".join(found for block in blocks if (found := get_text(block, "text")))


def task_list(when: str, tasks: list[Any], name: str) -> TaskList:
    return TaskList(when, tuple((get_text(task, name), get_text(task, "status")) for task in tasks))
