"""What compactions took, kept beside our data and never in a foreign database."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from progress_plugin.core.errors import BadInput, DiskRefused
from progress_plugin.core.paths import make_private, user_data

NAME = "compactions.jsonl"
_KEYS = {"compacted", "summary_id", "at", "project", "database"}
"""What a line must have; the file has no number, since each line is read for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """One compaction that was executed."""

    database: str
    ids: tuple[int, ...]
    summary_id: int | None
    at: str
    """The `deleted_at` that its rows were given."""
    project: str | None
    number: int = 0
    """Which one it is in its database, from 1."""


class Ledger:
    """A file with one JSON line per compaction; whether one was undone is seen in the database."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def append(self, compaction: Compaction) -> None:
        """Record a compaction; called before its commit.

        A line whose commit never came is harmless: the rows do not carry its stamp. The other order could
        lose what is needed to undo it. Raises AgentProgressError where the file cannot be written.
        """
        self._write(
            {"compacted": list(compaction.ids), "summary_id": compaction.summary_id, "at": compaction.at,
             "project": compaction.project, "database": os.path.realpath(compaction.database)}
        )  # fmt: skip

    def compactions(self, database: str) -> list[Compaction]:
        """Return the compactions of one database, oldest first, without lines that a crash cut off."""
        lines = [line for line in self._lines() if line["database"] == os.path.realpath(database)]
        return [
            Compaction(
                database=database, ids=tuple(line["compacted"]), summary_id=line["summary_id"], at=line["at"],
                project=line["project"], number=number,
            )
            for number, line in enumerate(lines, 1)
        ]  # fmt: skip

    def _lines(self) -> list[dict[str, Any]]:
        try:
            if os.path.exists(self.path) and not os.path.isfile(self.path):
                raise BadInput(f"{self.path} is not a file; move it out of the way")
            with open(self.path, encoding="utf-8") as file:
                lines = [line for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []
        return [line for line in map(_parsed, lines) if line is not None]

    def _write(self, line: dict[str, Any]) -> None:
        # It begins with a line end: a line that a crash cut short cannot swallow this one.
        data = ("\n" + json.dumps(line) + "\n").encode()
        try:
            make_private(os.path.dirname(self.path))
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(handle, data)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise DiskRefused(f"cannot write {self.path}", error, "nothing was changed") from error


def _parsed(line: str) -> dict[str, Any] | None:
    """Return a line as it was written; None for one that was cut off, or written otherwise."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.keys() >= _KEYS else None


def ledger_for(database: str) -> Ledger:
    """Return the ledger: in the user data directory, beside the database where there is no home."""
    return Ledger(os.path.join(user_data() or os.path.dirname(database), NAME))
