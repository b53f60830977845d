"""What is wrong with log and archive, and what to do about it; nothing is changed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.files import TEMPORARY_PREFIX, walk_inside
from progress_plugin.log import archive, backup, known_erasures, lost_entries, pending_events, store
from progress_plugin.log.archive_index import INDEX_FILE, ArchiveIndex, load_index
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import canonical, text_of
from progress_plugin.text.bounds import counted, some_of

REPAIR = "run `agent-progress repair`"
_IN_FLIGHT_S = 60  # for so long a temporary file may be one that is being written
_MAX_COMMANDS = 3


class Fault(NamedTuple):
    """One thing that is not as it should be."""

    what: str  # a sentence without a full stop
    remedy: str


def verify(directory: str, now: datetime) -> list[Fault]:
    """Return everything that is wrong. Raises BadInput and LeadsOutside as `store.load` does."""
    return [
        *find_mendable(directory, now),
        *find_unproven(directory),
        *_stray_links(directory),
        *_unreadable(directory),
        *_erased_in_copies(directory),
    ]


def find_mendable(directory: str, now: datetime, *, adopt: bool = False) -> list[Fault]:
    """Return what `repair` would do something about; with `adopt` also what unproven copies hold."""
    log = parse(store.raw(directory))
    index = load_index(directory, log.entries)
    months = {name: archive.read_month(directory, name) for name in archive.month_names(directory)}
    named = {store.LOG_FILE: log} | {
        f"{archive.ARCHIVE_FOLDER}/{name}": each for name, each in months.items()
    }
    return [
        *(fault for name, each in named.items() for fault in _file_faults(name, each)),
        *_lost_of_months(index),
        *_interrupted_move(directory),
        *_repeated(list(named.values())),
        *_wrong_metadata(log, index),
        *_stale_index(index),
        *_missing(directory, adopt=adopt),
        *_waiting_events(directory, now),
        *_left_over(directory, now),
    ]


def find_unproven(directory: str) -> Iterator[Fault]:
    """Yield what copies of this path hold that nothing shows to be of this log; it is not brought back."""
    for folder, count in lost_entries.find_unproven(directory, parse(store.raw(directory))):
        yield Fault(
            f"{folder} holds {counted(count, 'entry')} of a log at this path, and nothing shows that it was "
            "this project's",
            "`agent-progress repair --adopt` brings them in; remove that folder if it was another's",
        )


def find_abandoned(directory: str, now: datetime) -> list[str]:
    """Return the temporary files that killed writers have left, without those that may be in use."""
    names = [name for name, _ in walk_inside(data_directory.root_of(directory), directory)]
    paths = [os.path.join(directory, name) for name in sorted(names)
             if os.path.basename(name).startswith(TEMPORARY_PREFIX)]  # fmt: skip
    return [path for path in paths if _age_s(path, now) > _IN_FLIGHT_S]


def erase_commands(ids: list[str]) -> str:
    """Return the commands that erase these entries, one each, since each is a decision."""
    return "; ".join(f"`agent-progress erase {name} --yes`" for name in ids[:_MAX_COMMANDS])


def _file_faults(name: str, log: Log) -> Iterator[Fault]:
    if log.damage:
        yield Fault(f"{name} does not parse: {log.damage}", REPAIR)
    elif log.read_only:
        what, _, remedy = log.read_only.partition("; ")
        yield Fault(what, remedy)
    else:
        remedy = "it is kept as it is; mend it by hand, or leave it"
        yield from (Fault(problem, remedy) for problem in log.problems)
    if log.migrated_from:
        yield Fault(f"{name} has the older version {log.migrated_from}", "the next write migrates it")


def _lost_of_months(index: ArchiveIndex) -> Iterator[Fault]:
    for name, problem in index.problems().items():
        if not index.months[name].damage:  # the file says that itself
            what, _, remedy = problem.rpartition("; ")
            yield Fault(what, remedy)


def _interrupted_move(directory: str) -> Iterator[Fault]:
    if archive.moving_months(directory):
        yield Fault("a move to the archive was interrupted", f"the next write ends it, or {REPAIR}")


def _repeated(logs: list[Log]) -> Iterator[Fault]:
    whole = Counter(canonical(item) for each in logs for item in each.items)
    twice = sum(number - 1 for number in whole.values())
    if twice:
        yield Fault(f"{counted(twice, 'entry stands', 'entries stand')} in log and archive twice", REPAIR)
    distinct = {canonical(entry): text_of(entry, "id") for each in logs for entry in each.entries}
    ids = Counter(name for name in distinct.values() if name)
    shared = [name for name, number in ids.items() if number > 1]
    if shared:
        what = f"different entries share an id: {some_of(shared)}"
        yield Fault(what, "they are all kept; `resolves` and `retract` mean all of them")


def _wrong_metadata(log: Log, index: ArchiveIndex) -> Iterator[Fault]:
    stated = log.metadata
    if log.damage or log.read_only or not stated:
        return
    wrong = [
        f"{key} is {stated[key]!r}, should be {value!r}"
        for key, value in store.metadata(log, index).items()
        if stated.get(key, value) != value
    ]
    if wrong:
        what = f"the metadata of {store.LOG_FILE} is wrong: {'; '.join(wrong)}"
        yield Fault(what, f"the next write sets it right, or {REPAIR}")


def _stale_index(index: ArchiveIndex) -> Iterator[Fault]:
    if index.months and not index.is_stored:
        yield Fault(f"{INDEX_FILE} does not match the months", f"readers do without; {REPAIR}")


def _missing(directory: str, *, adopt: bool) -> Iterator[Fault]:
    for path, items in lost_entries.find_missing(directory, adopt=adopt).items():
        number = counted(len(items), "entry that is", "entries that are")
        yield Fault(
            f"{path} holds {number} in neither log nor archive", f"{REPAIR} to bring back what is missing"
        )


def _waiting_events(directory: str, now: datetime) -> Iterator[Fault]:
    waiting = [path for path in pending_events.waiting(directory) if _age_s(path, now) > _IN_FLIGHT_S]
    if waiting:
        number = counted(len(waiting), "event waits", "events wait")
        yield Fault(
            f"{number} in {pending_events.FOLDER}/ to be recorded",
            f"the next hook or `agent-progress log` records them, or {REPAIR}",
        )


def _left_over(directory: str, now: datetime) -> Iterator[Fault]:
    old = find_abandoned(directory, now)
    if old:
        names = some_of([os.path.relpath(path, directory) for path in old])
        yield Fault(f"{counted(len(old), 'temporary file is', 'temporary files are')} left: {names}", REPAIR)


def _stray_links(directory: str) -> Iterator[Fault]:
    for link in data_directory.stray_links(directory):
        yield Fault(f"{link} is a link out of the project; not read", "remove the link")


def _unreadable(directory: str) -> Iterator[Fault]:
    for problem in backup.unreadable(directory).values():
        what, _, remedy = problem.rpartition("; ")
        yield Fault(what or problem, remedy if what else "it is passed over; see to its permissions")


def _erased_in_copies(directory: str) -> Iterator[Fault]:
    """Yield the copies that still hold entries which are known as erased; nothing brings those back."""
    known = known_erasures.read(directory)
    if not (known.own or known.others):
        return
    log = parse(store.raw(directory))
    here = {text_of(entry, "id") for entry in log.entries}
    for copy in backup.all_copies(directory, log, adopt=True):
        held = [entry["id"] for entry in copy.log.entries if known.covers(entry) and entry["id"] not in here]
        if held:
            number = counted(len(held), "entry that was", "entries that were")
            yield Fault(f"{copy.path} holds {number} erased: {some_of(held)}", erase_commands(held))


def _age_s(path: str, now: datetime) -> float:
    try:
        return now.timestamp() - os.lstat(path).st_mtime
    except FileNotFoundError:
        return 0.0
