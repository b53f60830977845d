"""Entries of others put into our log: the one way, whether git or the team's server brought them.

Nothing of it is news of ours: it is neither recorded as done here, nor evidence, nor does it begin a session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.log import (
    archive,
    archive_index,
    foreign_entry,
    history,
    known_erasures,
    store,
    writer_identity,
)
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import WRITER, writer_of
from progress_plugin.log.known_erasures import KnownErasures
from progress_plugin.log.late_entries import in_order, place_in_session
from progress_plugin.log.shared_entries import UNDATED, month_of
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.usecases.project_writes import Moved
from progress_plugin.usecases.reading import LogReading, read_log

_DATED_ID = LazyPattern(r"entry-(\d{4})(\d{2})\d{2}-")


class Twice(NamedTuple):
    """An entry that arrived under an id that another writer's has in our log."""

    entry: dict[str, Any]
    writer: str


class Arrivals:
    """What is new of what others brought, gathered without the lock, and what the log was like then."""

    def __init__(self, project: Project) -> None:
        directory = project.log_directory
        self.state = history.state_of(directory)
        log = store.load(directory)
        log.refuse_if_read_only()
        self.is_begun = log.raw is not None
        """Whether there is a log."""
        self.entries: list[dict[str, Any]] = []
        self.reading: LogReading | None = None  # None if nothing is to be written into the log
        self._project = project
        # A linked worktree has a `shared/` of its own.
        erased = known_erasures.read(directory, project.directory)
        self._known = _KnownIds(directory, log.entries, erased)
        self._known_before: list[Twice] = []
        self._own = writer_identity.known_writer(directory)

    def is_known(self, name: str, month: str, writer: str) -> bool:
        """Return whether a writer's entry is in the log, in its month of the archive, or known as erased."""
        return self._known.has(name, month, writer)

    def add(self, entry: dict[str, Any], writer: str) -> None:
        """Take an entry of `foreign_entry.entry_of` for new, unless it is known.

        The carrier says whose it is; one of this clone itself comes back as our own.
        """
        if not self._known.has(entry["id"], month_of(entry), writer):
            taken = entry if writer == self._own else {**entry, WRITER: writer}
            self._known.add(taken)
            self.entries.append(taken)
        elif writer != self._own:  # what stands there under our own name is our own past
            self._known_before.append(Twice(entry, writer))

    def differing(self) -> list[Twice]:
        """Return what arrived under the id of another writer's entry, and says something else.

        The archive is read a month at a time. Caller holds no lock.
        """
        waiting = self._known_before
        months = {month_of(each.entry) for each in waiting} | {
            _month_in(each.entry["id"]) for each in waiting
        }
        return [
            each
            for known in (self._known.parts(months) if waiting else ())
            for each in waiting
            if (before := known.get(each.entry["id"])) is not None
            and writer_of(before) != each.writer
            and not foreign_entry.is_same(before, each.entry)
        ]

    def settle(self) -> None:
        """Bring the entries into order, and read what writing them takes. Caller holds no lock."""
        self.entries.sort(key=place_in_session)  # of one second; else they stand as they came
        self.reading = read_log(self._project) if self.entries else None


def put_into_log(project: Project, found: Arrivals) -> int:
    """Put what arrived into the log, each where its time puts it, and return how many. Caller holds the lock.

    Raises Moved where the log has changed since, and as `store.save`.
    """
    directory = project.log_directory
    if history.state_of(directory) != found.state:
        raise Moved("the log has changed while others' entries were read; the next start looks again")
    if found.reading is not None:
        log = store.load(directory)
        log.items = in_order(log.items, found.entries)
        store.save(
            directory,
            log,
            now=datetime.now(UTC),
            project_name=found.reading.name,
            limits=limits_of(found.reading.settings),
            commit=project.main_head(project.head()[1]),
        )
    return len(found.entries)


def _month_in(name: str) -> str:
    """Return the month in which an id of ours was made, which no stranger chooses; all for another id."""
    found = _DATED_ID.match(name)
    return f"{found[1]}-{found[2]}" if found else UNDATED


class _KnownIds:
    """The ids of our log, and of the months of its archive that were asked for."""

    def __init__(self, directory: str, live: Iterable[dict[str, Any]], erased: KnownErasures) -> None:
        self._directory = directory
        self._live = _by_id(live)
        self._erased = erased
        self._archived: dict[str, set[object]] = {}

    def add(self, entry: dict[str, Any]) -> None:
        """Note that an entry is about to be in the log."""
        self._live[entry["id"]] = entry

    def parts(self, months: set[str]) -> Iterator[dict[str, dict[str, Any]]]:
        """Yield the entries by id: those of the log, then those of each of these months of the archive."""
        yield self._live
        for name in self._names(months):
            yield _by_id(item for item in archive.read(self._directory, name) if isinstance(item, dict))

    def has(self, name: str, month: str, writer: str) -> bool:
        """Return whether an entry is in the log, in the archive, or erased; a stranger says its `month`."""
        if name in self._live or any(name in self._of_archive(each) for each in {month, _month_in(name)}):
            return True
        return self._erased.has(name, writer)

    def _of_archive(self, month: str) -> set[object]:
        if month not in self._archived:
            items = (item for name in self._names({month}) for item in archive.read(self._directory, name))
            self._archived[month] = {item.get("id") for item in items if isinstance(item, dict)
                                     and isinstance(item.get("id"), str)}  # fmt: skip
        return self._archived[month]

    def _names(self, months: set[str]) -> list[str]:
        names = archive_index.names(self._directory)
        return (
            names if UNDATED in months else [name for name in names if name.removesuffix(".json") in months]
        )


def _by_id(entries: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return entries by id; of several with one id the first."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if isinstance(entry.get("id"), str):
            found.setdefault(entry["id"], entry)
    return found
