"""A session of a client: begun with its first entry, ended once, silent if it did nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.core.session_state import SessionState, is_session_id, load_session, update_session
from progress_plugin.log.entry import EntryDraft, text_of
from progress_plugin.log.timestamp import moment, written


class Session:
    """What one session has written so far; without a usable id nothing is kept and nothing begun."""

    def __init__(self, project: Project, name: str | None) -> None:
        self._root = project.root
        self.name = name if is_session_id(name) else None
        self._state = _checked(load_session(self.name).entries)

    def opening(self, now: datetime) -> EntryDraft | None:
        """Return the entry that begins the session, None if it has begun or has no name."""
        if self.name is None or self._state:
            return None
        return EntryDraft("session_started", {"started_at": written(now), "session_id": self.name})

    def wrote(self, now: datetime, entries: Sequence[dict[str, Any]], completed: int) -> None:
        """Note that these entries were written, `completed` finished tasks among them.

        An end that the agent has logged is the session's: what its hook knows of the end adds to that.
        """
        logged_ends = [text_of(entry, "id") for entry in entries if _is_end(entry)]
        self._state = {
            "started": self._state.get("started") or written(now),
            "tasks": int(self._state.get("tasks", 0)) + completed,
            "ended": logged_ends[-1] if logged_ends else self._state.get("ended"),
            "news": True,
        }
        self._save()

    def closing(self, now: datetime, reason: str | None) -> EntryDraft | None:
        """Return the entry that ends the session, None if nothing was written since its last end."""
        if not self._state.get("news"):
            return None
        data: dict[str, Any] = {"tasks_completed": self._state["tasks"], "session_id": self.name}
        started = moment(self._state.get("started"))
        if started is not None:
            data["duration_minutes"] = round((now.astimezone(UTC) - started).total_seconds() / 60)
        if reason:
            data["reason"] = reason
        if self._state.get("ended"):
            # Its end was logged, or it was resumed and ends again: the later end counts.
            data["supplements"] = self._state["ended"]
        return EntryDraft("session_ended", data)

    def ended(self, entry_id: str) -> None:
        """Note the entry that ended the session."""
        self._state = {**self._state, "ended": self._state.get("ended") or entry_id, "news": False}
        self._save()

    def _save(self) -> None:
        """Keep the state; if that fails, the session is begun once more in the log."""

        def change(state: SessionState) -> None:
            state.project = state.project or self._root
            state.entries = self._state

        update_session(self.name, change)


def _is_end(entry: dict[str, Any]) -> bool:
    return entry["type"] == "session_ended" and "supplements" not in entry["data"]


def _checked(value: dict[str, Any]) -> dict[str, Any]:
    """Return a state with members of the right types; empty if nothing was written yet."""
    if not value:
        return {}
    started, tasks, ended = value.get("started"), value.get("tasks"), value.get("ended")
    return {
        "started": started if isinstance(started, str) else None,
        "tasks": tasks if type(tasks) is int else 0,
        "ended": ended if isinstance(ended, str) else None,
        "news": value.get("news") is True,
    }
