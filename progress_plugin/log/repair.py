"""Log and archive, mended from what there is; every damaged original is kept."""

from __future__ import annotations

import os
from datetime import datetime
from operator import itemgetter

from progress_plugin.log import archive, backup, lost_entries, store
from progress_plugin.log.archive import ARCHIVE_FOLDER, Limits
from progress_plugin.log.archive_index import forget_index, load_index
from progress_plugin.log.document import Log
from progress_plugin.log.entry import canonical, when_of
from progress_plugin.log.late_entries import in_order
from progress_plugin.log.verify import find_abandoned, find_mendable
from progress_plugin.text.bounds import counted


def repair(
    directory: str, *, now: datetime, project_name: str, limits: Limits, adopt: bool = False
) -> list[str]:
    """Mend what `verify` finds and can be mended, and return what was done, one sentence each.

    Nothing wrong: nothing is written. `adopt` takes all copies kept for this path for this log's. Caller
    holds the lock. Raises BadInput for a log that may not be written, AgentProgressError if the disk refuses.
    """
    if not find_mendable(directory, now, adopt=adopt):
        return []
    log = store.load(directory)
    log.refuse_if_read_only()
    notes = _bring_back(directory, log, adopt=adopt)
    archive.remove_archived(directory, log)
    notes += _mend_months(directory, now)
    notes += _give_up_lost(directory, log)
    notes += _drop_repetitions(directory, log)
    notes += _remove_abandoned(directory, now)
    notes += store.save(directory, log, now=now, project_name=project_name, limits=limits)
    backup.forget_contained(directory, log, lost_entries.identities_here(directory, log))
    return notes


def _bring_back(directory: str, log: Log, *, adopt: bool) -> list[str]:
    notes = []
    present = {canonical(item) for item in log.items}
    for path, items in lost_entries.find_missing(directory, adopt=adopt).items():
        added = [item for item in items if canonical(item) not in present]
        present |= {canonical(item) for item in added}
        log.items = in_order(log.items, added)
        if added:
            notes.append(f"{counted(len(added), 'entry')} came back from {path}")
    return notes


def _mend_months(directory: str, now: datetime) -> list[str]:
    """Rewrite the months that do not parse, or that hold an entry twice; name those that stay as they are."""
    notes: list[str] = []
    for name in archive.month_names(directory):
        month = archive.read_month(directory, name)
        if month.read_only:
            notes.append(f"not mended: {month.read_only}")
            continue
        repetitions = len(month.items) - len({canonical(item) for item in month.items})
        if month.damage or repetitions:
            archive.add_to_month(directory, name, [], now, notes)
        if repetitions:
            notes.append(f"{counted(repetitions, 'repetition')} removed from {ARCHIVE_FOLDER}/{name}")
    return notes


def _give_up_lost(directory: str, log: Log) -> list[str]:
    """Count the months for what they hold now, and name what no copy could bring back."""
    months = load_index(directory, log.entries).months
    lost = {name: month.lost for name, month in months.items() if month.lost}
    back = [archive.month_of(when_of(item)) for item in log.items]
    forget_index(directory)
    notes = []
    for name, number in sorted(lost.items(), key=itemgetter(0)):
        left = number - back.count(name)
        if left > 0:
            where = f"{ARCHIVE_FOLDER}/{name}"
            notes.append(f"{counted(left, 'entry')} of {where}: in no copy, and not counted any longer")
    return notes


def _drop_repetitions(directory: str, log: Log) -> list[str]:
    """Take out of the log what is in it twice, or in the archive as well."""
    names = archive.month_names(directory)
    seen = {canonical(item) for name in names for item in archive.read_month(directory, name).items}
    kept = []
    for item in log.items:
        if canonical(item) not in seen:
            kept.append(item)
        seen.add(canonical(item))
    dropped = len(log.items) - len(kept)
    log.items = kept
    return [f"{counted(dropped, 'repetition')} removed from log and archive"] if dropped else []


def _remove_abandoned(directory: str, now: datetime) -> list[str]:
    paths = find_abandoned(directory, now)
    for path in paths:
        os.unlink(path)
    return [f"{counted(len(paths), 'temporary file')} removed"] if paths else []
