"""How far a clone and its team's server agree, as the clone knows it: no server is asked."""

from __future__ import annotations

from typing import Any, NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.log import store, team_state, writer_identity
from progress_plugin.log.entry import WRITER, text_of
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.log.team_state import TeamFault, TeamState
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

_LONGEST = 300


class TeamStanding(NamedTuple):
    """What a clone that takes part knows of it."""

    project: str
    """What the project is called on the server."""
    synced: str
    """When the last sync that succeeded ended, ISO 8601 in UTC; empty where there was none."""
    fault: TeamFault | None
    """What has stopped every sync since."""
    waiting: int
    """Entries of the log that no sync has sent."""

    def line(self) -> str:
        """Return that it does not work, and what waits, in one line; empty where syncs succeed."""
        if self.fault is None:
            return ""
        waits = f"; {counted(self.waiting, 'entry')} to be sent" if self.waiting else ""
        return f"not synced since {self.fault.since}{waits}: {one_line(self.fault.reason, _LONGEST)}"

    def as_object(self) -> dict[str, Any]:
        """Return it for programs; the shape is described in `docs/commands.md`."""
        return {
            "project": self.project,
            "synced": self.synced or None,
            "failing_since": self.fault.since if self.fault else None,
            "why": self.fault.reason if self.fault else None,
            "waiting": self.waiting,
            "line": self.line(),
        }


_NO_PART = (
    "this clone takes no part in its team's server any more (it was restored or cloned anew): "
    "`agent-progress sync` goes on, `agent-progress team leave` ends it"
)


def lost_part(project: Project) -> str | None:
    """Describe that a clone took part at this path and this one does not, though nobody has left.

    The state is bound to marks that no copy of a clone has. Returns None otherwise.
    """
    directory = project.log_directory
    is_lost = team_state.load(directory) is None and writer_identity.took_part(directory)
    return _NO_PART if is_lost else None


def team_standing(project: Project) -> TeamStanding | None:
    """Return it; None where this clone takes no part."""
    directory = project.log_directory
    state = team_state.load(directory)
    if state is None:
        return None
    fault = team_state.fault(directory)
    return TeamStanding(state.project, state.done, fault, _waiting(directory, state))


def _waiting(directory: str, state: TeamState) -> int:
    """Count our own entries behind the last one that was sent; if that is gone, those since the last sync."""
    own = [entry for entry in store.load(directory).items if isinstance(entry, dict) and WRITER not in entry]
    writer = writer_identity.known_writer(directory) or ""
    mark = state.known.get(writer, (0, ""))[1]
    for behind, entry in enumerate(reversed(own)):
        if digest_of(text_of(entry, "id") or "") == mark:
            return behind
    return sum((text_of(entry, "timestamp") or "") > state.done for entry in own)
