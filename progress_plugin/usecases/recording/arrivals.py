"""Put entries of other clones into our log, whether git or the team's server brought them.

They are not news of this clone: they are no evidence, and begin no session.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.log import archive, clone_identity, history, known_erasures, store
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import WRITER, in_order, place_in_session
from progress_plugin.log.shared_entries import UNDATED, month_of
from progress_plugin.usecases.project_writes import Moved
from progress_plugin.usecases.reading import LogReading, read_log

_DATED_ID = re.compile(r"entry-(\d{4})(\d{2})\d{2}-")


class Arrivals:
    """New entries of others, gathered without the lock, and the state of the log at that time."""

    def __init__(self, project: Project) -> None:
        directory = project.log_directory
        self.state = history.state_of(directory)
        log = store.load(directory)
        log.refuse_if_read_only()
        self.has_log = log.raw is not None
        self.entries: list[dict[str, Any]] = []
        self.reading: LogReading | None = None  # None if nothing is to be written into the log
        self._project = project
        self._live = {entry.get("id") for entry in log.entries}
        self._archived: dict[str, set[object]] = {}  # ids by month, of the months that were asked for
        self._erased = known_erasures.read(directory, project.directory)  # a worktree has its own `shared/`
        self._own = clone_identity.known_writer(directory)

    def is_known(self, name: str, month: str, writer: str) -> bool:
        """Return whether a writer's entry is in the log, in the archive, or known as erased."""
        if name in self._live or self._erased.has(name, writer):
            return True
        # An earlier version filed an entry under the month of what was added to it last.
        months = archive.month_names(self._project.log_directory)
        first = "" if UNDATED in (month, month_in(name)) else min(month, month_in(name))
        return any(name in self._ids_of(each) for each in months if each >= first)

    def add(self, entry: dict[str, Any], writer: str) -> None:
        """Take an entry of `foreign_entry.entry_of` as new, unless it is known.

        The carrier names the writer; an entry of this clone itself comes back as our own.
        """
        if not self.is_known(entry["id"], month_of(entry), writer):
            self._live.add(entry["id"])
            self.entries.append(entry if writer == self._own else {**entry, WRITER: writer})

    def settle(self) -> None:
        """Order the entries, and read what is needed to write them. The caller holds no lock."""
        self.entries.sort(key=place_in_session)
        self.reading = read_log(self._project) if self.entries else None

    def _ids_of(self, month: str) -> set[object]:
        if month not in self._archived:
            entries = archive.read_month(self._project.log_directory, month).entries
            self._archived[month] = {entry.get("id") for entry in entries}
        return self._archived[month]


def put_into_log(project: Project, found: Arrivals) -> int:
    """Put what arrived into the log, each entry at its time, and return how many there are.

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
        )
    return len(found.entries)


def month_in(name: str) -> str:
    """Return the month in an id of ours; for any other id the name of all months."""
    found = _DATED_ID.match(name)
    return f"{found[1]}-{found[2]}" if found else UNDATED
