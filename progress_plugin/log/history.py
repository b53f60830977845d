"""The whole history: the log, and what the index of the archive says."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from progress_plugin.log import archive, store
from progress_plugin.log.archive_index import (
    INDEX_FILE,
    LEARNING_FIELDS,
    MAX_TEXT_CHARS,
    ArchiveIndex,
    load_index,
)
from progress_plugin.log.blockers import read_blockers
from progress_plugin.log.document import Log
from progress_plugin.log.entry import canonical, data_of, entry_identity, text_of, texts_of, when_of
from progress_plugin.log.merge import effective, find_muted
from progress_plugin.log.recent import DEFAULT_ENTRIES, OpenWork, RecentEntries, recent
from progress_plugin.text.bounds import shortened

_ATTEMPTS = 5
_MOVED = "the log was written again and again while it was read; try again"
HistoryState = list[tuple[int, int, int] | None]


class LogHistory:
    """One reading of our directory; nothing of it is written."""

    def __init__(self, log: Log, index: ArchiveIndex, state: HistoryState | None = None) -> None:
        self.log = log
        self.index = index
        self.state = state  # `state_of` when it was read
        live = log.entries
        added_to = {name for entry in live for name in texts_of(data_of(entry), "supplements")}
        # Archived entries that live ones add to: they are shown with the live ones.
        roots = index.find(added_to - {text_of(entry, "id") or "" for entry in live} if added_to else ())
        self._roots = {text_of(root, "id"): root for root in roots}
        self.entries = effective([*roots, *live], index.hidden)  # that count, additions merged, in log order

    def newest_archived(self) -> list[dict[str, Any]]:
        """Return the last entries of the archive, whole, oldest first."""
        return self._not_live(self.index.state.last_entries)

    def archived_learnings(self) -> list[dict[str, Any]]:
        """Return the facts of the archive's learnings, without those that `stories_logged` holds."""
        shown = Counter(
            (field, shortened(text, MAX_TEXT_CHARS, "…"))
            for entry in (*self._roots.values(), *self._archived())
            for field in LEARNING_FIELDS
            for text in texts_of(data_of(entry), field)
        )
        facts = self.index.state.learnings
        counts = [fact["count"] - shown[fact["field"], fact["text"]] for fact in facts]
        return [fact | {"count": count} for fact, count in zip(facts, counts, strict=True) if count > 0]

    def stories_logged(self) -> list[dict[str, Any]]:
        """Return what is known of stories, oldest first; of archived ones the last entry each."""
        return [*self._archived(), *self.entries]

    def blockers(self) -> list[dict[str, Any]]:
        """Return the open blockers of the whole history, oldest first."""
        return read_blockers([*self._not_live(self.index.state.blockers), *self.entries]).open

    def problems(self) -> list[str]:
        """Return what a person should know of log and archive, one sentence each."""
        return [*self.log.problems, *self.index.problems().values()]

    def muted(self) -> list[str]:
        """Return the learnings of any source that are not to be shown."""
        live = find_muted(self.log.entries, self.index.hidden)
        return [*self.index.state.mutes, *(text for _, texts in live for text in texts)]

    def recent(
        self,
        n: int = DEFAULT_ENTRIES,
        blockers: list[dict[str, Any]] | None = None,
        open_work: OpenWork | None = None,
    ) -> RecentEntries:
        """Return the newest `n` entries, from the archive too if the log has fewer.

        `blockers` and `open_work` are what other sources know. Months are opened only if log and index hold
        fewer than `n`.
        """
        return recent(self._last(n), self.blockers() if blockers is None else blockers, n, open_work)

    def _last(self, n: int) -> list[dict[str, Any]]:
        newest = self.newest_archived()
        history = newest + self.entries
        if len(history) >= n or self.index.state.count <= len(self.index.state.last_entries):
            return history
        # The months are read later than the log: what has moved there meanwhile is taken from the log.
        live = {canonical(item) for item in self.log.items}
        older: list[dict[str, Any]] = []
        for name in sorted(self.index.months, reverse=True):
            month = archive.read_month(self.index.directory, name).entries
            older = [entry for entry in month if canonical(entry) not in live] + older
            if len(older) + len(live) >= n:
                history = effective([*older, *self.log.entries], self.index.hidden)
                if len(history) >= n:
                    return history
        return effective([*older, *self.log.entries], self.index.hidden)

    def _archived(self) -> list[dict[str, Any]]:
        state = self.index.state
        found = {
            entry_identity(entry): entry
            for entry in (*state.stories.values(), *state.blockers, *state.last_entries)
        }
        return self._not_live(sorted(found.values(), key=when_of))

    def _not_live(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not self._roots:
            return entries
        return [entry for entry in entries if text_of(entry, "id") not in self._roots]


def load(directory: str) -> LogHistory:
    """Return the history in our directory; empty if there is none. Raises BadInput as `store.load` does.

    Entries that an interrupted move has left in both places count once.
    """
    for _ in range(_ATTEMPTS):
        before = state_of(directory)
        log = store.load(directory)
        archive.remove_archived(directory, log)
        history = LogHistory(log, load_index(directory, log.entries), before)
        # Readers hold no lock: a move between the two reads would show its entries twice, or not at all.
        if state_of(directory) == before:
            return history
    history.log.problems.append(_MOVED)
    return history


def state_of(directory: str) -> HistoryState:
    """Return the stats of what a write changes; of the months only those that are being moved to."""
    folder = archive.ARCHIVE_FOLDER
    moving = [f"{folder}/{name}" for name in archive.moving_months(directory)]
    state: HistoryState = []
    for name in (store.LOG_FILE, f"{folder}/{archive.MARKER}", INDEX_FILE, *moving):
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
    months = archive.month_names(directory)
    archived = [item for name in months for item in archive.read_month(directory, name).entries]
    seen = {canonical(item) for item in archived}
    return [*archived, *(item for item in log.entries if canonical(item) not in seen)]
