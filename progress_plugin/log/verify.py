"""What is wrong with log and archive, and what to do about it; nothing is changed."""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.files import TEMPORARY_PREFIX, walk_inside
from progress_plugin.log import (
    archive,
    archive_index,
    earlier_versions,
    known_erasures,
    pending_events,
    store,
    team_erasures,
)
from progress_plugin.log.archive_index import ARCHIVE_FOLDER, Index
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import canonical, entry_identity, text_of
from progress_plugin.text.bounds import counted, some_of

_REPAIR = "run `agent-progress repair`"
_BY_HAND = "it is kept as it is; mend it by hand, or leave it"
_IN_FLIGHT = 60
"""Seconds for which a temporary file may be one that is being written."""


class Fault(NamedTuple):
    """One thing that is not as it should be."""

    what: str
    """A sentence without a full stop."""
    remedy: str


def verify(directory: str, now: datetime) -> list[Fault]:
    """Return everything found; nothing found is an empty list.

    Raises BadInput and LeadsOut as `store.load` does.
    """
    return [*mendable(directory, now), *unproven(directory), *_strays(directory), *_unreadable(directory)]


def mendable(directory: str, now: datetime, *, adopt: bool = False) -> list[Fault]:
    """Return what `repair` would do something about; with `adopt` also what unproven copies hold."""
    log = parse(store.raw(directory))
    index = archive_index.load(directory, log.entries)
    months = {name: _month(directory, name) for name in archive_index.names(directory)}
    return [
        *_file(log),
        *(finding for name, month in months.items() for finding in _file(month, f"{ARCHIVE_FOLDER}/{name}")),
        *_fallen_back(index, months),
        *_interrupted(directory),
        *_repeated(log, months),
        *_metadata(log, index),
        *_index(directory, index),
        *_lost(directory, adopt=adopt),
        *_waiting(directory, now),
        *_leftovers(directory, now),
    ]


def missing(directory: str, *, adopt: bool = False) -> dict[str, list[Any]]:
    """Return what only copies still hold, by the copy's path: a log that vanished, an entry cut off.

    Each entry counts for the newest copy with it. Copies that nothing shows to be of this log count only
    with `adopt`, and what is known as erased, not at all.
    """
    log = parse(store.raw(directory))
    months = [_month(directory, name) for name in archive_index.names(directory)]
    known = {entry_identity(item) for each in (log, *months) for item in each.items}
    found: dict[str, list[Any]] = {}
    for path, copy in reversed(earlier_versions.own_copies(directory, log, adopt=adopt)):
        gone = [item for item in copy.items if isinstance(item, dict) and entry_identity(item) not in known]
        gone = known_erasures.without(directory, gone) if gone else gone
        known |= {entry_identity(item) for item in gone}
        if gone:
            found[path] = gone
    return found


def erased_in_copies(directory: str) -> Iterator[Fault]:
    """Yield what copies alone hold of entries that are known as erased; nothing brings those back."""
    known = known_erasures.read(directory)
    if not known.own and not known.others:
        return
    log = parse(store.raw(directory))
    here = {text_of(entry, "id") for entry in log.entries}
    for path, copy in earlier_versions.own_copies(directory, log, adopt=True):
        held = [item["id"] for item in copy.items if known.covers(item) and item["id"] not in here]
        if held:
            number = counted(len(held), "entry that was", "entries that were")
            yield Fault(f"{path} holds {number} erased: {some_of(held)}", team_erasures.remedy(held))


def leftovers(directory: str) -> list[str]:
    """Return the temporary files that killed writers have left in our directory."""
    names = [name for name, _ in walk_inside(data_directory.root_of(directory), directory)]
    temporary = [name for name in names if os.path.basename(name).startswith(TEMPORARY_PREFIX)]
    return sorted(os.path.join(directory, name) for name in temporary)


def abandoned(directory: str, now: datetime) -> list[str]:
    """Return those that nobody is still writing; a file that goes meanwhile was being written."""
    return [path for path in leftovers(directory) if _age(path, now) > _IN_FLIGHT]


def _month(directory: str, name: str) -> Log:
    return parse(archive.raw(directory, name), f"{ARCHIVE_FOLDER}/{name}")


def _file(log: Log, name: str = store.LOG_FILE) -> Iterator[Fault]:
    if log.damage:
        yield Fault(f"{name} does not parse: {log.damage}", _REPAIR)
    elif log.read_only:
        what, _, remedy = log.read_only.partition("; ")
        yield Fault(what, remedy)
    else:
        yield from (Fault(problem, _BY_HAND) for problem in log.problems)
    if log.migrated_from:
        yield Fault(f"{name} has the older version {log.migrated_from}", "the next write migrates it")


