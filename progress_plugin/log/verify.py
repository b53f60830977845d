"""What is wrong with log and archive, and mending it from what there is.

`verify` changes nothing. `repair` keeps every damaged original.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.files import TEMPORARY_PREFIX, walk_inside
from progress_plugin.log import archive, backup, known_erasures, pending_events, store
from progress_plugin.log.archive import ARCHIVE_FOLDER, Limits
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import canonical, entry_identity, in_order
from progress_plugin.log.store import REPAIR
from progress_plugin.text.bounds import counted, some_of

_BY_HAND = "it is kept as it is; mend it by hand, or leave it"
_IN_FLIGHT_S = 60  # for so long a temporary file may be one that is being written


class Fault(NamedTuple):
    """One thing that is not as it should be."""

    what: str  # a sentence without a full stop
    remedy: str


def verify(directory: str, now: datetime) -> list[Fault]:
    """Return everything that is wrong. Raises BadInput and LeadsOutside as `store.load` does."""
    links = data_directory.stray_links(directory)
    return [
        *find_mendable(directory, now),
        *(Fault(f"{link} is a link out of the project; not read", "remove the link") for link in links),
        *(_split(problem) for problem in backup.unreadable(directory).values()),
    ]


def find_mendable(directory: str, now: datetime) -> list[Fault]:
    """Return what `repair` would do something about."""
    log = parse(store.raw(directory))
    months = _read_months(directory)
    found = [fault for name, each in {store.LOG_FILE: log, **months}.items() for fault in _read(name, each)]
    if log.metadata:
        index = archive.read_index(directory, Log({}, []))
        found += map(_split, store.describe_loss(log, index))
    every = [canonical(item) for each in (log, *months.values()) for item in each.items]
    if twice := len(every) - len(set(every)):
        found.append(Fault(f"{counted(twice, 'entry is', 'entries are')} in log and archive twice", REPAIR))
    for path, items in find_missing(directory, log).items():
        number = counted(len(items), "entry that is", "entries that are")
        what = f"{path} holds {number} in neither log nor archive"
        found.append(Fault(what, f"{REPAIR} to bring back what is missing"))
    events = [path for path in pending_events.waiting(directory) if _is_old(path, now)]
    if events:
        waiting = counted(len(events), "event waits", "events wait")
        what = f"{waiting} in {pending_events.FOLDER}/ to be recorded"
        found.append(Fault(what, f"the next hook or `agent-progress log` records them, or {REPAIR}"))
    if old := find_abandoned(directory, now):
        names = some_of([os.path.relpath(path, directory) for path in old])
        number = counted(len(old), "temporary file is", "temporary files are")
        found.append(Fault(f"{number} left: {names}", REPAIR))
    return found


def find_abandoned(directory: str, now: datetime) -> list[str]:
    """Return the temporary files that killed writers have left, without those that may be in use."""
    names = sorted(name for name, _ in walk_inside(data_directory.root_of(directory), directory))
    names = [name for name in names if os.path.basename(name).startswith(TEMPORARY_PREFIX)]
    return [path for name in names if _is_old(path := os.path.join(directory, name), now)]


def _read_months(directory: str) -> dict[str, Log]:
    names = archive.month_names(directory)
    return {f"{ARCHIVE_FOLDER}/{name}": archive.read_month(directory, name) for name in names}


def find_missing(directory: str, log: Log, folders: list[str] | None = None) -> dict[str, list[Any]]:
    """Return what neither log nor archive holds, by the newest copy that has it; erased entries are left out.

    `folders` are the copies to look in, if not all that are of this project.
    """
    if folders is None:
        folders = backup.find_folders(directory, log)
    erased = known_erasures.read(directory)
    known = _identities_here(directory, log) if folders else set()
    found: dict[str, list[Any]] = {}
    for folder in reversed(folders):
        for entry in backup.read_entries(folder):
            if entry_identity(entry) not in known and not erased.covers(entry):
                known.add(entry_identity(entry))
                found.setdefault(folder, []).append(entry)
    return found


def _identities_here(directory: str, log: Log) -> set[str]:
    """Return what identifies the entries of log and archive."""
    logs = [log, *_read_months(directory).values()]
    return {entry_identity(item) for each in logs for item in each.items}


def describe_lost(directory: str, log: Log) -> str | None:
    """Return a line about a history that only copies hold, if log or directory were removed or replaced."""
    if log.damage or log.read_only or not (folders := backup.other_folders(directory, log)):
        return None
    gone = find_missing(directory, log, folders)
    if not gone:
        return None
    number = counted(sum(map(len, gone.values())), "entry")
    return f"a history of {number} is gone from here; `agent-progress repair` brings it back"


def repair(directory: str, *, now: datetime, project_name: str, limits: Limits) -> list[str]:
    """Mend what `find_mendable` finds, and return what was done. Caller holds the lock.

    `now` carries its zone. Raises BadInput, and changes nothing, for a log that may not be written,
    AgentProgressError if the disk refuses.
    """
    if not find_mendable(directory, now):
        return []
    log = store.load(directory)
    log.refuse_if_read_only()
    notes = []
    for path, items in find_missing(directory, log).items():
        log.items = in_order(log.items, items)
        notes.append(f"{counted(len(items), 'entry')} came back from {path}")
    notes += _mend_archive(directory, log, now)
    abandoned = find_abandoned(directory, now)
    for path in abandoned:
        os.unlink(path)
    notes += [f"{counted(len(abandoned), 'temporary file')} removed"] if abandoned else []
    log.metadata.pop(store.ARCHIVED, None)
    notes += store.save(directory, log, now=now, project_name=project_name, limits=limits)
    _forget_contained(directory, log)
    return notes


def _forget_contained(directory: str, log: Log) -> None:
    """Remove copies of an earlier log of this project whose entries are all known."""
    for folder in backup.other_folders(directory, log):
        is_whole = backup.unreadable(directory).keys().isdisjoint(backup.files_of(folder))
        identities = {entry_identity(entry) for entry in backup.read_entries(folder)}
        if is_whole and identities <= _identities_here(directory, log):
            shutil.rmtree(folder, ignore_errors=True)


def _split(problem: str) -> Fault:
    """Return a sentence with its remedy after the last semicolon as a fault."""
    what, _, remedy = problem.rpartition("; ")
    return Fault(what or problem, remedy if what else "it is passed over; see to its permissions")


def _read(name: str, log: Log) -> Iterator[Fault]:
    if log.damage:
        yield Fault(f"{name} does not parse: {log.damage}", REPAIR)
    elif log.read_only:
        what, _, remedy = log.read_only.partition("; ")
        yield Fault(what, remedy)
    else:
        yield from (Fault(problem, _BY_HAND) for problem in log.problems)


def _is_old(path: str, now: datetime) -> bool:
    """Return whether a file is older than what a process may be writing."""
    try:
        return now.timestamp() - os.lstat(path).st_mtime > _IN_FLIGHT_S
    except FileNotFoundError:
        return False


def _mend_archive(directory: str, log: Log, now: datetime) -> list[str]:
    """Rewrite months that do not parse, and leave each entry in one place; name what stays as it is."""
    notes: list[str] = []
    archived: set[str] = set()
    before = len(log.items)
    for path, month in _read_months(directory).items():
        items = {canonical(item) for item in month.items}
        archived |= items
        if month.read_only:
            notes.append(f"not mended: {month.read_only}")
        elif month.damage or len(items) < len(month.items):
            archive.add_to_month(directory, os.path.basename(path), [], now, notes)
            before += len(month.items) - len(items)
    once = {canonical(item): item for item in log.items}
    log.items = [item for key, item in once.items() if key not in archived]
    if dropped := before - len(log.items):
        notes.append(f"{counted(dropped, 'repetition')} removed from log and archive")
    return notes
