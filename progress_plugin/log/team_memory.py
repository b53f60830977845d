"""What this clone knows of the team's memory: which observation is which, how far documents agree.

Observations of the memory database belong to a user, not to a project, so only those travel that were saved
in a clone that takes part, from then on: `note_saved` puts them down. All these files count in this very
clone alone, as `team_state` says.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from progress_plugin.core.files import content_digest, list_inside
from progress_plugin.log import team_state
from progress_plugin.log.team_state import FOLDER
from progress_plugin.text.patterns import LazyPattern

MEMORY = f"{FOLDER}/memory"
_SAVED = "saved-"
_PLACE_DIGITS = 12
_NAME = LazyPattern(r"[0-9a-f]{32}")


class SharedRow(NamedTuple):
    """An observation of the team's that stands in this machine's database."""

    row: int
    """Where; two that say the same stand in one row."""
    digest: str
    """Of its text, as it travelled."""
    created: str
    """The stamp of the row: one of another database that has this id has another."""
    is_ours: bool
    """Whether this clone sent it."""
    was_here: bool
    """Whether the row was there before the team's came: then it is not the team's to take away."""


class DocumentMark(NamedTuple):
    """Where the progress document here and the server's are the same."""

    revision: int
    """The server's."""
    server: str
    """The server's digest of what it has there: restored from a backup it gives the number out again."""
    digest: str
    """Of the text here; another one has been changed here since."""
    row: int
    """Of the memory database; an older one is that of a database which was restored."""


class PassedRevisions(NamedTuple):
    """Revisions of a document on the server, one after the other, that cannot be believed."""

    lowest: int
    highest: int
    arrived: str
    """When the server got the highest: restored from a backup it gives the number out again."""


class TeamMemory:
    """One clone's view of the team's memory; of another database or server it is empty."""

    __slots__ = ("documents", "gone", "known", "passed", "pending", "place", "shared")

    def __init__(self, place: tuple[str, str, str]) -> None:
        self.place = place
        """The memory database's path, the server, and what the project is called there."""
        self.forget()

    def forget(self) -> None:
        """Know nothing any more: everything is asked for, and compared, anew."""
        self.known: dict[str, tuple[int, str]] = {}
        """By writer, the highest number of an observation that is known, and a digest of its id."""
        self.shared: dict[str, SharedRow] = {}
        """By what it is called on every machine: 32 hexadecimal digits."""
        self.gone: set[str] = set()
        """Names of observations that somebody has taken away."""
        self.pending: set[str] = set()
        """Names of observations, and of ended ones, that the server may not have got."""
        self.documents: dict[str, DocumentMark] = {}
        """By key."""
        self.passed: dict[str, PassedRevisions] = {}
        """By key; what was passed over is neither read nor told of again."""


def load(directory: str, place: tuple[str, str, str]) -> TeamMemory:
    """Return what was kept for this database and server, as far as it can be read."""
    memory = TeamMemory(place)
    try:
        told = json.loads(team_state.read(directory, MEMORY) or b"{}")
    except (ValueError, RecursionError):
        return memory
    if not isinstance(told, dict) or told.get("place") != list(place):
        return memory
    memory.known = team_state.known_in(told.get("known"))
    shared = _items(told.get("shared"))
    memory.shared = {name: found for name, item in shared if (found := _shared(name, item))}
    memory.gone = {name for name in _list(told.get("gone")) if isinstance(name, str)}
    memory.pending = {name for name in _list(told.get("pending")) if isinstance(name, str)}
    for key, item in _items(told.get("documents")):
        match item:
            case [int() as revision, str() as server, str() as digest, int() as row] if revision > 0:
                memory.documents[key] = DocumentMark(revision, server, digest, row)
    for key, item in _items(told.get("passed")):
        match item:
            case [int() as lowest, int() as highest, str() as arrived] if 0 < lowest <= highest:
                memory.passed[key] = PassedRevisions(lowest, highest, arrived)
    return memory


def save(directory: str, memory: TeamMemory) -> None:
    """Keep what is known now. Caller holds `team_state.sync_lock`. Raises as `write_atomic`."""
    told = {
        "place": memory.place,
        "known": memory.known,
        "shared": memory.shared,
        "gone": sorted(memory.gone),
        "pending": sorted(memory.pending),
        "documents": memory.documents,
        "passed": memory.passed,
    }
    team_state.write(directory, MEMORY, json.dumps(told).encode() + b"\n")


def note_saved(directory: str, database: str, row: int, digest: str) -> None:
    """Note that an observation was saved in this clone, for the next sync; nothing where it takes no part.

    `digest` is that of its text, so that a row of this id in a later database is not taken for it. A file for
    each: the lock of the folder is a sync's, and nobody who saves waits for one. Raises as
    `write_atomic`.
    """
    if team_state.load(directory) is not None:
        text = json.dumps([row, database, digest])
        team_state.write(directory, f"{FOLDER}/{_file_of(row, database)}", text.encode() + b"\n")


def saved(directory: str, database: str) -> dict[int, str]:
    """Return by their rows the digests of the observations of this database that were noted."""
    found = {}
    for name in _saved_files(directory):
        try:
            item = json.loads(team_state.read(directory, f"{FOLDER}/{name}") or b"null")
        except (ValueError, RecursionError):
            continue
        match item:
            case [int() as row, str() as path, str() as digest] if path == database:
                found[row] = digest
    return dict(sorted(found.items()))


def forget_saved(directory: str, database: str, rows: Iterable[int]) -> None:
    """Take rows off the list that the server has now. Caller holds `team_state.sync_lock`."""
    folder = team_state.make_folder(directory)
    for name in {_file_of(row, database) for row in rows} & set(_saved_files(directory)):
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))


def _saved_files(directory: str) -> list[str]:
    return [
        name for name in list_inside(None, team_state.path_of(directory, FOLDER)) if name.startswith(_SAVED)
    ]


def _file_of(row: int, database: str) -> str:
    place = content_digest(os.fsencode(database)).decode()[:_PLACE_DIGITS]
    return f"{_SAVED}{row}-{place}"


def _shared(name: str, item: Any) -> SharedRow | None:
    match item:
        case [int(), str(), str(), bool(), bool()] if _NAME.fullmatch(name):
            return SharedRow(*item)
        case _:
            return None


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