def _fallen_back(index: Index, months: dict[str, Log]) -> Iterator[Fault]:
    """Yield the months that have lost entries; those that do not parse say so themselves."""
    for name, problem in index.problems().items():
        if name not in months or not (months[name].damage or months[name].read_only):
            what, _, remedy = problem.rpartition("; ")
            yield Fault(what, remedy)


def _interrupted(directory: str) -> Iterator[Fault]:
    if archive.pending(directory):
        yield Fault("a move to the archive was interrupted", f"the next write ends it, or {_REPAIR}")


def _repeated(log: Log, months: dict[str, Log]) -> Iterator[Fault]:
    places = [(store.LOG_FILE, log), *months.items()]
    ids = Counter(
        name for _, each in places for entry in each.entries if (name := text_of(entry, "id")) is not None
    )
    whole = Counter(canonical(item) for _, each in places for item in each.items)
    twice = sum(number - 1 for number in whole.values())
    if twice:
        yield Fault(f"{counted(twice, 'entry stands', 'entries stand')} in log and archive twice", _REPAIR)
    different = Counter(
        text_of(entry, "id")
        for entry in {canonical(item): item for _, each in places for item in each.entries}.values()
    )
    shared = [name for name, number in ids.items() if number > 1 and different[name] > 1]
    if shared:
        yield Fault(f"different entries share an id: {some_of(shared)}",
                      "they are all kept; `resolves` and `retract` mean all of them")  # fmt: skip


def _metadata(log: Log, index: Index) -> Iterator[Fault]:
    stated = log.document.get("metadata")
    if log.damage or log.read_only or not isinstance(stated, dict):
        return
    actual = store.metadata(log, index.totals())
    wrong = [
        f"{key} is {stated[key]!r}, should be {value!r}"
        for key, value in actual.items()
        if stated.get(key, value) != value
    ]
    if wrong:
        yield Fault(
            f"the metadata of {store.LOG_FILE} is wrong: {'; '.join(wrong)}",
            f"the next write sets it right, or {_REPAIR}",
        )


def _index(directory: str, index: Index) -> Iterator[Fault]:
    if index.records and not archive_index.is_current(directory):
        yield Fault(
            f"{ARCHIVE_FOLDER}/{archive_index.INDEX_FILE} does not match the months",
            f"readers do without; {_REPAIR}",
        )


def unproven(directory: str) -> Iterator[Fault]:
    """Yield what copies of this path hold that nothing shows to be of this log; it is not brought back."""
    for folder, count in earlier_versions.unproven(directory, parse(store.raw(directory))):
        number = counted(count, "entry")
        yield Fault(
            f"{folder} holds {number} of a log at this path, and nothing shows that it was this project's",
            "`agent-progress repair --adopt` brings them in; remove that folder if it was another's",
        )


def _strays(directory: str) -> Iterator[Fault]:
    for link in data_directory.stray_links(directory):
        yield Fault(f"{link} is a link out of the project; not read", "remove the link")


def _unreadable(directory: str) -> Iterator[Fault]:
    for told in earlier_versions.unreadable(directory).values():
        what, _, remedy = told.rpartition("; ")
        yield Fault(what or told, remedy if what else "it is passed over; see to its permissions")


def _lost(directory: str, *, adopt: bool) -> Iterator[Fault]:
    for path, items in missing(directory, adopt=adopt).items():
        number = counted(len(items), "entry that is", "entries that are")
        yield Fault(
            f"{path} holds {number} in neither log nor archive", f"{_REPAIR} to bring back what is missing"
        )


def _waiting(directory: str, now: datetime) -> Iterator[Fault]:
    """Yield the events that wait for longer than somebody can be at them."""
    files = [os.path.join(directory, pending_events.FOLDER, name) for name in pending_events.names(directory)]
    old = [path for path in files if _age(path, now) > _IN_FLIGHT]
    if old:
        yield Fault(
            f"{counted(len(old), 'event waits', 'events wait')} in {pending_events.FOLDER}/ to be recorded",
            f"the next hook or `agent-progress log` records them, or {_REPAIR}",
        )


def _age(path: str, now: datetime) -> float:
    """Return how old a file is, in seconds; 0 for one that goes meanwhile: somebody is at it."""
    try:
        return now.timestamp() - os.lstat(path).st_mtime
    except FileNotFoundError:
        return 0.0


def _leftovers(directory: str, now: datetime) -> Iterator[Fault]:
    old = abandoned(directory, now)
    if old:
        names = some_of([os.path.relpath(path, directory) for path in old])
        yield Fault(f"{counted(len(old), 'temporary file is', 'temporary files are')} left: {names}", _REPAIR)
