"""What must be known about the archive without opening it (S3.4): `archive/index.json`.

One record per month. A record is trusted while the file's size and mtime are those it was made from;
otherwise it is made again from the file, and with it the later ones, since what a month resolves is noted
only for blockers that earlier months left open: noted for every task, the index would grow with the history.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.core import atomic_file, own_directory
from progress_plugin.core.own_directory import root_of
from progress_plugin.log import month_record
from progress_plugin.log.document import parse
from progress_plugin.log.entry import text_of
from progress_plugin.log.month_record import Record
from progress_plugin.log.retractions import retracted

FOLDER = "archive"
FILE = "index.json"
_FORMAT = 1
_MONTH = re.compile(r"\d{4}-\d\d\.json")
NEWEST = 20
"""Entries at the end of the archive that the index holds whole, so that `recent` opens no month."""
MOST_LEARNINGS = 400
MOST_STORIES = 400
"""Over all months; beyond it the oldest go, which are counted. What stays costs each start some 10 ms."""


class Totals(NamedTuple):
    """What the archive adds to the log's metadata (S1.6)."""

    entries: int
    oldest: str | None
    newest: str | None


class Index:
    """The records of all months, in order of time."""

    __slots__ = ("directory", "hidden", "is_stored", "records")

    def __init__(self, directory: str, records: dict[str, Record], hidden: Iterable[str]) -> None:
        self.directory = directory
        self.records = records
        self.hidden = set(hidden)
        """Ids that retractions took back when the records were made."""
        self.is_stored = True
        """Whether the file says the same."""

    def totals(self) -> Totals:
        """Return count, oldest and newest timestamp of the whole archive."""
        records = self.records.values()
        oldest = min((record["oldest"] for record in records if record["oldest"]), default=None)
        newest = max((record["newest"] for record in records if record["newest"]), default=None)
        return Totals(sum(record["count"] for record in records), oldest, newest)

    def open_blockers(self) -> list[dict[str, Any]]:
        """Return the blockers that nothing in the archive resolves, oldest first."""
        unresolved: list[dict[str, Any]] = []
        for name in sorted(self.records):
            unresolved = month_record.still_open(unresolved, self.records[name])
        return unresolved

    def learnings(self) -> list[dict[str, Any]]:
        """Return the facts that learnings are taken from, oldest first, equal texts of a month once.

        Each has text, field, count, id, spec, task_id, timestamp.
        """
        return self._all("learnings")

    def mutes(self) -> list[str]:
        """Return the learnings that archived entries take out of sight."""
        return [text for record in self.records.values() for text in record["mutes"]]

    def stories(self) -> list[dict[str, Any]]:
        """Return the last word of each month on each task, oldest first: entries with a short title."""
        return self._all("stories")

    def newest(self) -> list[dict[str, Any]]:
        """Return the last entries of the archive, at most `NEWEST`, oldest first."""
        return self._all("tail")[-NEWEST:]

    def left_out(self) -> dict[str, int]:
        """Return how many learnings and stories of the archive are beyond what the index holds."""
        return {
            what: sum(record[f"{what}_left_out"] for record in self.records.values())
            for what in ("learnings", "stories")
        }

    def refresh(self, contents: dict[str, list[Any]] | None = None) -> bool:
        """Make the records again whose files have changed, and return whether there were any.

        `contents` are months just written; the others are read from their files.
        """
        given = contents or {}
        present = names(self.directory)
        changed = bool(given) or set(present) != set(self.records)
        unresolved: list[dict[str, Any]] = []
        records: dict[str, Record] = {}
        stale = False
        for name in present:
            stat = _stat(self.directory, name)
            record = self.records.get(name)
            if stale or name in given or record is None or stat != (record["size"], record["mtime"]):
                stale = changed = True
                items = given[name] if name in given else _read(self.directory, name)
                record = month_record.make(items, stat, unresolved, self.hidden)
            records[name] = record
            unresolved = month_record.still_open(unresolved, record)
        self.records = records
        changed = self._hide_more() or changed
        self.is_stored = self.is_stored and not changed
        return changed

    def save(self) -> None:
        """Write the index. Caller holds the lock."""
        self._trim()
        value = {"format": _FORMAT, "hidden": sorted(self.hidden), "files": self.records}
        path = os.path.join(self.directory, FOLDER, FILE)
        atomic_file.replace(path, json.dumps(value).encode(), root=root_of(self.directory), durable=False)
        self.is_stored = True

    def _hide_more(self) -> bool:
        """Make everything again where an archived retraction names entries that the records still tell of."""
        found = {name for record in self.records.values() for name in record["retracts"]}
        if found <= self.hidden:
            return False
        self.hidden |= found
        self.records = {}
        self.refresh()
        return True

    def _all(self, what: str) -> list[dict[str, Any]]:
        return [fact for name in sorted(self.records) for fact in self.records[name][what]]

    def _trim(self) -> None:
        """Cut back what grows with the history, the oldest first, and count what goes."""
        room = {"learnings": MOST_LEARNINGS, "stories": MOST_STORIES, "tail": NEWEST}
        for name in sorted(self.records, reverse=True):
            record = self.records[name]
            for what, left in room.items():
                facts = record[what]
                kept = facts[len(facts) - left :] if len(facts) > left else facts
                if what != "tail":
                    record[f"{what}_left_out"] += len(facts) - len(kept)
                record[what] = kept
                room[what] = left - len(kept)


def load(directory: str, entries: Iterable[dict[str, Any]] = (), before: Index | None = None) -> Index:
    """Return the index of the archive, made good in memory where the files have changed.

    `entries` are those of the live log: what they retract in the archive is left out. `before` is an index
    that was loaded under the same lock; it stands for the stored one.
    """
    live = list(entries)
    hidden = retracted(live)
    if hidden:
        hidden -= {text_of(entry, "id") for entry in live}
    records, known = (before.records, before.hidden) if before else _stored(directory)
    # A retraction may reach into any month, so a new one has all records made again, once.
    index = Index(directory, records if hidden <= known else {}, known | hidden)
    index.is_stored = before is None or before.is_stored
    index.refresh()
    return index


def is_current(directory: str) -> bool:
    """Tell whether the stored index matches the months as they stand."""
    records, hidden = _stored(directory)
    return not Index(directory, records, hidden).refresh()


def names(directory: str) -> list[str]:
    """Return the names of the months in the archive, in order of time."""
    return [name for name in own_directory.names(directory, FOLDER) if _MONTH.fullmatch(name)]


def _stored(directory: str) -> tuple[dict[str, Record], set[str]]:
    data = own_directory.read(directory, f"{FOLDER}/{FILE}")
    try:
        value = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        return {}, set()
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        return {}, set()
    files, hidden = value.get("files"), value.get("hidden")
    if not isinstance(files, dict) or not isinstance(hidden, list):
        return {}, set()
    return {name: record for name, record in files.items() if month_record.is_record(record)}, set(hidden)


def _stat(directory: str, name: str) -> tuple[int, int]:
    stat = os.stat(os.path.join(directory, FOLDER, name))
    return stat.st_size, stat.st_mtime_ns


def _read(directory: str, name: str) -> list[Any]:
    return parse(own_directory.read(directory, f"{FOLDER}/{name}"), name).items
