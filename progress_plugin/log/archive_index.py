"""What must be known about the archive without opening it: `archive/index.json`.

One record per month. A record is trusted while the file's size and mtime are those it was made from;
otherwise it is made again from the file, and with it the later ones, since what a month resolves is noted
only for blockers that earlier months left open: noted for every task, the index would grow with the history.
The newest stories are here with their titles, all the others in `archived_story_table`.

A month that does not parse any more, or has lost entries, keeps the record of its last good state, which
says so: figures that changed without a word would be taken for true.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from progress_plugin import ARCHIVE_INDEX_FORMAT
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import write_atomic
from progress_plugin.log import archive_index_record, archived_story_table
from progress_plugin.log.archive_index_record import NEWEST, MonthRecord, Supplemented
from progress_plugin.log.archived_story_table import Table, Words
from progress_plugin.log.deciding_steps import newest_deciding
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import text_of
from progress_plugin.log.retractions import retracted
from progress_plugin.log.supplements import effective
from progress_plugin.text.bounds import counted
from progress_plugin.text.patterns import LazyPattern

ARCHIVE_FOLDER = "archive"
INDEX_FILE = "index.json"
_MONTH = LazyPattern(r"\d{4}-\d\d\.json")
MOST_LEARNINGS = 400
MOST_STORIES = 200
"""Over all months; beyond it the oldest go: learnings are counted, stories are kept by
`archived_story_table`, but for those that are blocked still, which stay. What stays costs each start 8 ms."""
_TEXTS = ("text", "field", "task_id", "cure")
"""Fields of what teaches something."""
_GONE = (-1, -1)
"""The stats of a month whose file is not there."""
_KEPT = "the figures are those of its last good state"
_REPAIR = "run `agent-progress repair`"


class Totals(NamedTuple):
    """What the archive adds to the log's metadata."""

    entries: int
    oldest: str | None
    newest: str | None


