"""The whole history: the log, and what the index of the archive says."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.log import archive, store
from progress_plugin.log.archive import ARCHIVE_FOLDER, MAX_NEWEST, ArchiveIndex
from progress_plugin.log.document import Log
from progress_plugin.log.entry import REFERENCES, canonical, data_of, text_of, texts_of
from progress_plugin.log.merge import effective, find_muted, read_blockers, retracted

_ATTEMPTS = 5
_MOVED = "the log was written again and again while it was read; try again"
HistoryState = list[tuple[int, int, int] | None]


class LogHistory:
    """One reading of our directory; nothing of it is written."""

    def __init__(
        self, directory: str, log: Log, index: ArchiveIndex, state: HistoryState | None = None
    ) -> None:
        self.log = log
        self.index = index
        self.state = state  # `state_of` when it was read
        self._directory = directory
        self._known = effective([*index.kept, *log.entries], index.hidden)
        archived = set(map(id, index.kept))
        # In log order; an archived entry that a live one adds to counts as live. A writer may add to them.
        self.entries = [entry for entry in self._known if id(entry) not in archived]
        self.newest_archived = [entry for entry in self._known if id(entry) in archived][-MAX_NEWEST:]
        self._read = len(self.entries)

    def stories_logged(self) -> list[dict[str, Any]]:
        """Return the entries that still say something, archived ones too, oldest first."""
        return [*self._known, *self.entries[self._read :]]

    def blockers(self) -> list[dict[str, Any]]:
        """Return the open blockers of the whole history, oldest first."""
        return read_blockers(self.stories_logged()).open

    def problems(self) -> list[str]:
        """Return what a person should know of log and archive, one sentence each."""
        return [*self.log.problems, *self.index.damage, *store.describe_loss(self.log, self.index)]

    def muted(self) -> list[str]:
        """Return the learnings of any source that are not to be shown."""
        live = find_muted(self.log.entries, self.index.hidden)
        return [*self.index.mutes, *(text for _, texts in live for text in texts)]

    def refuse_unknown(self, data: dict[str, Any]) -> None:
        """Raise BadInput if an entry's data names what is in neither log nor archive, or was taken back."""
        named = {name: texts_of(data, name) for name in REFERENCES}
        wanted = {entry_id for ids in named.values() for entry_id in ids}
        known = {text_of(entry, "id"): entry for entry in (*self.index.kept, *self.log.entries)}
        if not wanted <= known.keys():  # months are opened only for an id that is not known otherwise
            known |= {text_of(entry, "id"): entry for entry in everything(self._directory)}
        gone = retracted(self.log.entries) | self.index.hidden
        faults = [f"{name} is no entry of this log" for name in sorted(wanted - known.keys())]
        faults += [
            f"{name} is no blocker, so nothing can resolve it"
            for name in named["resolves"]
            if name in known and known[name].get("type") != "task_blocked"
        ]
        ended = (*named["resolves"], *named["retracts"])
        faults += [f"{name} is retracted already" for name in ended if name in known and name in gone]
        faults += [
            f"{name} is a retraction; log again what it took back"
            for name in named["retracts"]
            if name in known and "retracts" in data_of(known[name])
        ]
        if faults:
            raise BadInput(
                f"nothing was logged: {'; '.join(faults)}; `agent-progress recent --json` lists ids"
            )

    def newest(self, n: int) -> list[dict[str, Any]]:
        """Return the newest effective entries, at least `n` if there are so many.

        Months are opened only if the log and the newest archived entries are fewer.
        """
        if len(self.newest_archived) + len(self.entries) < n and self.index.count > len(self.newest_archived):
            return effective(everything(self._directory), self.index.hidden)
        return [*self.newest_archived, *self.entries]


def load(directory: str) -> LogHistory:
    """Return the history in our directory; empty if there is none. Raises BadInput as `store.load` does.

    Entries that an interrupted move has left in both places count once.
    """
    for _ in range(_ATTEMPTS):
        before = state_of(directory)
        log = store.load(directory)
        history = LogHistory(directory, log, archive.read_index(directory, log), before)
        # Readers hold no lock: a move between the two reads would show its entries twice.
        if state_of(directory) == before:
            return history
    history.log.problems.append(_MOVED)
    return history


def state_of(directory: str) -> HistoryState:
    """Return the stats of what a write changes: the log, and the folder of the months."""
    state: HistoryState = []
    for name in (store.LOG_FILE, ARCHIVE_FOLDER):
        try:
            stat = os.stat(os.path.join(directory, name))
        except OSError:
            state.append(None)
        else:
            state.append((stat.st_ino, stat.st_mtime_ns, stat.st_size))
    return state


def everything(directory: str) -> list[dict[str, Any]]:
    """Return every entry there is, archive first, opening every month: for checks and exports."""
    log = store.load(directory)
    archived = [
        item
        for name in archive.month_names(directory)
        for item in archive.read_month(directory, name).entries
    ]
    seen = {canonical(item) for item in archived}
    return [*archived, *(item for item in log.entries if canonical(item) not in seen)]
