"""Old entries, moved to one file per month, and an index of what they still say.

The index is private state: size and time of each month, and the archived entries that still say something:
the newest ones, and open blockers. So readers treat log and index as one short log. If a month has changed,
the next reader makes the index again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from progress_plugin import ARCHIVE_INDEX_FORMAT
from progress_plugin.config.settings import Settings
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of, subfolder
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.files import create_new, read_inside, write_atomic
from progress_plugin.core.paths import looks_only, make_state_directory, state_file
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import canonical, text_of, time_of
from progress_plugin.log.merge import effective, find_muted, read_blockers, retracted
from progress_plugin.log.timestamp import written

ARCHIVE_FOLDER = "archive"
INDEX_FILE = "archive.json"  # in the private state
MAX_KEPT = 500  # of the newest entries in the index
MAX_NEWEST = 30  # of these that are listed

_MONTH = re.compile(r"\d{4}-\d\d\.json")


class Limits(NamedTuple):
    """When entries leave the log."""

    entries: int = 500  # from so many entries on, those older than `days` leave
    days: int = 30
    ceiling: int = 5000  # from so many on, the oldest leave at any age, until `floor` are left
    floor: int = 2500


def limits_of(settings: Settings) -> Limits:
    """Return when entries leave the log, as the settings say."""
    return Limits(
        settings.archive_entries, settings.archive_days, settings.archive_cap, settings.archive_cap // 2
    )


class Month(NamedTuple):
    """One file of the archive as it was when it was read."""

    size: int
    mtime: int  # in nanoseconds
    total: int  # of its entries


@dataclass
class ArchiveIndex:
    """The months of an archive, and what their entries amount to."""

    months: dict[str, Month] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)  # ids that were retracted when the entries were read
    damage: list[str] = field(default_factory=list)  # a sentence for each month that cannot be read whole
    count: int = 0
    oldest: str | None = None
    newest: str | None = None
    mutes: list[str] = field(default_factory=list)
    kept: list[dict[str, Any]] = field(default_factory=list)  # effective entries that still say something

    def fold(self, items: Sequence[Any]) -> None:
        """Add items, all of them newer than what was added before."""
        added = [item for item in items if isinstance(item, dict)]
        times = [written(when) for entry in added if (when := time_of(entry))]
        self.count += len(items)
        self.oldest = min([*filter(None, [self.oldest]), *times], default=None)
        self.newest = max([*filter(None, [self.newest]), *times], default=None)
        self.mutes += [text for _, texts in find_muted(added, self.hidden) for text in texts]
        self.kept = _choose(effective([*self.kept, *added], self.hidden))


def read_index(directory: str, log: Log) -> ArchiveIndex:
    """Return the index of the archive, made again and kept if it does not match the months.

    What `log` retracts in the archive is left out. If `log` counts other archived entries than there are, a
    kill may have left some in both places: they are taken out of `log`.
    """
    stats = {name: _stat(directory, name) for name in month_names(directory)}
    if not stats:
        return ArchiveIndex()
    gone = retracted(log.entries) - {text_of(entry, "id") for entry in log.entries}
    index = _load(directory)
    if not gone <= index.hidden or {name: month[:2] for name, month in index.months.items()} != stats:
        index = _fold_months(directory, gone)
        save_index(directory, index)
    if log.items and log.metadata.get("archived_entries") != index.count:
        archived = {canonical(item) for name in stats for item in read_month(directory, name).items}
        log.items = [item for item in log.items if canonical(item) not in archived]
    return index


def save_index(directory: str, index: ArchiveIndex) -> None:
    """Keep the index; if it cannot be written, the next reader makes it again."""
    value = {"format": ARCHIVE_INDEX_FORMAT, **vars(index), "hidden": sorted(index.hidden)}
    with suppress(AgentProgressError, OSError):
        if not looks_only():
            path = os.path.join(make_state_directory(root_of(directory)), INDEX_FILE)
            write_atomic(path, json.dumps(value).encode(), durable=False, private=True)


def _load(directory: str) -> ArchiveIndex:
    """Return the stored index; an empty one if there is none that this version has written."""
    with suppress(AgentProgressError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        value = json.loads(read_inside(None, state_file(root_of(directory), INDEX_FILE)) or b"{}")
        if value.pop("format") == ARCHIVE_INDEX_FORMAT:
            months = {name: Month(*month) for name, month in value.pop("months").items()}
            return ArchiveIndex(months, set(value.pop("hidden")), **value)
    return ArchiveIndex()


def _fold_months(directory: str, hidden: set[str]) -> ArchiveIndex:
    """Return the index of all months; `hidden` are the ids that the log retracts."""
    stats = {name: _stat(directory, name) for name in month_names(directory)}
    months = {name: read_month(directory, name) for name in stats}
    index = ArchiveIndex(hidden=hidden.union(*(retracted(month.entries) for month in months.values())))
    for name, month in months.items():
        index.months[name] = Month(*stats[name], len(month.items))
        if month.damage:
            what = f"{ARCHIVE_FOLDER}/{name} does not parse ({month.damage}): it is read as far as it goes"
            index.damage.append(f"{what}; run `agent-progress repair`")
        elif month.read_only:
            index.damage.append(month.read_only)
        index.fold(month.items)
    return index


def month_names(directory: str) -> list[str]:
    """Return the names of the months in the archive, in order of time."""
    return [name for name in data_directory.names(directory, ARCHIVE_FOLDER) if _MONTH.fullmatch(name)]


def read_month(directory: str, name: str) -> Log:
    """Return one month, as far as the file can be read."""
    path = f"{ARCHIVE_FOLDER}/{name}"
    return parse(data_directory.read(directory, path), path)


def move_due(
    directory: str, log: Log, limits: Limits, now: datetime, notes: list[str]
) -> tuple[ArchiveIndex, list[Any]]:
    """Write what is due to the archive, take it out of `log`, and return the new index and what has moved.

    Caller holds the lock, and writes log and index next. Raises AgentProgressError if the disk refuses.
    """
    index = read_index(directory, log)
    leaving: dict[str, list[Any]] = {}
    for when, item in due(log.items, limits, now):
        leaving.setdefault(f"{when.year:04}-{when.month:02}.json", []).append(item)
    moved: list[Any] = []
    for name, items in leaving.items():
        count = add_to_month(directory, name, items, now, notes)
        if count is not None:
            index.months[name] = Month(*_stat(directory, name), count)
            moved += items
    if moved:
        ids = set(map(id, moved))
        log.items = [item for item in log.items if id(item) not in ids]
        entries = [item for item in moved if isinstance(item, dict)]
        index.hidden |= retracted([*log.entries, *entries])
        first = min(filter(None, map(time_of, entries)), default=None)
        if not index.damage and (first is None or written(first) >= (index.newest or "")):
            index.fold(moved)
        else:  # a month was mended, or clones have brought older entries than the archive has
            index = _fold_months(directory, index.hidden)
    return index, moved


def due(items: list[Any], limits: Limits, now: datetime) -> list[tuple[datetime, Any]]:
    """Return what is to leave the log, each with the time that it is filed under."""
    if len(items) < limits.entries:
        return []
    timed = _timed(items, now)
    oldest = now - timedelta(days=limits.days)
    leaving = [(when, item) for when, item in timed if when < oldest]
    if len(items) - len(leaving) >= limits.ceiling:
        leaving = sorted(timed, key=itemgetter(0))[: max(len(items) - limits.floor, 0)]
    return leaving


def add_to_month(directory: str, name: str, items: list[Any], now: datetime, notes: list[str]) -> int | None:
    """Write a month with `items` added, each once and by time, and return how many it holds then.

    Returns None if it may not be written. A damaged file is kept under another name. Caller holds the lock.
    """
    try:
        path = os.path.join(subfolder(directory, ARCHIVE_FOLDER), name)
    except OSError as error:
        raise DiskRefused(f"cannot make {ARCHIVE_FOLDER}/", error) from error
    month = read_month(directory, name)
    if month.read_only:
        notes.append(f"{month.read_only}; its entries stay in the log until then")
        return None
    if month.damage and month.raw is not None:
        copy = create_new(f"{path}.corrupt-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}", month.raw)
        notes += [*month.problems, f"the damaged file is kept as {ARCHIVE_FOLDER}/{os.path.basename(copy)}"]
    once = list({canonical(item): item for item in [*month.items, *items]}.values())
    month.items = [item for _, item in sorted(_timed(once, now), key=itemgetter(0))]
    write_atomic(path, serialise(month), root=root_of(directory))
    return len(month.items)


def _choose(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the newest entries, and all open blockers, in their order."""
    newest = entries[-MAX_KEPT:]
    kept = set(map(id, newest))
    older = [entry for entry in read_blockers(entries).open if id(entry) not in kept]
    return [*older, *newest]


def _stat(directory: str, name: str) -> tuple[int, int]:
    try:
        status = os.stat(os.path.join(directory, ARCHIVE_FOLDER, name))
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _timed(items: list[Any], now: datetime) -> list[tuple[datetime, Any]]:
    """Give each item a time; one without a time gets that of the dated one before it."""
    times = [time_of(item) if isinstance(item, dict) else None for item in items]
    current = next(filter(None, times), now.astimezone(UTC))
    return [(current := own or current, item) for item, own in zip(items, times, strict=True)]
