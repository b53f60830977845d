"""The state of a clone in a team: whether it takes part, how far it has read, and all clones' claims.

A clone takes part once `sync` was called in it: a user sets one server for all projects, and no project may
be sent there unasked. The files are private state. Without `team/state` the clone takes no part until the
next `sync`, which compares everything with the server.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any

from progress_plugin import TEAM_STATE_FORMAT
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import store
from progress_plugin.log.entry import WRITER, text_of
from progress_plugin.log.timestamp import format_time
from progress_plugin.model.work import Claim
from progress_plugin.team import STATE
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

CLAIMS = "team/claims.json"
MAX_REASON_CHARS = 300
_OF_EVERY_FORMAT = ("project", "done")  # fields that are read from a file in any format


@dataclass(slots=True)
class TeamState:
    """One clone's view of one project on one server; its fields are the keys of the stored file."""

    project: str = ""  # its name on the server
    done: str = ""  # when the last successful sync ended, ISO 8601 in UTC
    seq: int = 0  # number of the last row that was read from the server
    mark: str = ""  # when that row arrived on the server
    entry: str = ""  # id of the last entry that was read from the server
    archive: str = ""  # stamp of the archive folder when the server had all of its entries; empty if unknown
    failing_since: str = ""  # ISO 8601 in UTC; empty if the last sync has succeeded
    why: str = ""  # the reason for the last failure
    sent: str = ""  # id of our last entry when the last successful sync ended
    waiting: int = 0  # number of our entries after `sent`; only `load_with_waiting` counts them

    def note_success(self, project: Project) -> None:
        """Note that a sync has succeeded, and so our last entry was sent."""
        self.done, self.failing_since, self.why = format_time(datetime.now(UTC)), "", ""
        self.sent = next(reversed(_own_ids(project)), "")

    def note_fault(self, reason: str) -> None:
        """Note why a sync failed."""
        self.failing_since = self.failing_since or format_time(datetime.now(UTC))
        self.why = " ".join(reason.split())

    def line(self) -> str:
        """Describe in one line since when and why syncs fail; empty if the last one has succeeded."""
        if not self.failing_since:
            return ""
        waits = f"; {counted(self.waiting, 'entry')} to be sent" if self.waiting else ""
        return f"not synced since {self.failing_since}{waits}: {one_line(self.why, MAX_REASON_CHARS)}"

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object that `docs/commands.md` describes."""
        names = {"project": self.project, "synced": self.done, "failing_since": self.failing_since}
        shown = {name: value or None for name, value in (names | {"why": self.why}).items()}
        return shown | {"waiting": self.waiting, "line": self.line()}


def load(project: Project) -> TeamState | None:
    """Load the state; None if this clone does not take part."""
    try:
        data = read_inside(None, state_file(project.main_root, STATE))
        if data is None:
            return None
        value = json.loads(data)
        names = [each.name for each in fields(TeamState)]
        known = names if value.get("format") == TEAM_STATE_FORMAT else _OF_EVERY_FORMAT
        return TeamState(**{name: value[name] for name in known if name in value})
    except (BadInput, ValueError, AttributeError, RecursionError):
        return TeamState()


def load_with_waiting(project: Project) -> TeamState | None:
    """Load the state with `waiting`, the number of our entries that no sync has sent."""
    state = load(project)
    if state is not None:
        own = _own_ids(project)
        state.waiting = len(own) - (own.index(state.sent) + 1 if state.sent in own else 0)
    return state


def _own_ids(project: Project) -> list[str]:
    entries = store.load(project.log_directory).entries
    return [text_of(entry, "id") or "" for entry in entries if WRITER not in entry]


def save(project: Project, state: TeamState) -> None:
    """Store the state of the sync. The caller holds `sync_lock`. Raises AgentProgressError."""
    _put(project, STATE, {"format": TEAM_STATE_FORMAT, **asdict(state)})


def read_claims(project: Project, inputs: InputSnapshot) -> list[Claim]:
    """Return the claims of the server as the last sync saw them."""
    data = inputs.read(state_file(project.main_root, CLAIMS), None)
    try:
        return [Claim(**each) for each in json.loads(data or b"[]")]
    except (ValueError, TypeError, RecursionError):
        return []


def save_claims(project: Project, claims: list[Claim]) -> bool:
    """Store the server's claims; return whether they were different. The caller holds `sync_lock`."""
    if claims == read_claims(project, InputSnapshot(project.root)):
        return False
    _put(project, CLAIMS, [claim._asdict() for claim in claims])
    return True


def forget(project: Project) -> None:
    """Take this clone out of the team. The caller holds `sync_lock`. Raises OSError."""
    for name in (STATE, CLAIMS):
        with suppress(FileNotFoundError):
            os.unlink(state_file(project.main_root, name))


def sync_lock(project: Project, timeout: float) -> FileLock:
    """Return the lock that lets one sync run at a time. Raises AgentProgressError or OSError."""
    return FileLock(os.path.join(_folder(project), "lock"), timeout, "this clone is being synced")


def _folder(project: Project) -> str:
    return make_state_directory(project.main_root, "team")


def _put(project: Project, name: str, value: Any) -> None:
    path = os.path.join(_folder(project), os.path.basename(name))
    write_atomic(path, json.dumps(value, indent=1).encode(), durable=False, private=True)
