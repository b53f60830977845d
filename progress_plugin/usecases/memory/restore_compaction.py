"""The tool that undoes a compaction: its arguments and its answer.

The rows are put back by `memory.undo_compaction`.
"""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import Refused
from progress_plugin.memory.compaction_log import ledger_for
from progress_plugin.memory.database import writing
from progress_plugin.memory.undo_compaction import restore
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.team_share import tell_team


def restore_compaction(place: MemoryLocation, number: int | None = None, *, now: datetime) -> dict[str, Any]:
    """Bring back what the last compaction took, or the one with that number, and retire its summary.

    Raises Refused where there is nothing to bring back.
    """
    if not os.path.exists(place.database):
        raise Refused(f"there is no memory database at {place.database}, so nothing was compacted in it")
    with writing(place.database) as store:
        restored = restore(store, ledger_for(store.path), number, now)
    tell_team(place)
    return {
        "restored": restored.ids, "superseded": restored.superseded, "compaction": restored.compaction.number,
        "compacted_at": restored.compaction.at, "summary_id": restored.compaction.summary_id,
    }  # fmt: skip


def list_compactions(place: MemoryLocation) -> list[dict[str, Any]]:
    """Return the recorded compactions of this database, oldest first."""
    return [
        {
            "compaction": one.number, "at": one.at, "project": one.project,
            "ids": list(one.ids), "summary_id": one.summary_id,
        }
        for one in ledger_for(place.database).compactions(place.database)
    ]  # fmt: skip
