"""What the readers of clients' transcripts share: members of JSON objects, and calls without a result yet.

Each member may be missing or of another type than usual.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from progress_plugin.transcripts.events import WORK, Event, PlanReplaced


def text(value: Any, *names: str) -> str:
    """Return the string at a path of members; empty without one."""
    found = at(value, *names)
    if not isinstance(found, str):
        return ""
    return found if found.isascii() else found.encode("utf-8", "replace").decode()


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


def only_work(found: Iterable[Event]) -> Iterator[Event]:
    """Yield what a sub-agent did; its orders and replies are not those of the session."""
    return (event for event in found if isinstance(event, WORK))


def replaced_plan(when: str, tasks: list[Any], name: str) -> PlanReplaced:
    """Return a new list of tasks, each with its text under a name, and its status."""
    return PlanReplaced(when, tuple((text(task, name), text(task, "status")) for task in tasks))


@dataclass
class Call:
    """A call of a tool, as far as an event needs it."""

    tool: str
    began: str
    command: str = ""
    path: str = ""
    directory: str = ""
    given: Any = None  # further arguments, as the client wrote them
    in_background: bool = False


class Calls(dict[str, Call]):
    """The open calls by the client's ids. A client writes several at once, and runs one after the other."""

    def end(self, name: str, when: str, *, is_over: bool = True) -> Call | None:
        """Return a call whose result came; it is removed if it is over, else it goes on in the background."""
        call = self.get(name)
        names = list(self)
        for later in names[names.index(name) + 1 :] if call else ():
            if not self[later].in_background:
                self[later].began = max(self[later].began, when)
        if call is not None and is_over:
            del self[name]
        elif call is not None:
            call.in_background = True
        return call
