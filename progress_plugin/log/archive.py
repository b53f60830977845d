"""Old entries, moved to one file per month."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from progress_plugin.config.settings import Settings
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of, subfolder
from progress_plugin.core.errors import DiskRefused
from progress_plugin.core.files import create_new, write_atomic
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import canonical, time_of

ARCHIVE_FOLDER = "archive"
MARKER = (
    "moving.json"  # names the months that a move writes, from before the first to after the log is written
)

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
        settings.archive_entries, settings.archive_days, settings.archive_cap, settings.archive_keep
    )


class Move(NamedTuple):
    """What a move has written: each month with all its items, and how many of them are new to the archive."""

    months: dict[str, list[Any]]
    moved: list[Any]
    notes: list[str]


def month_names(directory: str) -> list[str]:
    """Return the names of the months in the archive, in order of time."""
    return [name for name in data_directory.names(directory, ARCHIVE_FOLDER) if _MONTH.fullmatch(name)]


def read_month(directory: str, name: str) -> Log:
    """Return one month, as far as the file can be read."""
    path = f"{ARCHIVE_FOLDER}/{name}"
    return parse(data_directory.read(directory, path), path)


def month_of(when: datetime) -> str:
    """Return the name of the month that a time is in."""
    return f"{when.year:04}-{when.month:02}.json"


def move_due(directory: str, log: Log, limits: Limits, now: datetime) -> Move:
    """Write what is due to the archive and take it out of `log`. Caller holds the lock.

    The caller writes the log next and then calls `finish_move`: a kill in between leaves entries in both
    places, and the next call takes them out of the log. Raises AgentProgressError if the disk refuses.
    """
    remove_archived(directory, log)
    leaving: dict[str, list[Any]] = {}
    for when, item in due(log.items, limits, now):
        leaving.setdefault(month_of(when), []).append(item)
    done = Move({}, [], [])
    if not leaving:
        return done
    try:
        folder = subfolder(directory, ARCHIVE_FOLDER)
    except OSError as error:
        raise DiskRefused(f"cannot make {ARCHIVE_FOLDER}/", error) from error
    # A move that was interrupted before stays named until the log itself is on the disk.
    marker = json.dumps({"months": sorted({*leaving, *moving_months(directory)})}).encode()
    write_atomic(os.path.join(folder, MARKER), marker, root=root_of(directory))
    for name, items in leaving.items():
        written = add_to_month(directory, name, items, now, done.notes)
        if written is not None:
            done.months[name] = written
            done.moved.extend(items)
    moved = set(map(id, done.moved))
    log.items = [item for item in log.items if id(item) not in moved]
    return done


def finish_move(directory: str) -> None:
    """End a move after the log is on the disk. Caller holds the lock."""
    if is_moving(directory):
        os.unlink(os.path.join(directory, ARCHIVE_FOLDER, MARKER))


def is_moving(directory: str) -> bool:
    """Return whether entries are on their way to the archive, moved by this process or an interrupted one."""
    return os.path.lexists(os.path.join(directory, ARCHIVE_FOLDER, MARKER))


def moving_months(directory: str) -> list[str]:
    """Return the names of the months that an interrupted move was writing."""
    data = data_directory.read(directory, f"{ARCHIVE_FOLDER}/{MARKER}")
    if data is None:
        return []
    try:
        months = set(json.loads(data)["months"])
    except (ValueError, RecursionError, KeyError, TypeError):
        return month_names(directory)
    return [name for name in month_names(directory) if name in months]


def remove_archived(directory: str, log: Log) -> None:
    """Take out of the log what an interrupted move has put into the archive."""
    months = moving_months(directory)
    if months:
        archived = {canonical(item) for name in months for item in read_month(directory, name).items}
        log.items = [item for item in log.items if canonical(item) not in archived]


def due(items: list[Any], limits: Limits, now: datetime) -> list[tuple[datetime, Any]]:
    """Return what is to leave the log, each with the time that it is filed under.

    An entry without a time leaves only over the ceiling, with the time of the entry before it.
    """
    if len(items) < limits.entries:
        return []
    oldest = now - timedelta(days=limits.days)
    timed = list(_timed(items, now))
    leaving = [(when, item) for when, item, is_dated in timed if is_dated and when < oldest]
    if len(items) - len(leaving) < limits.ceiling:
        return leaving
    by_time = sorted(((when, item) for when, item, _ in timed), key=itemgetter(0))
    return by_time[: max(len(items) - limits.floor, 0)]


def add_to_month(
    directory: str, name: str, items: list[Any], now: datetime, notes: list[str]
) -> list[Any] | None:
    """Write a month with `items` added, each once and by time, and return all of it.

    Returns None if it may not be written. A damaged file is kept under another name. Caller holds the lock.
    """
    path = os.path.join(directory, ARCHIVE_FOLDER, name)
    month = read_month(directory, name)
    if month.read_only:
        notes.append(f"{month.read_only}; its entries stay in the log until then")
        return None
    if month.damage and month.raw is not None:
        copy = create_new(f"{path}.corrupt-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}", month.raw)
        notes += [*month.problems, f"the damaged file is kept as {ARCHIVE_FOLDER}/{os.path.basename(copy)}"]
    once = list({canonical(item): item for item in [*month.items, *items]}.values())
    month.items = [item for _, item, _ in sorted(_timed(once, now), key=itemgetter(0))]
    write_atomic(path, serialise(month), root=root_of(directory))
    return month.items


def _timed(items: list[Any], now: datetime) -> Iterator[tuple[datetime, Any, bool]]:
    """Give each item a time, and say whether it is its own or that of the dated one before it."""
    times = [time_of(item) if isinstance(item, dict) else None for item in items]
    current = next((when for when in times if when), now.astimezone(UTC))
    for item, own in zip(items, times, strict=True):
        current = own or current
        yield current, item, own is not None
