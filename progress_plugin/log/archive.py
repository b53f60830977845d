"""Old entries, moved to one file per month.

Readers treat the newest archived entries and the log as one short log. Some entries count at any age and are
never moved: open blockers, retractions and mutes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

from progress_plugin.config.settings import Settings
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import content_digest, list_inside, make_folder, write_atomic
from progress_plugin.log.document import Fault, Log, parse, serialise
from progress_plugin.log.entry import canonical, data_of, entry_identity, text_of, time_of
from progress_plugin.log.merge import blocker_ids, effective, read_blockers
from progress_plugin.text.bounds import counted

ARCHIVE_FOLDER = "archive"
ARCHIVED = "archived_entries"  # member of the log's `metadata`: how many entries were moved to the archive
REPAIR = "run `agent-progress repair`"
MAX_READ = 500  # newest archived entries that are read with the log

_MONTH = re.compile(r"\d{4}-\d\d\.json")


def read_newest(
    directory: str, log: Log, months: Sequence[str]
) -> tuple[list[dict[str, Any]], int, list[str]]:
    """Return the newest archived entries, the number of all archived ones, and one sentence per fault.

    A reader holds no lock, so an entry can be in archive and `log`: it was moved after `log` was read, or the
    process that moved it was killed. Such an entry is removed from `log` if its month is read here.
    """
    unread = [*months]
    newest: list[dict[str, Any]] = []
    damage: list[str] = []
    while unread and len(newest) < MAX_READ:
        month = read_month(directory, unread.pop())
        newest = [*month.entries, *newest]
        damage += month.problems
    live, known = log.items, set(map(entry_identity, newest))
    log.items = [item for item in live if entry_identity(item) not in known]
    if unread and isinstance(stated := log.metadata.get(ARCHIVED), int):
        count = stated + len(live) - len(log.items)  # `stated` lacks the entries that are also in the log
    else:
        count = len(newest) + sum(len(read_month(directory, name).entries) for name in unread)
        damage += map(str, find_loss(log, count))
    return newest[-MAX_READ:], count, damage


def find_loss(log: Log, archived: int) -> list[Fault]:
    """Return a fault if the archive holds fewer entries than the log says were moved there."""
    stated = log.metadata.get(ARCHIVED)
    if not isinstance(stated, int) or stated <= archived:
        return []
    return [Fault(f"{ARCHIVE_FOLDER}/ holds {archived} of {counted(stated, 'entry')}", REPAIR)]


def month_names(directory: str) -> list[str]:
    """Return the names of the months in the archive, in order of time."""
    names = list_inside(root_of(directory), os.path.join(directory, ARCHIVE_FOLDER))
    return [name for name in names if _MONTH.fullmatch(name)]


def read_month(directory: str, name: str) -> Log:
    """Return one month, as far as the file can be read."""
    path = f"{ARCHIVE_FOLDER}/{name}"
    return parse(data_directory.read(directory, path), path)


def read_months(directory: str) -> dict[str, Log]:
    return {name: read_month(directory, name) for name in month_names(directory)}


def move_due(directory: str, log: Log, settings: Settings, now: datetime, notes: list[str]) -> list[Any]:
    """Move due entries from `log` to the archive, and return them.

    Caller holds the lock, and writes the log next. Raises AgentProgressError if the disk refuses.
    """
    leaving: dict[str, list[Any]] = {}
    for when, item in find_due(log.items, settings, now):
        leaving.setdefault(f"{when.year:04}-{when.month:02}.json", []).append(item)
    moved: list[Any] = []
    for name, items in leaving.items():
        if add_to_month(directory, name, items, now, notes):
            moved += items
    ids = set(map(id, moved))
    log.items = [item for item in log.items if id(item) not in ids]
    return moved


def find_due(items: list[Any], settings: Settings, now: datetime) -> list[tuple[datetime, Any]]:
    """Return the entries to move to the archive, each with its time.

    If the log has `archive_entries` entries or more, those older than `archive_days` are moved. If
    `archive_cap` or more would remain, the oldest are moved until half of `archive_cap` remains.
    """
    if len(items) < settings.archive_entries:
        return []
    unmovable = _find_unmovable([item for item in items if isinstance(item, dict)])
    timed = [(when, item) for when, item in _pair_with_times(items, now) if id(item) not in unmovable]
    oldest = now - timedelta(days=settings.archive_days)
    leaving = [(when, item) for when, item in timed if when < oldest]
    if len(items) - len(leaving) >= settings.archive_cap:
        leaving = sorted(timed, key=itemgetter(0))[: max(len(items) - settings.archive_cap // 2, 0)]
    return leaving


def _find_unmovable(entries: list[dict[str, Any]]) -> set[int]:
    """Return the `id()` of each entry that stays: open blockers and their supplements, retractions, mutes."""
    names = {name for blocker in read_blockers(effective(entries)).open for name in blocker_ids(blocker)}
    return {
        id(entry)
        for entry in entries
        if text_of(entry, "id") in names or data_of(entry).keys() & {"retracts", "mutes"}
    }


def add_to_month(directory: str, name: str, items: list[Any], now: datetime, notes: list[str]) -> bool:
    """Add items to the file of a month, in order of time and each once.

    Return False, and add nothing, if a newer version of agent-progress wrote the file. A damaged file is kept
    under another name. Caller holds the lock.
    """
    path = os.path.join(make_folder(root_of(directory), os.path.join(directory, ARCHIVE_FOLDER)), name)
    month = read_month(directory, name)
    if month.read_only:
        notes.append(f"{month.read_only}; its entries stay in the log until then")
        return False
    notes += keep_damaged(directory, f"{ARCHIVE_FOLDER}/{name}", month, now)
    once = list({canonical(item): item for item in [*month.items, *items]}.values())
    month.items = [item for _, item in sorted(_pair_with_times(once, now), key=itemgetter(0))]
    write_atomic(path, serialise(month), root=root_of(directory))
    return True


def keep_damaged(directory: str, name: str, log: Log, now: datetime) -> list[str]:
    """Copy a damaged log or month to another file before it is overwritten, and return notes."""
    if log.raw is None or not log.damage:
        return []
    kept = f"{name}.corrupt-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    if os.path.lexists(os.path.join(directory, kept)):
        kept = f"{kept}-{content_digest(log.raw).decode()}"
    write_atomic(os.path.join(directory, kept), log.raw, root=root_of(directory))
    return [*log.problems, f"the damaged file is kept as {kept}"]


def _pair_with_times(items: list[Any], now: datetime) -> list[tuple[datetime, Any]]:
    """Pair each item with its time; an undated one gets that of the dated one before it, or the first."""
    times = [time_of(item) if isinstance(item, dict) else None for item in items]
    current = next(filter(None, times), now.astimezone(UTC))
    return [(current := time or current, item) for item, time in zip(items, times, strict=True)]
