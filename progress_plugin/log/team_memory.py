"""What this clone knows of the team's memory: which observation is which, and how far documents agree.

Observations of the memory database belong to the user, not to a project, so only those are shared that were
saved in a clone that takes part, from then on: `note_saved` notes them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from progress_plugin.core.files import content_digest, list_inside
from progress_plugin.log import team_state

MEMORY = f"{team_state.FOLDER}/memory"
SAVED_PREFIX = "saved-"
PLACE_DIGITS = 12


class SharedRow(NamedTuple):
    """An observation of the team in this machine's database."""

    row: int  # several that say the same share one
    digest: str  # of its text, as it travelled
    created: str  # stamp of the row: a row of another database with this id has another one
    is_ours: bool  # whether this clone sent it
    was_here: bool  # whether the row existed before the team's came: then no end of the team removes it


class DocumentMark(NamedTuple):
    """The revision of a progress document that this clone and the server agree on."""

    revision: int
    digest: str  # of the text; another text here has changed since
    row: int  # of the memory database; an older row is that of a restored database


@dataclass(slots=True)
class TeamMemory:
    """One clone's view of the team's memory."""

    place: tuple[str, str, str]  # path of the memory database, the server, and the project's name there
    seq: int = 0  # as in `TeamState`
    mark: str = ""
    shared: dict[str, SharedRow] = field(
        default_factory=dict
    )  # by name: 32 hexadecimal digits, the same everywhere
    gone: set[str] = field(default_factory=set)  # names of observations that have ended
    pending: set[str] = field(
        default_factory=set
    )  # names that the server may lack, of these and of ended ones
    documents: dict[str, DocumentMark] = field(default_factory=dict)  # by key


def load(directory: str, place: tuple[str, str, str]) -> TeamMemory:
    """Return what was kept for this database and server; an empty view if that is not known."""
    value = team_state.json_of(team_state.read(directory, MEMORY))
    if value.get("place") != list(place):
        return TeamMemory(place)
    try:
        return TeamMemory(
            place,
            int(value.get("seq", 0)),
            str(value.get("mark", "")),
            {name: SharedRow(*row) for name, row in value["shared"].items()},
            set(value["gone"]),
            set(value["pending"]),
            {key: _read_mark(*mark) for key, mark in value["documents"].items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return TeamMemory(place)


def save(directory: str, memory: TeamMemory) -> None:
    """Keep what is known now. The caller holds `sync_lock`. Raises as `write_atomic`."""
    value = {
        "place": memory.place,
        "seq": memory.seq,
        "mark": memory.mark,
        "shared": memory.shared,
        "gone": sorted(memory.gone),
        "pending": sorted(memory.pending),
        "documents": memory.documents,
    }
    team_state.put(directory, MEMORY, json.dumps(value).encode())


def note_saved(directory: str, database: str, row: int, digest: str) -> None:
    """Note that an observation was saved in this clone, for the next sync, if the clone takes part.

    `digest` is that of its text. There is a file for each, so that saving waits for no sync. Raises as
    `write_atomic`.
    """
    if team_state.load(directory) is not None:
        name = f"{team_state.FOLDER}/{_file_name(row, database)}"
        team_state.put(directory, name, json.dumps([row, database, digest]).encode())


def read_saved(directory: str, database: str) -> dict[int, str]:
    """Return the noted observations of this database: the digest of each by its row."""
    found: dict[int, str] = {}
    for name in _saved_files(directory):
        with suppress(ValueError, TypeError, RecursionError):
            row, path, digest = json.loads(
                team_state.read(directory, f"{team_state.FOLDER}/{name}") or b"null"
            )
            if path == database:
                found[int(row)] = str(digest)
    return dict(sorted(found.items()))


def forget_saved(directory: str, database: str, rows: Iterable[int]) -> None:
    """Remove the notes of rows that the server has now. The caller holds `sync_lock`."""
    for name in {_file_name(row, database) for row in rows} & set(_saved_files(directory)):
        team_state.remove(directory, f"{team_state.FOLDER}/{name}")


def _read_mark(revision: int, *rest: Any) -> DocumentMark:
    """Return a mark; format 1 had a digest of the server's between the revision and the others."""
    return DocumentMark(revision, *rest[-2:])


def _saved_files(directory: str) -> list[str]:
    names = list_inside(None, team_state.path_of(directory, team_state.FOLDER))
    return [name for name in names if name.startswith(SAVED_PREFIX)]


def _file_name(row: int, database: str) -> str:
    place = content_digest(os.fsencode(database)).decode()[:PLACE_DIGITS]
    return f"{SAVED_PREFIX}{row}-{place}"
