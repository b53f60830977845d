"""Our entries as events of the one history that all sources are merged into (S5.5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of, time_of
from progress_plugin.log.history import History
from progress_plugin.log.recent import headline_field, headline_of
from progress_plugin.log.salvage import identity
from progress_plugin.log.timestamp import written
from progress_plugin.model.event import Event
from progress_plugin.model.status import Status
from progress_plugin.text.stored import stored_line

_STATUS = {
    "task_completed": Status.DONE,
    "task_blocked": Status.BLOCKED,
}
"""Every other type tells of work that goes on."""
_DONE_IN_ITSELF = ("debug_resolved", "milestone_reached")
"""Of a task they say no more than that somebody is at it: a fixed bug does not finish a story."""
_TOLD_ELSEWHERE = {
    "description", "learnings", "next_steps", "duration_minutes", "session_id", "started_at",
    "files_modified", "files", "resolves", "retracts", "supplements", "completed_at", "key", "plan",
    "client_task",
}  # fmt: skip


def events(history: History, source: str) -> list[Event]:
    """Return an event per entry that counts, oldest first, those of the archive before those of the log.

    `source` is the log's path relative to the project root. Of archived entries the newest are whole; of
    older ones the last word on each task is told, as the index holds it.
    """
    newest = history.index.newest()
    whole = {identity(entry) for entry in newest}
    older = [story for story in history.index.stories() if identity(story) not in whole]
    entries = (*older, *newest, *history.entries)
    return [event(entry, source, position) for position, entry in enumerate(entries, start=1)]


def event(entry: dict[str, Any], source: str, position: int) -> Event:
    """Return one entry as an event at this position, counted from 1."""
    data = data_of(entry)
    task = text_of(entry, "task_id")
    when = time_of(entry)
    kind = text_of(entry, "type") or "other"
    field = headline_field(entry)
    return Event(
        stories=(stored_line(task),) if task else (),
        title=headline_of(entry, field),
        status=Status.DONE if kind in _DONE_IN_ITSELF and not task else _STATUS.get(kind, Status.ACTIVE),
        type=kind,
        source=source,
        position=position,
        when=written(when) if when else None,
        spec=text_of(entry, "spec"),
        details=tuple(_details(data, field)),
        files=tuple(dict.fromkeys([*texts_of(data, "files_modified"), *texts_of(data, "files")])),
    )


def _details(data: dict[str, Any], headed: str | None) -> Iterator[str]:
    """Tell every fact that has no place of its own in an event, one line each."""
    for name, value in data.items():
        if name == headed or name in _TOLD_ELSEWHERE or value in (None, "", [], {}):
            continue
        text = _shown(value)
        yield stored_line(text if name == "notes" else f"{name.replace('_', ' ').capitalize()}: {text}")


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if (
        isinstance(value, Iterable)
        and not isinstance(value, dict)
        and all(isinstance(part, str) for part in value)
    ):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
