"""Which entries the team has erased, as the last sync saw it, and which of them this log has.

Nothing that comes from a server takes an entry out of a log: somebody else would have that power over all
that was ever recorded here. So whoever works here is told, and erases it themselves.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from progress_plugin.core.data_directory import has_team
from progress_plugin.log import team_state
from progress_plugin.log.history import everything
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.text.bounds import some_of

ERASED = f"{team_state.FOLDER}/erased"
UNKNOWN = "unknown"
"""Writer of erasures from before they had one on the server; no role has this name."""
_COMMANDS = 3
"""Commands that are written out; the next call names the rest."""


class TeamErasures(NamedTuple):
    """What a sync saw."""

    place: tuple[str, str]
    """Which server, and what the project is called there."""
    known: dict[str, tuple[int, str]]
    """By writer, the highest number that is known, and a digest of what stands there."""
    digests: dict[str, str]
    """Of the ids of the entries that somebody has erased, each with the writer who said so."""
    here: tuple[str, ...]
    """The ids of those that were in our log then."""


def kept(directory: str) -> TeamErasures:
    """Return what the last sync saw; nothing where none did, or the file is another clone's."""
    data = team_state.read(directory, ERASED) if has_team(directory) else None
    try:
        told = json.loads(data or b"null")
    except (ValueError, RecursionError):
        told = None
    match told:
        case {
            "place": [str() as server, str() as project],
            "known": known,
            "digests": dict(digests),
            "here": list(here),
        } if all(map(_is_text, digests.values())):
            vector = team_state.known_in(known)
            return TeamErasures((server, project), vector, digests, tuple(filter(_is_text, here)))
        case _:
            return TeamErasures(("", ""), {}, {}, ())


def keep(directory: str, before: TeamErasures, now: TeamErasures) -> dict[str, str]:
    """Keep which entries the team has erased, and return those in our log as `still_here` does.

    The whole history is read only where something is new, or was here before. Caller holds
    `team_state.sync_lock`. Raises as `write_atomic`.
    """
    if now == before and not before.here:
        return {}
    found = still_here(directory, now.digests)
    now = now._replace(here=tuple(found))
    if now != before:
        told = json.dumps(now._asdict()).encode()
        team_state.write(directory, ERASED, told + b"\n")
    return found


def still_here(directory: str, digests: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the ids of the entries of our log that the team has erased, oldest first, with who says so."""
    erased = kept(directory).digests if digests is None else digests
    if not erased:
        return {}
    names = (entry.get("id") for entry in everything(directory))
    said_by = {name: erased.get(digest_of(name)) for name in names if isinstance(name, str)}
    return {name: writer for name, writer in said_by.items() if writer is not None}


def sentence(here: Mapping[str, str]) -> str:
    """Return that entries stand here which the team has erased."""
    return f"erased by the team ({who(here.values())} says so), and in this log still: {some_of(list(here))}"


def who(writers: Iterable[str]) -> str:
    """Return who says something of that kind."""
    named = set(writers)
    return "somebody" if UNKNOWN in named else some_of(sorted(named))


def remedy(here: Iterable[str], root: str | None = None) -> str:
    """Return what to do about it; a command each, since each is a decision of whoever works here.

    `root` is that of another worktree, if they are there.
    """
    program = f"agent-progress -C {shlex.quote(root)}" if root else "agent-progress"
    return "; ".join(f"`{program} erase {shlex.quote(name)} --yes`" for name in list(here)[:_COMMANDS])


def _is_text(value: object) -> bool:
    return isinstance(value, str)
