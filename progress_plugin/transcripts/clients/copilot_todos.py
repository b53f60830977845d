"""Copilot CLI's to-dos: a table beside the events, written by free SQL, so the table is read."""

import os
import sqlite3
from collections.abc import Iterator
from typing import Any

from progress_plugin.transcripts.clients.client_database import look_into
from progress_plugin.transcripts.events import Happening, Planned, PlanReplaced

DATABASE = "session.db"
_MOST = 100
_SECONDS = 1.0


def todos(events_path: str, when: str) -> Iterator[Happening]:
    """Yield the list as it is now; nothing where there is none, or where it cannot be read."""
    rows = look_into(os.path.join(os.path.dirname(events_path), DATABASE), _rows, _SECONDS)
    if rows is None:
        return
    yield PlanReplaced(when)
    for title, status in rows:
        if isinstance(title, str) and isinstance(status, str):
            yield Planned(when, "", title, status)


def _rows(store: sqlite3.Connection) -> list[Any]:
    return store.execute("select title, status from todos limit ?", (_MOST,)).fetchall()
