"""How a session is named to people: by as much of its id as tells it from all others that are recorded.

What is printed anywhere is taken by `agent-progress sessions ID` (`usecases.sessions.listing`, `session_of`).
"""

from collections.abc import Iterable

_RANDOM, _BY_TIME = 8, 13
"""Characters that are printed at least; of an id that begins with the time, so many as tell milliseconds."""
_OF_OPENCODE = "ses_"
_VERSION = slice(14, 15)
"""Where a UUID has its version; one of version 7, as Codex has them, begins with the time."""


def short_id(session: str) -> str:
    """Return what is told of an id that no recorded one is like: later ones must not be like it, either."""
    is_by_time = session.startswith(_OF_OPENCODE) or session[_VERSION] == "7"
    return session[: _BY_TIME if is_by_time else _RANDOM]


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """Return the beginning of each id by which it is named; one that another begins with is whole."""
    found: dict[str, str] = {}
    before = ""
    for each in sorted(set(ids)):
        if before:
            shared = _shared(before, each)
            found[before] = before[: max(len(found[before]), shared + 1)]
            found[each] = each[: max(len(short_id(each)), shared + 1)]
        else:
            found[each] = short_id(each)
        before = each
    return found


def _shared(one: str, other: str) -> int:
    """Return with how many same characters two different ids begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (ours, theirs) in pairs if ours != theirs), min(len(one), len(other)))
