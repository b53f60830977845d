"""Entries on the team's server under an id that another writer's entry has in this log.

The one that was known first counts; what the other one says stands nowhere in the log, so both are named here
for whoever is to settle it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.core.data_directory import has_team
from progress_plugin.log import team_state
from progress_plugin.log.foreign_entry import is_writer

DOUBLE_IDS = f"{team_state.FOLDER}/double-ids"
_MOST = 100
"""Of these that are kept; more add nothing to know."""


class DoubleId(NamedTuple):
    """An entry of the server that is not the one of this log."""

    id: str
    writer: str
    """Who wrote it."""
    says: str
    """What it says, in one line."""

    def sentence(self) -> str:
        """Return that it stands there, and which of the two counts."""
        return (
            f"{self.writer} has put another entry on the team's server under the id {self.id} ({self.says}); "
            "the one in this log was known first and counts here"
        )


REMEDY = "ask both writers which is right; the server has both"


def kept(directory: str) -> list[DoubleId]:
    """Return those that syncs have found, oldest first; what cannot be read is none."""
    data = team_state.read(directory, DOUBLE_IDS) if has_team(directory) else None
    try:
        told = json.loads(data or b"[]")
    except (ValueError, RecursionError):
        return []
    return [found for item in told if (found := _double_id(item))] if isinstance(told, list) else []


def keep(directory: str, found: Iterable[DoubleId]) -> list[DoubleId]:
    """Keep what a sync has found, and return what of it is new.

    Caller holds `team_state.sync_lock`. Raises as `write_atomic`.
    """
    before = kept(directory)
    known = {(each.id, each.writer) for each in before}
    by_name = {(each.id, each.writer): each for each in found}
    new = [each for name, each in by_name.items() if name not in known]
    if new:
        team_state.write(directory, DOUBLE_IDS, json.dumps((before + new)[:_MOST]).encode() + b"\n")
    return new


def _double_id(item: object) -> DoubleId | None:
    match item:
        case [str() as name, str() as writer, str() as says] if is_writer(writer):
            return DoubleId(name, writer, says)
        case _:
            return None
