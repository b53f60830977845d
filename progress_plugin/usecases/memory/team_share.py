"""What of a memory call travels to the team of the project it was made in."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from progress_plugin.core.data_directory import has_team
from progress_plugin.memory import team_rows
from progress_plugin.usecases.memory.location import MemoryLocation


def share_observation(
    place: MemoryLocation, db: sqlite3.Connection, row: int, project: str | None, scope: str
) -> None:
    """Have the next sync send an observation of this project, if the project has a team.

    Those of another project or scope are the user's alone. The caller holds the transaction.
    """
    if _has_team(place) and scope == "project" and project == place.name_to_read(db, None):
        team_rows.share(db, place.root or "", row)


def share_summary(
    place: MemoryLocation, db: sqlite3.Connection, row: int, project: str | None, compacted: Collection[int]
) -> None:
    """Share what a compaction left, if all that it took is the team's: else it is the user's alone."""
    if _has_team(place) and team_rows.are_shared(db, place.root or "", compacted):
        share_observation(place, db, row, project, "project")


def tell_team(place: MemoryLocation) -> None:
    """Start a sync if the project takes part in one: the memory has changed."""
    if place.project is not None and _has_team(place):
        from progress_plugin.usecases.recording.append import start_sync  # noqa: PLC0415 - only in a team

        start_sync(place.project)


def _has_team(place: MemoryLocation) -> bool:
    return place.project is not None and has_team(place.project.log_directory)
