"""What this clone knows of its team's server: that it takes part, and what it has seen.

A clone takes part once somebody has called `sync` in it: the server is the user's, and no other project of
the user's is to be sent there unasked. All of it is private state, kept by the path of the project, and its
loss costs one comparison. The first line of each file repeats the marks that no copy of the clone can have:
another repository at the same path, or a clone made anew there, takes no part.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin import TEAM_STATE_FORMAT
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private, make_state_directory, state_file
from progress_plugin.log import writer_identity
from progress_plugin.log.foreign_entry import is_writer
from progress_plugin.log.timestamp import written

FOLDER = "team"
STATE = f"{FOLDER}/state"
FAULT = f"{FOLDER}/fault"
"""Since when, and why, no sync has succeeded; gone with the first one that does."""
WANTED = f"{FOLDER}/wanted"
"""Exists while something was written that no sync has looked at."""

_MAGIC = b"agent-progress team "
_OF_MEMBERS = (FAULT, WANTED, f"{FOLDER}/claims.json", f"{FOLDER}/begun", f"{FOLDER}/double-ids")
"""What else counts only while this clone takes part: marks, and what the server has said."""


class TeamFault(NamedTuple):
    """What stops every sync."""

    since: str
    """ISO 8601 in UTC."""
    reason: str


class TeamState:
    """One clone's view of one project on one server."""

    __slots__ = ("done", "elsewhere", "known", "months", "named", "project", "server")

    def __init__(self, server: str = "", project: str = "", *, named: bool = False) -> None:
        self.server = server
        """Which database it is, whatever its address."""
        self.project = project
        """What the project is called there."""
        self.named = named
        """Whether the user gave that name to this clone; else it follows from remote or setting."""
        self.done = ""
        """When the last sync that succeeded ended, ISO 8601 in UTC."""
        self.known: dict[str, tuple[int, str]] = {}
        """By writer, the highest number that is in our log, and a digest of its id, which may be erased."""
        self.months: dict[str, str] = {}
        """The months of our archive of which the server has all, as they were then."""
        self.elsewhere: set[str] = set()
        """Digests of the ids of own entries that the server has as they are under another writer's name."""


def load(directory: str) -> TeamState | None:
    """Return what was kept; None if this clone takes no part, or another clone kept it."""
    data = read(directory, STATE)
    return None if data is None else _state(data)


def read(directory: str, name: str) -> bytes | None:
    """Return the content of a file of `FOLDER`, without its first line; None if this clone has no such file.

    It is empty for one of another format.
    """
    try:
        data = read_inside(None, path_of(directory, name)) or b""
    except BadInput:
        return None
    head, _, rest = data.partition(b"\n")
    if not head.startswith(_MAGIC):
        return None
    number, *marks = head[len(_MAGIC) :].decode("ascii", "replace").split() or [""]
    if not writer_identity.seals(directory) & set(marks):
        return None
    return rest if number == str(TEAM_STATE_FORMAT) else b""


def write(directory: str, name: str, data: bytes) -> None:
    """Replace a file of `FOLDER`, which counts in this clone only. Raises as `write_atomic`."""
    marks = " ".join(sorted(writer_identity.seals(directory)))
    put(directory, name, _MAGIC + f"{TEAM_STATE_FORMAT} {marks}\n".encode() + data)


def path_of(directory: str, name: str) -> str:
    """Return the path of a file of `FOLDER`, of which `directory` is the log's."""
    return state_file(root_of(directory), name)


def make_folder(directory: str) -> str:
    """Make the folder and return its path. Raises AgentProgressError or OSError."""
    folder = os.path.join(make_state_directory(root_of(directory)), FOLDER)
    make_private(folder)
    return folder


def save(directory: str, state: TeamState) -> None:
    """Keep what is known now. Caller holds the lock of `sync_lock`. Raises as `write_atomic`."""
    told = {
        "server": state.server,
        "project": state.project,
        "named": state.named,
        "done": state.done,
        "known": state.known,
        "months": state.months,
        "elsewhere": sorted(state.elsewhere),
    }
    write(directory, STATE, json.dumps(told).encode() + b"\n")


def forget(directory: str) -> None:
    """Have this clone take part no more. Caller holds the lock of `sync_lock`.

    What is known of the memory stays: another join compares with it. Raises OSError.
    """
    folder = make_folder(directory)
    for name in (STATE, *_OF_MEMBERS):
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, os.path.basename(name)))


def fault(directory: str) -> TeamFault | None:
    """Return what has stopped every sync since the last that succeeded; None where nothing has."""
    told = (read(directory, FAULT) or b"").decode("utf-8", "replace")
    since, _, reason = told.partition(" ")
    return TeamFault(since, reason.strip()) if since and reason else None


def note_fault(directory: str, reason: str) -> None:
    """Note why a sync did not succeed. Caller holds `sync_lock`. Raises as `write_atomic`."""
    before = fault(directory)
    since = before.since if before else written(datetime.now(UTC))
    write(directory, FAULT, f"{since} {' '.join(reason.split())}\n".encode("utf-8", "replace"))


def succeeded(directory: str, state: TeamState) -> None:
    """Note that a sync has succeeded. Caller holds `sync_lock`. Raises as `write_atomic`."""
    state.done = written(datetime.now(UTC))
    save(directory, state)
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(make_folder(directory), os.path.basename(FAULT)))


def sync_lock(directory: str, timeout: float) -> FileLock:
    """Return the lock of the one sync at a time. Raises as `make_folder`."""
    path = os.path.join(make_folder(directory), "lock")
    return FileLock(path, timeout, "this clone is being synced")


def begin(directory: str) -> None:
    """Note that a sync begins: the next start need not, even if this one fails. Caller holds `sync_lock`."""
    folder = make_folder(directory)
    for path, act in ((WANTED, os.unlink), (STATE, os.utime)):
        with suppress(FileNotFoundError):
            act(os.path.join(folder, os.path.basename(path)))


def want(directory: str) -> None:
    """Note that something was written; a sync that is running looks once more when it is done."""
    put(directory, WANTED, b"")


def is_wanted(directory: str) -> bool:
    """Return whether something was written since the last sync began."""
    return os.path.lexists(path_of(directory, WANTED))


def put(directory: str, name: str, data: bytes) -> None:
    """Put data into a file of `FOLDER` in one step. Raises as `write_atomic`."""
    folder = make_folder(directory)
    path = os.path.join(folder, os.path.basename(name))
    write_atomic(path, data, durable=False, private=True)


def _state(data: bytes) -> TeamState:
    """Return what was kept, as far as it can be read: what is not known is compared again."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return TeamState()
    if not isinstance(told, dict):
        return TeamState()
    project = _text(told.get("project"))
    state = TeamState(_text(told.get("server")), project, named=bool(project) and told.get("named") is True)
    state.done = _text(told.get("done"))
    state.known = known_in(told.get("known"))
    state.months = {name: mark for name, mark in _pairs(told.get("months")) if isinstance(mark, str)}
    if isinstance(elsewhere := told.get("elsewhere"), list):
        state.elsewhere = {each for each in elsewhere if isinstance(each, str)}
    return state


def known_in(value: Any) -> dict[str, tuple[int, str]]:
    """Return a version vector as far as it can be read."""
    return {
        writer: (place[0], place[1])
        for writer, place in _pairs(value)
        if is_writer(writer) and isinstance(place, list) and _is_place(place)
    }


def _is_place(place: Sequence[Any]) -> bool:
    match place:
        case [int() as number, str()]:
            return not isinstance(number, bool) and number > 0
        case _:
            return False


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
