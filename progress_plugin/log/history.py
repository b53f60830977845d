"""The whole history: the log and what the archive's index says."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.log import archive, archive_index, store
from progress_plugin.log.archive_index import Index
from progress_plugin.log.archive_index_record import LEARNING_FIELDS
from progress_plugin.log.document import Log
from progress_plugin.log.entry import canonical, data_of, entry_identity, text_of, texts_of
from progress_plugin.log.logged_blockers import logged_blockers
from progress_plugin.log.recent_entries import DEFAULT, OpenWork, RecentEntries, recent
from progress_plugin.log.retractions import muted, retracted
from progress_plugin.log.supplements import effective, parts_of_effective

_ATTEMPTS = 5
HistoryState = list[tuple[int, int, int] | None]


class LogHistory:
    """One reading of our directory; nothing of it is written."""

    __slots__ = ("_proven", "_renewed", "_roots", "entries", "index", "log", "state")

    def __init__(self, log: Log, index: Index, state: HistoryState | None = None) -> None:
        self.log = log
        self.index = index
        self.state = state
        """What `state_of` returned when it was read; None where it was not asked."""
        added_to = index.supplemented(log.entries)
        self._roots = [each.known for each in added_to]
        """Archived entries that live ones add to."""
        self._renewed = {text_of(each.known, "id"): each.known for each in added_to if each.is_renewed}
        """Those of them that are told with the live ones, since somebody says more of them."""
        self.entries = effective([*self._roots, *log.entries], index.hidden)
        """The live entries that count, supplements merged, in log order (`supplements.effective`)."""
        self._proven: dict[str | None, dict[str, Any]] = {}
        """Archived entries to which live ones have added evidence alone: they stay where they are."""
        if len(self._renewed) < len(self._roots):
            others = {text_of(root, "id") for root in self._roots} - self._renewed.keys()
            self._proven = {name: each for each in self.entries if (name := text_of(each, "id")) in others}
            self.entries = [each for each in self.entries if text_of(each, "id") not in self._proven]

    def parts(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return what the live entries are made of (`supplements.parts_of_effective`)."""
        parts = parts_of_effective([*self._roots, *self.log.entries], self.index.hidden)
        archived = set(map(id, self._roots))
        return [pair for pair in parts if id(pair[1]) not in archived] if archived else parts

    def newest_archived(self) -> list[dict[str, Any]]:
        """Return the last entries of the archive, whole, oldest first, without what live ones renew."""
        return self._archived(self.index.newest())

    def archived_stories(self) -> list[dict[str, Any]]:
        """Return the archive's last words on tasks, month by month, with a short title, oldest first."""
        return self._archived(self.index.stories())

    def archived_learnings(self) -> list[dict[str, Any]]:
        """Return the facts of the archive's learnings, without what is told with live entries."""
        facts = self.index.learnings()
        if not self._renewed:
            return facts
        told = {
            (name, text)
            for name, entry in self._renewed.items()
            for field in LEARNING_FIELDS
            for text in texts_of(data_of(entry), field)
        }
        counts = [each["count"] - ((each["id"], each["text"]) in told) for each in facts]
        return [{**each, "count": count} for each, count in zip(facts, counts, strict=True) if count > 0]

    def stories_logged(self) -> list[dict[str, Any]]:
        """Return what the history says of single stories, oldest first: of the archive what is told."""
        if not self.index.records:
            return self.entries
        return [*earlier_and_newest(self), *self.entries]

    def earlier_blockers(self) -> list[dict[str, Any]]:
        """Return the blockers that were open when the live entries began, oldest first."""
        gone = retracted(self.log.entries)
        blockers = self._archived(self.index.open_blockers())
        return [blocker for blocker in blockers if text_of(blocker, "id") not in gone]

    def blockers(self) -> list[dict[str, Any]]:
        """Return the open blockers of the whole history, oldest first."""
        return logged_blockers(self.entries, self.earlier_blockers())

    def _archived(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return archived entries as the live ones leave them."""
        if not self._roots:
            return entries
        names = ((text_of(entry, "id"), entry) for entry in entries)
        return [self._proven.get(name, entry) for name, entry in names if name not in self._renewed]

    def problems(self) -> list[str]:
        """Return what a person should know of log and archive, one sentence each."""
        return [*self.log.problems, *self.index.problems().values()]

    def muted(self) -> list[str]:
        """Return the learnings of any source that are not to be shown."""
        return [*self.index.mutes(), *muted(self.log.entries, self.index.hidden)]

    def recent(
        self,
        n: int = DEFAULT,
        blockers: list[dict[str, Any]] | None = None,
        open_work: OpenWork | None = None,
    ) -> RecentEntries:
        """Return the newest `n` entries, from the archive too where the log has fewer.

        `blockers` are those that are open, and `open_work` what else is known, where the caller knows more
        than the log. Months are opened only where `n` asks for more than log and index hold.
        """
        still_open = self.blockers() if blockers is None else blockers
        return recent(self._last(n), still_open, n, open_work)

    def _last(self, n: int) -> list[dict[str, Any]]:
        newest = self.newest_archived()
        history = newest + self.entries
        if len(history) >= n or len(newest) >= self.index.totals().entries:
            return history
        older: list[dict[str, Any]] = []
        # The months are read later than the log: what has moved there meanwhile is taken from the log.
        live = {canonical(item) for item in self.log.items}
        for name in sorted(self.index.records, reverse=True):
            month = [item for item in archive.read(self.index.directory, name) if isinstance(item, dict)]
            month = [item for item in month if canonical(item) not in live]
            older = month + older
            if len(older) + len(self.log.entries) < n:
                continue
            history = effective([*older, *self.log.entries], self.index.hidden)
            if len(history) >= n:
                return history
        return effective([*older, *self.log.entries], self.index.hidden)


def earlier_and_newest(history: LogHistory) -> list[dict[str, Any]]:
    """Return the archived entries that are told: the last words on tasks, and the newest, which are whole."""
    newest = history.newest_archived()
    whole = set(map(entry_identity, newest))
    older = [story for story in history.archived_stories() if entry_identity(story) not in whole]
    return [*older, *newest]


def load(directory: str) -> LogHistory:
    """Return the history in our directory; empty where there is none. Raises BadInput as `store.load` does.

    Entries that an interrupted move has left in both places count once.
    """
    for _ in range(_ATTEMPTS):
        before = state_of(directory)
        log = store.load(directory)
        archive.remove_archived(directory, log)
        history = LogHistory(log, archive_index.load(directory, log.entries), before)
        # Readers hold no lock: a move between the two reads would show its entries twice, or not at all.
        if state_of(directory) == before:
            break
    return history


def state_of(directory: str) -> HistoryState:
    """Return the stats of what a write changes; of the months only those that are being moved to."""
    folder = archive_index.ARCHIVE_FOLDER
    moving = [f"{folder}/{name}" for name in archive.pending(directory)]
    names = (store.LOG_FILE, f"{folder}/{archive.MARKER}", f"{folder}/{archive_index.INDEX_FILE}", *moving)
    state: HistoryState = []
    for name in names:
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
    archive.remove_archived(directory, log)
    archived = [item for name in archive_index.names(directory) for item in archive.read(directory, name)]
    seen = {canonical(item) for item in archived}
    live = [item for item in log.items if canonical(item) not in seen]
    return [item for item in (*archived, *live) if isinstance(item, dict)]
