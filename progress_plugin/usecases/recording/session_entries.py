"""A session of a client: begun with its first entry, ended once, silent if it did nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.shown_sessions import OPEN, session_path
from progress_plugin.core.files import LeadsOutside, append_line, read_inside, resolve_inside
from progress_plugin.core.project import Project
from progress_plugin.log.entry import EntryDraft, text_of
from progress_plugin.log.timestamp import moment, written


class Session:
    """What one session has written so far; without an id nothing is kept and nothing begun.

    It is kept in a file to which each change adds a line; the last whole one counts.
    """

    def __init__(self, project: Project, name: str | None) -> None:
        path = session_path(project.root, name)
        self._root = project.root
        self.name = name if path else None
        self._path = f"{path}{OPEN}" if path else None
        self._state = self._load()

    def opening(self, now: datetime) -> EntryDraft | None:
        """Return the entry that begins the session, None where it has begun or has no name."""
        if self._path is None or self._state:
            return None
        return EntryDraft("session_started", {"started_at": written(now), "session_id": self.name})

    def wrote(self, now: datetime, entries: Sequence[dict[str, Any]], completed: int) -> None:
        """Note that these entries were written, `completed` finished tasks among them.

        An end that the agent has logged is the session's: what its hook knows of the end adds to that.
        """
        said = [text_of(entry, "id") for entry in entries if _is_end(entry)]
        self._state = {
            "started": self._state.get("started") or written(now),
            "tasks": int(self._state.get("tasks", 0)) + completed,
            "ended": said[-1] if said else self._state.get("ended"),
            "news": True,
        }
        self._save()

    def closing(self, now: datetime, reason: str | None) -> EntryDraft | None:
        """Return the entry that ends the session, None where nothing was written since its last end."""
        if not self._state.get("news"):
            return None
        data: dict[str, Any] = {"tasks_completed": self._state["tasks"], "session_id": self.name}
        started = moment(self._state.get("started"))
        if started is not None:
            data["duration_minutes"] = round((now.astimezone(UTC) - started).total_seconds() / 60)
        if reason:
            data["reason"] = reason
        if self._state.get("ended"):
            # Somebody has said that it ends; or it was resumed and ends again: the later end counts.
            data["supplements"] = self._state["ended"]
        return EntryDraft("session_ended", data)

    def ended(self, entry_id: str) -> None:
        """Note the entry that ended the session."""
        self._state = {**self._state, "ended": self._state.get("ended") or entry_id, "news": False}
        self._save()

    def _load(self) -> dict[str, Any]:
        try:
            data = read_inside(self._root, self._path) if self._path else None
        except LeadsOutside:
            return {}
        states = map(_state, reversed((data or b"").splitlines()))
        return next((state for state in states if state), {})

    def _save(self) -> None:
        """Add the state as a line: that costs a tenth of a file replaced, and is done with each entry."""
        if self._path is None:
            return
        try:
            target = resolve_inside(self._root, self._path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            # The line's end comes first: the line before may have been cut off, or be of a version without.
            append_line(target, b"\n" + json.dumps(self._state).encode())
        except (OSError, AgentProgressError):
            # The entry is in the log; without the note the session is begun once more, no worse.
            return


def _is_end(entry: dict[str, Any]) -> bool:
    return entry["type"] == "session_ended" and "supplements" not in entry["data"]


def _state(line: bytes) -> dict[str, Any]:
    """Return the state in a line; none where it was cut off."""
    try:
        value = json.loads(line) if line else {}
    except (ValueError, RecursionError):
        return {}
    return _checked(value) if isinstance(value, dict) else {}


def _checked(value: dict[str, Any]) -> dict[str, Any]:
    """Return a state with members of the right types: a file can be anybody's, and must stop no recording."""
    started, tasks, ended = value.get("started"), value.get("tasks"), value.get("ended")
    return {
        "started": started if isinstance(started, str) else None,
        "tasks": tasks if type(tasks) is int else 0,
        "ended": ended if isinstance(ended, str) else None,
        "news": value.get("news") is True,
    }
