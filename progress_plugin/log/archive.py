"""Old entries, moved to one file per month.

Asked at every write, by `log.store`; how many entries stay, and how long, is in `config.settings`.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from progress_plugin.config.settings import Settings
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of, subfolder
from progress_plugin.core.errors import DiskRefused
from progress_plugin.core.files import create_new, write_atomic
from progress_plugin.log import archive_index
from progress_plugin.log.archive_index import ARCHIVE_FOLDER, Index
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import CLAIM, canonical, data_of, texts_of, time_of
from progress_plugin.log.retractions import retracted
from progress_plugin.log.supplements import is_evidence, moves
from progress_plugin.text.bounds import counted

MARKER = "moving.json"
"""Names the months that a move is writing, from before the first to after the log is rewritten."""


class Limits(NamedTuple):
    """When entries leave the log."""

    entries: int = Settings().archive_entries
    """From so many entries on, those move that are older than `days`."""
    days: int = Settings().archive_days
    ceiling: int = Settings().archive_cap
    """From so many on, the oldest move whatever their age, until `floor` are left."""
    floor: int = Settings().archive_keep


def limits_of(settings: Settings) -> Limits:
    """Return when entries leave the log, as the settings say."""
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
    write_atomic(os.path.join(folder, MARKER), marker, root=root_of(directory))
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

    An entry leaves with all that adds to it, when it is old that anything was said last, and is filed under
    that: parted, its words would be those of two entries. An undated entry stays with those around it: it
    leaves only over the ceiling, with the time of the entry before it. A claim that may still hold stays: the
    log alone is asked for claims.
    """
    if len(items) < limits.entries:
        return []
    oldest = now - timedelta(days=limits.days)
    if len(items) < limits.ceiling and not any(own and when < oldest for when, _, own in _timed(items, now)):
        return []  # as at nearly every append
    wholes = [whole for whole in _wholes(items, now) if not _may_claim(items, whole, now)]
    leaving = [whole for whole in wholes if whole.is_dated and whole.when < oldest]
    if len(items) - sum(len(whole.places) for whole in leaving) >= limits.ceiling:
        leaving, left = [], len(items)
        for whole in sorted(wholes, key=lambda whole: whole.when):
            if left <= limits.floor:
                break
            leaving.append(whole)
            left -= len(whole.places)
    return _in_log_order(items, leaving)


def filed_under(items: list[Any], now: datetime) -> list[tuple[str, Any]]:
    """Return items, each with the name of the month that it is filed under when it leaves the log."""
    return [(month_of(when), item) for when, item in _in_log_order(items, _wholes(items, now))]


class _Whole:
    """An entry with what adds to it (`log.supplements`)."""

    def __init__(self, when: datetime, *, is_dated: bool) -> None:
        self.when = when
        """When anything was said last; what a signal adds moves nothing."""
        self.is_dated = is_dated
        self.is_told = False
        """Whether a part was found that is not retracted, nor mere evidence."""
        self.places: list[int] = []
        """Of its parts in the log."""

    def add(self, place: int, when: datetime, *, is_dated: bool, moves: bool) -> None:
        """Add the part at a place of the log, which makes the whole as new as itself where it `moves` it."""
        self.places.append(place)
        if moves:
            self.when = max(self.when, when) if self.is_told else when
            self.is_dated |= is_dated
            self.is_told = True


def _may_claim(items: list[Any], whole: _Whole, now: datetime) -> bool:
    if not any(isinstance(items[at], dict) and CLAIM in data_of(items[at]) for at in whole.places):
        return False
    from progress_plugin.log.claims import MAX_SPAN  # noqa: PLC0415 - hardly anybody claims anything

    return now - whole.when < MAX_SPAN


def _wholes(items: list[Any], now: datetime) -> list[_Whole]:
    """Return what the items are parts of, in the order in which it began."""
    gone = retracted(item for item in items if isinstance(item, dict))
    wholes: list[_Whole] = []
    known: dict[str, _Whole] = {}
    for place, (when, item, own) in enumerate(_timed(items, now)):
        named = _supplemented_by(item)
        whole = next((known[name] for name in named if name in known), None)
        if whole is None:
            whole = _Whole(when, is_dated=own)
            wholes.append(whole)
            counts = True
        else:
            counts = moves(item) or not (whole.is_told or is_evidence(item))
        whole.add(place, when, is_dated=own, moves=counts and _id_of(item) not in gone)
        for name in (_id_of(item), *named):
            if name is not None:
                known.setdefault(name, whole)
    return wholes


def _in_log_order(items: list[Any], wholes: Iterable[_Whole]) -> list[tuple[datetime, Any]]:
    """Return the parts of these as they stand in the log, each with the time of its whole."""
    times = {place: whole.when for whole in wholes for place in whole.places}
    return [(times[place], items[place]) for place in sorted(times)]


def _supplemented_by(item: Any) -> list[str]:
    """Return the ids of what an item adds to."""
    return texts_of(data_of(item), "supplements") if isinstance(item, dict) else []


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
        copy = create_new(f"{path}.corrupt-{stamp}", month.raw)
        notes += [*month.problems, f"the damaged file is kept as {ARCHIVE_FOLDER}/{os.path.basename(copy)}"]
    month.items = _each_once([*month.items, *items])
    month.items = _by_time(month.items, now)
    write_atomic(path, serialise(month), root=root_of(directory))
    return month.items


def _by_time(items: list[Any], now: datetime) -> list[Any]:
    """Return items by their times, none before what it adds to."""
    latest: dict[str, datetime] = {}
    timed = []
    for when, item, _ in _timed(items, now):
        at = max([when, *(latest[name] for name in _supplemented_by(item) if name in latest)])
        timed.append((at, item))
        if (name := _id_of(item)) is not None:
            latest.setdefault(name, at)
    return [item for _, item in sorted(timed, key=itemgetter(0))]


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
        months.setdefault(month_of(when), []).append(item)
    return months


def month_of(when: datetime) -> str:
    """Return the name of the month that a time is in."""
    return f"{when.year:04}-{when.month:02}.json"


def _timed(items: list[Any], now: datetime) -> Iterator[tuple[datetime, Any, bool]]:
    """Give each item a time, and say whether it is its own or that of the dated one before it."""
    times = [time_of(item) if isinstance(item, dict) else None for item in items]
    current = next((when for when in times if when), now.astimezone(UTC))
    for item, own in zip(items, times, strict=True):
        current = own or current
        yield current, item, own is not None
