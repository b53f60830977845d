"""The calls of an agent that have no result yet, and since when each can have run.

A client writes down several calls at once, and runs what changes files one after the other.
"""

from typing import Any

from progress_plugin.transcripts.clients.json_members import text

_MOST = 200
_BEGAN, _RUNS = "began", "runs"


def add_call(calls: dict[str, dict[str, Any]], name: str, when: str, told: dict[str, Any]) -> None:
    """Note a call that was made, by the client's id of it."""
    calls.pop(name, None)
    calls[name] = {**told, _BEGAN: when}
    while len(calls) > _MOST:
        del calls[next(iter(calls))]


def began(calls: dict[str, dict[str, Any]], name: str, when: str) -> str:
    """Return the earliest time at which a call can have begun; those behind it wait for its end at `when`."""
    is_behind = False
    for each, call in calls.items():
        if is_behind and _RUNS not in call:
            call[_BEGAN] = max(text(call, _BEGAN), when)
        is_behind = is_behind or each == name
    return text(calls.get(name), _BEGAN)


def runs_on(calls: dict[str, dict[str, Any]], name: str) -> None:
    """Note that a call runs in the background: what ends from now on says nothing of its beginning."""
    calls[name][_RUNS] = True
