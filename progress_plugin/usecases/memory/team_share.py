"""What of a memory call travels to the team of the project it was made in."""

from __future__ import annotations

from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import AgentProgressError, reason_of
from progress_plugin.usecases.memory.location import MemoryLocation


def share_observation(place: MemoryLocation, row: int | None, project: str | None, scope: str) -> str | None:
    """Have the next sync send an observation of this project; return why it cannot, else None.

    Those of another project or scope are the user's alone, as are all if the project has no team.
    """
    if place.project is None or row is None or scope != "project":
        return None
    if not has_team(place.project.log_directory):
        return None
    from progress_plugin.memory.database import reading  # noqa: PLC0415
    from progress_plugin.memory.team_rows import read_team_observation  # noqa: PLC0415
    from progress_plugin.usecases.team.memory_sync import note_saved  # noqa: PLC0415 - where there is a team

    try:
        with reading(place.database) as db:
            own = place.name_to_read(db, None)
            found = read_team_observation(db, row, own) if own is not None and own == project else None
        if found is None:
            return None
        note_saved(place.project.log_directory, place.database, row)
    except (AgentProgressError, OSError) as error:
        why = reason_of(error) if isinstance(error, OSError) else str(error)
        return f"it is kept here, and the team does not get it: {why}"
    tell_team(place)
    return None


def share_summary(
    place: MemoryLocation, row: int | None, project: str | None, compacted: tuple[int, ...]
) -> str | None:
    """Have the next sync send what a compaction left, where all that it took is the team's; else None.

    A summary of what is the user's alone is the user's alone. The ends of what the team has travel anyway.
    """
    if place.project is None or not has_team(place.project.log_directory):
        return None
    from progress_plugin.usecases.team.memory_sync import shared_rows  # noqa: PLC0415 - where there is a team

    if set(compacted) <= shared_rows(place.project.log_directory):
        return share_observation(place, row, project, "project")
    tell_team(place)
    return None


def tell_team(place: MemoryLocation) -> None:
    """Start a sync where the project takes part in one: the memory has changed."""
    if place.project is not None and has_team(place.project.log_directory):
        from progress_plugin.usecases.recording.append import start_sync  # noqa: PLC0415

        start_sync(place.project)
