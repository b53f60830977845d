"""The memory of a project within a sync: its observations, then its progress documents."""

from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import Project
from progress_plugin.log import team_memory
from progress_plugin.log.team_state import TeamState
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.usecases.team.document_sync import DocumentSync
from progress_plugin.usecases.team.memory_place import memory_place
from progress_plugin.usecases.team.observation_sync import ObservationSync

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection


class SyncedMemory(NamedTuple):
    """What of the memory was taken in and sent: observations, their ends, and revisions of documents."""

    taken: int
    sent: int
    notes: tuple[str, ...]


def sync_memory(project: Project, server: "Connection", state: TeamState, writer: str) -> SyncedMemory:
    """Take in what is new of the team's memory, and send what it lacks. Caller holds the sync's lock.

    A memory that cannot be opened or written is named in a note: the log has been synced by then. Raises what
    the server refuses.
    """
    try:
        place = memory_place(project, state.project, writer)
        if place is None:
            return SyncedMemory(0, 0, ())
        memory = team_memory.load(place.directory, (place.database, state.server, state.project))
        observations = ObservationSync(place, server, memory)
        observations.run()
        documents = DocumentSync(place, server, memory)
        documents.run()
    except TeamServerFault:
        raise
    except AgentProgressError as error:
        return SyncedMemory(0, 0, (f"the memory was not synced: {error}",))
    return SyncedMemory(
        observations.taken + documents.taken,
        observations.sent + documents.sent,
        (*observations.notes, *documents.notes),
    )
