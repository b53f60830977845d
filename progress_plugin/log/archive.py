"""Old entries, moved to one file per month (S3).

Asked at every write, by `log.store`; how many entries stay, and how long, is in `config.settings`.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from progress_plugin.config.settings import Settings
from progress_plugin.core.errors import DiskRefused
from progress_plugin.core.files import atomic_file, data_directory
from progress_plugin.core.files.data_directory import root_of, subfolder
from progress_plugin.core.light_typing import Any, NamedTuple
from progress_plugin.log import archive_index
from progress_plugin.log.archive_index import ARCHIVE_FOLDER, Index
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import canonical, time_of
from progress_plugin.text.bounds import counted

MARKER = "moving.json"
"""Names the months that a move is writing, from before the first to after the log is rewritten (S3.2)."""


class Limits(NamedTuple):
    """When entries leave the log (S3.1)."""

    entries: int = Settings().archive_entries
    """From so many entries on, those move that are older than `days`."""
    days: int = Settings().archive_days
    ceiling: int = Settings().archive_cap
    """From so many on, the oldest move whatever their age, until `floor` are left."""
    floor: int = Settings().archive_keep


def limits_of(settings: Settings) -> Limits:
    """Return when entries leave the log, as the settings say (S3.1)."""
    return Limits(
        entries=settings.archive_entries,
        days=settings.archive_days,
        ceiling=settings.archive_cap,
        floor=settings.archive_keep,
    )


def move_due(directory: str, log: Log, index: Index, limits: Limits, now: datetime) -> list[str]:
    """Write what is due to the archive and take it out of `log`; return notes. Caller holds the lock.

    The log's file is the caller's to write next, and then `finish` is to be called: a kill in between leaves
    entries in both places, and the next call takes them out of the log. Raises AgentProgressError where the
    disk refuses.
    """
    remove_archived(directory, log)
    months = _by_month(due(log.items, limits, now))
    if not months:
        return []
    folder = _folder(directory)
    # A move that was interrupted before stays named until the log itself is on the disk.
    marker = json.dumps({"months": sorted({*months, *pending(directory)})}).encode()
    atomic_file.replace(os.path.join(folder, MARKER), marker, root=root_of(directory))
    notes: list[str] = []
    written: dict[str, list[Any]] = {}
    for name, items in months.items():
        recorded = index.records[name]["count"] if name in index.records else 0
        merged = merge_month(directory, name, items, now, notes, recorded=recorded)
        if merged is not None:
            written[name] = merged
    index.refresh(written)
    index.save()
    moved = {id(item) for name in written for item in months[name]}
    log.items = [item for item in log.items if id(item) not in moved]
    older = counted(len(moved), "older entry was", "older entries were")
    return [*notes, f"{older} moved to the archive"] if moved else notes


def finish(directory: str, index: Index) -> None:
    """End a move whose log is on the disk, and store what the index has learnt. Caller holds the lock."""
    if index.records:
        index.table()  # made anew where its file is gone, which costs every start as much until it is stored
        if not index.is_stored:
            index.save()
    if is_moving(directory):
        os.unlink(os.path.join(_folder(directory), MARKER))


def is_moving(directory: str) -> bool:
    """Return whether entries are on their way to the archive, moved by this process or an interrupted one."""
    return os.path.lexists(os.path.join(directory, ARCHIVE_FOLDER, MARKER))


def remove_archived(directory: str, log: Log) -> int:
    """Take out of the log what an interrupted move has put into the archive, and return how many."""
    months = pending(directory)
    if not months:
        return 0
    there = {canonical(item) for name in months for item in read(directory, name)}
    before = len(log.items)
    log.items = [item for item in log.items if canonical(item) not in there]
    return before - len(log.items)


def pending(directory: str) -> list[str]:
    """Return the names of the months that an interrupted move was writing."""
    data = data_directory.read(directory, f"{ARCHIVE_FOLDER}/{MARKER}")
    if data is None:
        return []
    try:
        months = set(json.loads(data)["months"])
    except (ValueError, RecursionError, KeyError, TypeError):
        return archive_index.names(directory)  # whichever it was: looking into all of them is only slow
    return [name for name in archive_index.names(directory) if name in months]


def due(items: list[Any], limits: Limits, now: datetime) -> list[tuple[datetime, Any]]:
    """Return what is to leave the log, each with the time that it is filed under.

    An undated entry stays with those around it: it leaves only over the ceiling, with the time of the entry
    before it.
    """
    if len(items) < limits.entries:
        return []
    timed = list(_timed(items, now))
    oldest = now - timedelta(days=limits.days)
    leaving = [(when, item) for when, item, own in timed if own and when < oldest]
    if len(items) - len(leaving) >= limits.ceiling:
        by_age = sorted(timed, key=lambda triple: triple[0])
        leaving = [(when, item) for when, item, _ in by_age[: len(items) - limits.floor]]
    return leaving


def read(directory: str, name: str) -> list[Any]:
    """Return the items of one month, as far as the file can be read."""
    return parse(raw(directory, name), name).items


def raw(directory: str, name: str) -> bytes | None:
    """Return the bytes of one month; None where there is no such file."""
    return data_directory.read(directory, f"{ARCHIVE_FOLDER}/{name}")


def _folder(directory: str) -> str:
    try:
        return subfolder(directory, ARCHIVE_FOLDER)
    except OSError as error:
        raise DiskRefused(f"cannot make {ARCHIVE_FOLDER}/", error) from error


def merge_month(  # noqa: PLR0913 - what a month is, and what is known of it
    directory: str, name: str, items: list[Any], now: datetime, notes: list[str], *, recorded: int = 0
) -> list[Any] | None:
    """Write a month with `items` added, once each, and return all of it; None where it may not be written.

    That is also where it holds fewer entries than the index has `recorded`: rewritten, it would look whole.
    What else was done is added to `notes`. Caller holds the lock.
    """
    path = os.path.join(directory, ARCHIVE_FOLDER, name)
    month = parse(raw(directory, name), name)
    if month.read_only:
        notes.append(f"{month.read_only}; its entries stay in the log until then")
        return None
    if len(month.items) < recorded:
        lost = recorded - len(month.items)
        notes.append(
            f"{ARCHIVE_FOLDER}/{name} has lost {lost} of {counted(recorded, 'entry')}; "
            "run `agent-progress repair`, until then what belongs there stays in the log"
        )
        return None
    if month.damage and month.raw is not None:
        stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        copy = atomic_file.create_new(f"{path}.corrupt-{stamp}", month.raw)
        notes += [*month.problems, f"the damaged file is kept as {ARCHIVE_FOLDER}/{os.path.basename(copy)}"]
    month.items = _each_once([*month.items, *items])
    month.items = [item for _, item, _ in sorted(_timed(month.items, now), key=lambda triple: triple[0])]
    atomic_file.replace(path, serialise(month), root=root_of(directory))
    return month.items


def _each_once(items: list[Any]) -> list[Any]:
    """Return items without those that say the same as an earlier one; only of one id is that looked at."""
    ids = Counter(_id_of(item) for item in items)
    seen: set[str] = set()
    kept = []
    for item in items:
        name = _id_of(item)
        if name is None or ids[name] > 1:
            said = canonical(item)
            if said in seen:
                continue
            seen.add(said)
        kept.append(item)
    return kept


def _id_of(item: Any) -> str | None:
    name = item.get("id") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def _by_month(leaving: list[tuple[datetime, Any]]) -> dict[str, list[Any]]:
    months: dict[str, list[Any]] = {}
    for when, item in leaving:
        months.setdefault(f"{when.year:04}-{when.month:02}.json", []).append(item)
    return months


def _timed(items: list[Any], now: datetime) -> Iterator[tuple[datetime, Any, bool]]:
    """Give each item a time, and say whether it is its own or that of the dated one before it."""
    times = [time_of(item) if isinstance(item, dict) else None for item in items]
    current = next((when for when in times if when), now.astimezone(UTC))
    for item, own in zip(items, times, strict=True):
        current = own or current
        yield current, item, own is not None