class Index:
    """The records of all months, in order of time."""

    __slots__ = ("_good", "_table", "_words", "directory", "hidden", "is_stored", "records", "seen")

    def __init__(
        self, directory: str, records: dict[str, MonthRecord], hidden: Iterable[str], *, trusted: bool = True
    ) -> None:
        self.directory = directory
        self.records = records if trusted else {}
        self.hidden = set(hidden)
        """Ids that retractions took back when the records were made."""
        self.is_stored = True
        """Whether the files say the same."""
        self.seen: dict[str, os.stat_result | None] = {}
        """The months as they were when they were compared with their records; None for one that is gone."""
        self._good = records
        """What was known of the months before they were read again."""
        self._words: dict[str, Words] = {}
        """What months say of their stories, where they were read."""
        self._table: Table | None = None

    def totals(self) -> Totals:
        """Return count, oldest and newest timestamp of the whole archive."""
        records = self.records.values()
        oldest = min((record["oldest"] for record in records if record["oldest"]), default=None)
        newest = max((record["newest"] for record in records if record["newest"]), default=None)
        return Totals(sum(record["count"] for record in records), oldest, newest)

    def size(self) -> int:
        """Return how many bytes its months have."""
        return sum(max(record["size"], 0) for record in self.records.values())

    def open_blockers(self) -> list[dict[str, Any]]:
        """Return the blockers that nothing in the archive resolves, oldest first."""
        unresolved: list[dict[str, Any]] = []
        for name in sorted(self.records):
            unresolved = archive_index_record.still_open(unresolved, self.records[name])
        return unresolved

    def learnings(self) -> list[dict[str, Any]]:
        """Return the facts that learnings are taken from, oldest first, equal texts of a month once.

        Each has text, field, count, id, spec, task_id, timestamp, and `cure`, None but for a cause. Text and
        field are texts, task and cure also None, whatever stands in the file.
        """
        facts = (fact | {name: text_of(fact, name) for name in _TEXTS} for fact in self._all("learnings"))
        return [fact for fact in facts if fact["text"] and fact["field"]]

    def mutes(self) -> list[str]:
        """Return the learnings that archived entries take out of sight."""
        return [text for record in self.records.values() for text in record["mutes"]]

    def stories(self) -> list[dict[str, Any]]:
        """Return the last word of each month on each task, oldest first: entries with a short title."""
        return self._once("stories")

    def newest(self) -> list[dict[str, Any]]:
        """Return the last entries of the archive, at most `NEWEST`, oldest first."""
        return self._once("tail")[-NEWEST:]

    def steps(self) -> list[dict[str, Any]]:
        """Return the entries that decide what comes next, oldest first (`log.deciding_steps`)."""
        return self._all("steps")

    def supplemented(self, entries: Iterable[dict[str, Any]]) -> list[Supplemented]:
        """Return what is known of the archived entries that entries of the log add to."""
        if not self.records:
            return []
        records = [self.records[name] for name in sorted(self.records)]
        return archive_index_record.supplemented(entries, records)

    def take_over(self, other: Index) -> None:
        """Take what another index of the same months has read, and may not have stored yet."""
        self.is_stored = other.is_stored
        self._words = dict(other._words)
        self._table = other._table

    def table(self) -> Table:
        """Return the status of the stories that `stories` leaves out."""
        if self._table is None:
            self._table = archived_story_table.load_table(self.directory, self._stats(), self.hidden)
        if self._table is None:
            self._cut_back()
            self.is_stored = False
        return self._table or Table({}, [], [])

    def words(self, keys: Iterable[str]) -> dict[str, archived_story_table.Word]:
        """Return the last words on those of these stories that `stories` leaves out, by key."""
        wanted = list(keys)
        found = self.table().find(wanted)
        if found is None:  # others have put another table there
            self._table = None
            found = self.table().find(wanted)
        if found is None:
            self._cut_back()
            found = self.table().find(wanted)
        return found or {}

    def last_words(self) -> dict[str, archived_story_table.Word]:
        """Return the last word on every story of the archive, by its key."""
        return archived_story_table.last_words(self._all_words(self.records))

    def problems(self) -> dict[str, str]:
        """Return what is wrong with months, by name, each a sentence with what to do."""
        return {name: record["problem"] for name, record in self.records.items() if record["problem"]}

    def left_out(self) -> dict[str, int]:
        """Return how many learnings of the archive are beyond what the index holds."""
        return {"learnings": sum(record["learnings_left_out"] for record in self.records.values())}

    def refresh(self, contents: dict[str, list[Any]] | None = None) -> bool:
        """Make the records again whose files have changed, and return whether there were any.

        `contents` are months just written; the others are read from their files.
        """
        given = contents or {}
        changed = bool(given)
        unresolved: list[dict[str, Any]] = []
        records: dict[str, MonthRecord] = {}
        stale = False
        for name in sorted({*names(self.directory), *self._good}):
            status = self.seen[name] = _status(self.directory, name)
            stat = _GONE if status is None else (status.st_size, status.st_mtime_ns)
            record = self.records.get(name)
            if stale or name in given or record is None or stat != (record["size"], record["mtime"]):
                stale = changed = True
                record = (
                    self._read(name, stat, unresolved, records)
                    if name not in given
                    else self._made(name, given[name], stat, unresolved, records)
                )
            records[name] = record
            unresolved = archive_index_record.still_open(unresolved, record)
        known, self._good = self._good, records
        self.records = records
        if changed:
            self._all_words(known)
        if self._hide_more():
            return True
        if changed:
            self._cut_back()
            self.is_stored = False
        return changed

    def save(self) -> None:
        """Write the index and the table. Caller holds the lock."""
        if self._table is None or not self._table.is_made or set(self._words) != set(self.records):
            self._cut_back()
        # The table first: it says itself of which months it was made, the index does not mention it.
        archived_story_table.save(self.directory, self._stats(), self.hidden, self.table(), self._words)
        value = {"format": ARCHIVE_INDEX_FORMAT, "hidden": sorted(self.hidden), "files": self.records}
        path = os.path.join(self.directory, ARCHIVE_FOLDER, INDEX_FILE)
        write_atomic(path, json.dumps(value).encode(), root=root_of(self.directory), durable=False)
        self.is_stored = True

    def _read(
        self,
        name: str,
        stat: tuple[int, int],
        unresolved: list[dict[str, Any]],
        before: dict[str, MonthRecord],
    ) -> MonthRecord:
        """Return the record of a month as it is, or its last good one where that has lost entries."""
        known = self._good.get(name)
        month = _month(self.directory, name)
        problem = _problem(name, month, known)
        if problem is None or known is None or month.read_only:
            return {**self._made(name, month.items, stat, unresolved, before), "problem": problem}
        return {**known, "size": stat[0], "mtime": stat[1], "problem": problem}

    def _made(
        self,
        name: str,
        items: list[Any],
        stat: tuple[int, int],
        unresolved: list[dict[str, Any]],
        before: dict[str, MonthRecord],
    ) -> MonthRecord:
        entries = [item for item in items if isinstance(item, dict)]
        self._words[name] = archived_story_table.words(effective(entries, self.hidden))
        return archive_index_record.make(items, stat, unresolved, self.hidden, before.values())

    def _hide_more(self) -> bool:
        """Make everything again where an archived retraction names entries that the records still count."""
        found = {name for record in self.records.values() for name in record["retracts"]}
        if found <= self.hidden:
            return False
        self.hidden |= found
        self.records = {}
        self.refresh()
        return True

    def _all(self, what: str) -> list[dict[str, Any]]:
        return [fact for name in sorted(self.records) for fact in self.records[name][what]]

    def _once(self, what: str) -> list[dict[str, Any]]:
        """Return facts of all months, without those of which a later month says more."""
        later: set[str] = set()
        found: list[list[dict[str, Any]]] = []
        for name in sorted(self.records, reverse=True):
            record = self.records[name]
            facts = record[what]
            found.append([fact for fact in facts if text_of(fact, "id") not in later] if later else facts)
            later.update(record["renews"])
        return list(chain.from_iterable(reversed(found)))

    def _stats(self) -> archived_story_table.Stats:
        return {name: (record["size"], record["mtime"]) for name, record in self.records.items()}

    def _cut_back(self) -> None:
        """Cut back what grows with the history, the oldest first, and make the table of what goes."""
        last = archived_story_table.last_words(self._all_words(self.records))
        room = {"learnings": MOST_LEARNINGS, "stories": MOST_STORIES, "tail": NEWEST}
        for name in sorted(self.records, reverse=True):
            record = self.records[name]
            for what, left in room.items():
                facts = record[what]
                older, kept = facts[: max(len(facts) - left, 0)], facts[max(len(facts) - left, 0) :]
                room[what] = left - len(kept)
                if what == "learnings":
                    record["learnings_left_out"] += len(older)
                if what == "stories":
                    kept = [*(story for story in older if _is_blocked(story, last)), *kept]
                record[what] = kept
        self._cut_back_steps()
        whole = {key for story in self._all("stories") if (key := archived_story_table.key_of(story))}
        self._table = archived_story_table.table_of(last, whole)

    def _cut_back_steps(self) -> None:
        names = sorted(self.records)
        kept = iter(newest_deciding([self.records[name]["steps"] for name in names]))
        for name in names:
            self.records[name]["steps"] = next(kept)

    def _all_words(self, before: dict[str, MonthRecord]) -> dict[str, Words]:
        """Return what every month says of its stories, read from the month only where nothing else says it.

        `before` are the records that what is stored was made with.
        """
        missing = set(self.records) - set(self._words)
        if missing:
            stats = {name: (before[name]["size"], before[name]["mtime"]) for name in missing & set(before)}
            self._words |= archived_story_table.load_months(self.directory, stats)
        for name in set(self.records) - set(self._words):
            entries = [item for item in _items(self.directory, name) if isinstance(item, dict)]
            self._words[name] = archived_story_table.words(effective(entries, self.hidden))
        return self._words


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
    index = Index(directory, records, known | hidden, trusted=hidden <= known)
    if before is not None:
        index.take_over(before)
    index.refresh()
    return index


