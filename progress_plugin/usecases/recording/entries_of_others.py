"""Put entries of other clones into our log, whether git or the team's server brought them.

They are no news of this clone: not evidence, and no beginning of a session.
"""

from __future__ import annotations

import re
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
from progress_plugin.log.late_entries import in_order, place_in_session
from progress_plugin.log.shared_entries import UNDATED, month_of
from progress_plugin.usecases.project_writes import Moved
from progress_plugin.usecases.reading import LogReading, read_log

_DATED_ID = re.compile(r"entry-(\d{4})(\d{2})\d{2}-")


class Twice(NamedTuple):
    """An entry that arrived under an id that another writer's entry has in our log."""

    entry: dict[str, Any]
    writer: str


class Arrivals:
    """New entries of others, gathered without the lock, and the state of the log at that time."""

    def __init__(self, project: Project) -> None:
        directory = project.log_directory
        self.state = history.state_of(directory)
        log = store.load(directory)
        log.refuse_if_read_only()
        self.is_begun = log.raw is not None  # whether there is a log
        self.entries: list[dict[str, Any]] = []
        self.reading: LogReading | None = None  # None if nothing is to be written into the log
        self._project = project
        self._live = _by_id(log.entries)
        self._archived: dict[str, set[object]] = {}  # ids by month, of the months that were asked for
        self._erased = known_erasures.read(directory, project.directory)  # a worktree has its own `shared/`
        self._known_before: list[Twice] = []
        self._own = writer_identity.known_writer(directory)

    def is_known(self, name: str, month: str, writer: str) -> bool:
        """Return whether a writer's entry is in the log, in its month of the archive, or known as erased."""
        months = {month, _month_in(name)}
        is_here = name in self._live or any(name in self._ids_of(each) for each in months)
        return is_here or self._erased.has(name, writer)

    def add(self, entry: dict[str, Any], writer: str) -> None:
        """Take an entry of `foreign_entry.entry_of` as new, unless it is known.

        The carrier names the writer; an entry of this clone itself comes back as our own.
        """
        if not self.is_known(entry["id"], month_of(entry), writer):
            taken = entry if writer == self._own else {**entry, WRITER: writer}
            self._live[entry["id"]] = taken
            self.entries.append(taken)
        elif writer != self._own:  # an entry under our own name is our own past
            self._known_before.append(Twice(entry, writer))

    def differing(self) -> list[Twice]:
        """Return arrivals with the id of another writer's entry that says something else.

        The archive is read a month at a time. The caller holds no lock.
        """
        waiting = self._known_before
        months = {month for each in waiting for month in (month_of(each.entry), _month_in(each.entry["id"]))}
        return [
            each
            for known in (self._parts(months) if waiting else ())
            for each in waiting
            if (before := known.get(each.entry["id"])) is not None
            and writer_of(before) != each.writer
            and not foreign_entry.is_same(before, each.entry)
        ]

    def settle(self) -> None:
        """Bring the entries into order, and read what is needed to write them. The caller holds no lock."""
        self.entries.sort(key=place_in_session)
        self.reading = read_log(self._project) if self.entries else None

    def _parts(self, months: set[str]) -> Iterator[dict[str, dict[str, Any]]]:
        """Yield the entries of the log, then those of each month, by id."""
        yield self._live
        for name in self._files_of(months):
            yield _by_id(item for item in archive.read(self._directory, name) if isinstance(item, dict))

    def _ids_of(self, month: str) -> set[object]:
        if month not in self._archived:
            items = (item for name in self._files_of({month}) for item in archive.read(self._directory, name))
            self._archived[month] = set(_by_id(item for item in items if isinstance(item, dict)))
        return self._archived[month]

    def _files_of(self, months: set[str]) -> list[str]:
        names = archive_index.names(self._directory)
        return (
            names if UNDATED in months else [name for name in names if name.removesuffix(".json") in months]
        )

    @property
    def _directory(self) -> str:
        return self._project.log_directory


def put_into_log(project: Project, found: Arrivals) -> int:
    """Put what arrived into the log, each entry where its time puts it, and return how many there are.

    The caller holds the lock. Raises Moved if the log has changed meanwhile, and as `store.save`.
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
    """Return the month in an id of ours; all months for any other id."""
    found = _DATED_ID.match(name)
    return f"{found[1]}-{found[2]}" if found else UNDATED


def _by_id(entries: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return entries by id; of several with one id the first."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if isinstance(entry.get("id"), str):
            found.setdefault(entry["id"], entry)
    return found
