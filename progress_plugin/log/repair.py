"""Log and archive, mended from what there is; every original is kept.

The command's work. Without a command a damaged log is read as far as it goes (`log.partial_json`, `salvage`)
and filled up from its newest good version (`log.store`, `load`).
"""

from __future__ import annotations

import os
from datetime import datetime

from progress_plugin.log import archive, archive_index, earlier_versions, store
from progress_plugin.log.archive import Limits
from progress_plugin.log.archive_index import ARCHIVE_FOLDER, Index
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import canonical, entry_identity
from progress_plugin.log.late_entries import in_order
from progress_plugin.log.verify import abandoned, mendable, missing
from progress_plugin.text.bounds import counted


def repair(
    directory: str, *, now: datetime, project_name: str, limits: Limits, adopt: bool = False
) -> list[str]:
    """Mend what `verify` finds and can be mended, and return what was done, one sentence each.

    Nothing wrong: nothing is written. `adopt` takes all copies kept for this path for this log's. Caller
    holds the lock. Raises BadInput for a log that may not be written (conflict markers, a newer version),
    AgentProgressError where the disk refuses.
    """
    if not mendable(directory, now, adopt=adopt):
        earlier_versions.brought_back(directory, store.load(directory))
        return []
    log = store.load(directory)
    log.refuse_if_read_only()
    index = archive_index.load(directory, log.entries)
    notes = _bring_back(directory, log, adopt=adopt)
    archive.remove_archived(directory, log)
    notes += _mend_months(directory, now)
    notes += _give_up(directory, log, index, now)
    notes += _drop_twins(directory, log)
    notes += _remove_leftovers(directory, now)
    notes += store.save(directory, log, now=now, project_name=project_name, limits=limits)
    earlier_versions.brought_back(directory, log)
    return notes


def _bring_back(directory: str, log: Log, *, adopt: bool) -> list[str]:
    notes = []
    present = {canonical(item) for item in log.items}
    began = {entry_identity(item) for item in log.items}
    copies = dict(earlier_versions.own_copies(directory, log, adopt=adopt))
    for path, items in missing(directory, adopt=adopt).items():
        is_former = path in copies and began.isdisjoint(map(entry_identity, copies[path].items))
        added = [item for item in items if canonical(item) not in present]
        present |= {canonical(item) for item in added}
        log.items = in_order(log.items, added, of_former_log=is_former)
        if added:
            number = counted(len(added), "entry")
            notes.append(f"{number} came back from {path}")
    return notes


def _mend_months(directory: str, now: datetime) -> list[str]:
    """Rewrite the months that do not parse, or that hold an entry twice; name those that stay as they are."""
    notes: list[str] = []
    for name in archive_index.names(directory):
        month = parse(archive.raw(directory, name), f"{ARCHIVE_FOLDER}/{name}")
        if month.read_only:
            notes.append(f"not mended: {month.read_only}")
            continue
        twins = len(month.items) - len({canonical(item) for item in month.items})
        if month.damage or twins:
            archive.merge_month(directory, name, [], now, notes)
        if twins:
            notes.append(f"{counted(twins, 'repetition')} removed from {ARCHIVE_FOLDER}/{name}")
    return notes


def _give_up(directory: str, log: Log, before: Index, now: datetime) -> list[str]:
    """Take the months for what they hold now, and name what no copy could bring back."""
    months = before.problems()
    if not months:
        return []
    archive_index.forget(directory)
    notes = []
    filed = archive.filed_under(log.items, now)
    for name in months:
        here = [*archive.read(directory, name), *(item for month, item in filed if month == name)]
        lost = before.records[name]["count"] - len({canonical(item) for item in here})
        if lost > 0:
            number = counted(lost, "entry")
            notes.append(f"{number} of {ARCHIVE_FOLDER}/{name}: in no copy, and not counted any longer")
    return notes


def _drop_twins(directory: str, log: Log) -> list[str]:
    """Take out of the log what is in it twice, or in the archive as well."""
    seen = {
        canonical(item) for name in archive_index.names(directory) for item in archive.read(directory, name)
    }
    kept = []
    for item in log.items:
        key = canonical(item)
        if key not in seen:
            kept.append(item)
        seen.add(key)
    dropped = len(log.items) - len(kept)
    log.items = kept
    return [f"{counted(dropped, 'repetition')} removed from log and archive"] if dropped else []


def _remove_leftovers(directory: str, now: datetime) -> list[str]:
    paths = abandoned(directory, now)
    for path in paths:
        os.unlink(path)
    return [f"{counted(len(paths), 'temporary file')} removed"] if paths else []