def forget(directory: str) -> None:
    """Remove the index: whatever the months hold now is taken for all there is. Caller holds the lock."""
    from contextlib import suppress  # noqa: PLC0415 - hardly ever, and a start waits for it

    for path in files(directory):
        with suppress(FileNotFoundError):
            os.unlink(path)


def files(directory: str) -> list[str]:
    """Return the paths of what is made from the months."""
    return [
        os.path.join(directory, ARCHIVE_FOLDER, INDEX_FILE),
        os.path.join(directory, archived_story_table.TABLE_FILE),
    ]


def is_current(directory: str) -> bool:
    """Return whether the stored index matches the months as they are."""
    records, hidden = _stored(directory)
    return not Index(directory, records, hidden).refresh()


def names(directory: str) -> list[str]:
    """Return the names of the months in the archive, in order of time."""
    return [name for name in data_directory.names(directory, ARCHIVE_FOLDER) if _MONTH.fullmatch(name)]


def _stored(directory: str) -> tuple[dict[str, MonthRecord], set[str]]:
    data = data_directory.read(directory, f"{ARCHIVE_FOLDER}/{INDEX_FILE}")
    try:
        value = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        return {}, set()
    if not isinstance(value, dict) or value.get("format") != ARCHIVE_INDEX_FORMAT:
        return {}, set()
    files, hidden = value.get("files"), value.get("hidden")
    if not isinstance(files, dict) or not isinstance(hidden, list):
        return {}, set()
    return {name: record for name, record in files.items() if archive_index_record.is_record(record)}, set(
        hidden
    )


def _problem(name: str, month: Log, known: MonthRecord | None) -> str | None:
    """Return what is wrong with the file of a month, given what was known of it."""
    path = f"{ARCHIVE_FOLDER}/{name}"
    if month.read_only:
        return month.problems[0] if month.problems else month.read_only
    if month.damage:
        told = _KEPT if known else "it is read as far as it goes"
        return f"{path} does not parse ({month.damage}): {told}; {_REPAIR}"
    if known and len(month.items) < known["count"]:
        if month.raw is None:
            return f"{path} is gone, with {counted(known['count'], 'entry')}: {_KEPT}; {_REPAIR}"
        return f"{path} holds {len(month.items)} of {counted(known['count'], 'entry')}: {_KEPT}; {_REPAIR}"
    return None


def _is_blocked(story: dict[str, Any], last: dict[str, archived_story_table.Word]) -> bool:
    if story.get("type") != "task_blocked":
        return False
    key = archived_story_table.key_of(story)
    return key in last and last[key].type == "task_blocked"


def _status(directory: str, name: str) -> os.stat_result | None:
    try:
        return os.stat(os.path.join(directory, ARCHIVE_FOLDER, name))
    except FileNotFoundError:
        return None


def _items(directory: str, name: str) -> list[Any]:
    return _month(directory, name).items


def _month(directory: str, name: str) -> Log:
    path = f"{ARCHIVE_FOLDER}/{name}"
    return parse(data_directory.read(directory, path), path)
