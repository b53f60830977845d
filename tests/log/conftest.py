"""A log of its own for each test."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.config.settings import Settings
from progress_plugin.core import data_directory
from progress_plugin.core.lock import FileLock
from progress_plugin.log import store
from progress_plugin.log.entry import new_draft

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


def limits(entries: int = 500, days: int = 30) -> Settings:
    """Return settings that say when entries leave the log."""
    return Settings(archive_entries=entries, archive_days=days)


class Place:
    """A project with our directory, written to as a use case does it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.directory = data_directory.prepare(str(root / ".agent-os" / "progress"))
        self.path = Path(self.directory)
        self.file = self.path / "progress.json"
        self.now = NOW

    def append(self, *drafts: dict[str, Any], limits: Settings | None = None) -> store.LogResult:
        with FileLock(str(self.path / store.LOCK_FILE), 10):
            settings = limits or Settings()
            return store.append(self.directory, drafts, settings, now=self.now, project_name="demo")

    def done(self, task: str = "US-1", limits: Settings | None = None, **data: Any) -> dict[str, Any]:
        return self.append(
            new_draft("task_completed", data or {"description": f"did {task}"}, None, task), limits=limits
        ).entries[0]

    def write(self, entries: list[Any], **keys: Any) -> bytes:
        """Write a log as another program would."""
        data = json.dumps(
            {"version": "1.0", "project": "demo", **keys, "entries": entries}, indent=2
        ).encode()
        self.file.write_bytes(data)
        return data

    def document(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.file.read_bytes())
        return value

    def ids(self) -> list[str]:
        return [entry["id"] for entry in self.document()["entries"]]

    def old_entries(
        self, number: int, *, days: float = 1, kind: str = "task_completed"
    ) -> list[dict[str, Any]]:
        """Return entries that end just before now, `days` apart, oldest first."""
        times = [self.now - timedelta(days=days * (number - place)) for place in range(number)]
        return [
            {"id": f"old-{place}", "timestamp": f"{when:%Y-%m-%dT%H:%M:%SZ}", "type": kind, "task_id": f"T-{place}",
             "data": {"description": f"old work {place}"}}
            for place, when in enumerate(times)
        ]  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return an empty project with our directory in it."""
    return Place(tmp_path / "project")
