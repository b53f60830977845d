"""What this clone knows of its team's server: that it takes part, and how far it has read.

A clone takes part once `sync` was called in it: the server is the user's, and no other project of the user is
sent there unasked. All of it is private state, kept by the path of the project. A lost file costs one
comparison with the server.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from progress_plugin import TEAM_STATE_FORMAT
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import content_digest, read_inside, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private, make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.log import store
from progress_plugin.log.entry import WRITER, text_of
from progress_plugin.log.timestamp import written
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

FOLDER = "team"
STATE = f"{FOLDER}/state"
WANTED = f"{FOLDER}/wanted"  # exists while something was written that no sync has looked at
CLAIMS = f"{FOLDER}/claims.json"
MAX_REASON_CHARS = 300
_EARLIER_HEAD = b"agent-progress team "  # first line of a file of format 1


@dataclass(slots=True)
class TeamState:
    """One clone's view of one project on one server."""

    server: str = ""  # which database it is, at any address
    project: str = ""  # its name there
    named: bool = False  # whether the user gave that name; else it follows from the remote or the setting
    done: str = ""  # when the last successful sync ended, ISO 8601 in UTC
    seq: int = 0  # the last row of the log there that was read, and a digest of it
    mark: str = ""
    entry: str = ""  # month, writer and id of the last entry that was read
    sent: str = ""  # digest of the id of the newest own entry that the server has
    months: dict[str, str] = field(default_factory=dict)  # of the archive that the server has all of
    failing_since: str = ""  # ISO 8601 in UTC; empty if the last sync has succeeded
    why: str = ""


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """How far a clone and its team's server agree, as the clone knows it."""

    project: str
    synced: str  # end of the last successful sync; empty if there was none
    failing_since: str  # ISO 8601 in UTC; empty if the last sync has succeeded
    why: str
    waiting: int  # entries of the log that no sync has sent

    def line(self) -> str:
        """Return in one line that syncs fail and what waits; empty if they succeed."""
        if not self.failing_since:
            return ""
        waits = f"; {counted(self.waiting, 'entry')} to be sent" if self.waiting else ""
        return f"not synced since {self.failing_since}{waits}: {one_line(self.why, MAX_REASON_CHARS)}"

    def as_object(self) -> dict[str, Any]:
        """Return it for programs, as described in `docs/commands.md`."""
        return {name: value or None for name, value in asdict(self).items()} | {
            "waiting": self.waiting,
            "line": self.line(),
        }


def load(directory: str) -> TeamState | None:
    """Return what was kept; None if this clone does not take part. `directory` is the log's."""
    data = read(directory, STATE)
    if data is None:
        return None
    value = json_of(data)
    is_known = value.pop("format", None) == TEAM_STATE_FORMAT
    names = [each.name for each in fields(TeamState)] if is_known else ["project", "named", "done"]
    return TeamState(**{name: value[name] for name in names if name in value})


def save(directory: str, state: TeamState) -> None:
    """Keep what is known now. The caller holds `sync_lock`. Raises as `write_atomic`."""
    put(directory, STATE, json.dumps({"format": TEAM_STATE_FORMAT, **asdict(state)}).encode())


def read(directory: str, name: str) -> bytes | None:
    """Return the content of a file of `FOLDER`; None if there is none."""
    try:
        data = read_inside(None, path_of(directory, name))
    except BadInput:
        return None
    return data.partition(b"\n")[2] if data and data.startswith(_EARLIER_HEAD) else data


def json_of(data: bytes | None) -> dict[str, Any]:
    """Return the JSON object in the content of a file; empty for anything else."""
    try:
        value = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def put(directory: str, name: str, data: bytes) -> None:
    """Put data into a file of `FOLDER` in one step. Raises as `write_atomic`."""
    path = os.path.join(make_folder(directory), os.path.basename(name))
    write_atomic(path, data, durable=False, private=True)


def remove(directory: str, name: str) -> None:
    """Remove a file of `FOLDER` if there is one."""
    with suppress(FileNotFoundError):
        os.unlink(path_of(directory, name))


def path_of(directory: str, name: str) -> str:
    """Return the path of a file of `FOLDER`."""
    return state_file(root_of(directory), name)


def make_folder(directory: str) -> str:
    """Make the folder and return its path. Raises AgentProgressError or OSError."""
    folder = os.path.join(make_state_directory(root_of(directory)), FOLDER)
    make_private(folder)
    return folder


def forget(directory: str) -> None:
    """Have this clone take part no more. The caller holds `sync_lock`. Raises OSError.

    What is known of the memory stays: another join compares with it.
    """
    for name in (STATE, WANTED, CLAIMS):
        remove(directory, name)


def note_fault(directory: str, reason: str) -> None:
    """Note why a sync failed. The caller holds `sync_lock`. Raises as `write_atomic`."""
    state = load(directory)
    if state is not None:
        state.failing_since = state.failing_since or written(datetime.now(UTC))
        state.why = " ".join(reason.split())
        save(directory, state)


def note_success(directory: str, state: TeamState) -> None:
    """Note that a sync has succeeded. The caller holds `sync_lock`. Raises as `write_atomic`."""
    state.done, state.failing_since, state.why = written(datetime.now(UTC)), "", ""
    save(directory, state)


def sync_lock(directory: str, timeout: float) -> FileLock:
    """Return the lock of the one sync at a time. Raises as `make_folder`."""
    return FileLock(os.path.join(make_folder(directory), "lock"), timeout, "this clone is being synced")


def note_beginning(directory: str) -> None:
    """Note that a sync begins: the next start need not, even if this one fails."""
    remove(directory, WANTED)
    with suppress(FileNotFoundError):
        os.utime(path_of(directory, STATE))


def want_sync(directory: str) -> None:
    """Note that something was written; a running sync looks once more when it is done."""
    put(directory, WANTED, b"")


def is_wanted(directory: str) -> bool:
    """Return whether something was written since the last sync began."""
    return os.path.lexists(path_of(directory, WANTED))


def digest_of_id(entry: dict[str, Any]) -> str:
    """Return what marks an entry that may be erased: its id must not be kept then."""
    return content_digest((text_of(entry, "id") or "").encode("utf-8", "replace")).decode()


def team_standing(project: Project) -> TeamStanding | None:
    """Return how far a clone and its server agree; None if the clone does not take part."""
    directory = project.log_directory
    state = load(directory)
    if state is None:
        return None
    waiting = _count_unsent(directory, state)
    return TeamStanding(state.project, state.done, state.failing_since, state.why, waiting)


def _count_unsent(directory: str, state: TeamState) -> int:
    """Count our own entries after the last one that was sent; if that is gone, those since the last sync."""
    own = [entry for entry in store.load(directory).items if isinstance(entry, dict) and WRITER not in entry]
    for behind, entry in enumerate(reversed(own)):
        if state.sent and digest_of_id(entry) == state.sent:
            return behind
    return sum((text_of(entry, "timestamp") or "") > state.done for entry in own)
