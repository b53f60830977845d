"""The whole history: the log, and what the index of the archive says."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from progress_plugin.log import archive, store
from progress_plugin.log.archive_index import INDEX_FILE, MAX_NEWEST, ArchiveIndex, load_index
from progress_plugin.log.document import Log
from progress_plugin.log.entry import canonical, text_of
from progress_plugin.log.headline import headline
from progress_plugin.log.merge import effective, find_muted, names_of_task, read_blockers
from progress_plugin.text.bounds import counted
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line

_ATTEMPTS = 5
_MOVED = "the log was written again and again while it was read; try again"
HistoryState = list[tuple[int, int, int] | None]
DEFAULT_ENTRIES = 20
NOTHING = "No previous progress recorded."
_MAX_TEXT_CHARS = 120
_MAX_NAMED_LOGS = 3


class OpenWork(NamedTuple):
    """What is blocked and what comes next, as all sources of the project state it."""

    blockers: int = 0
    next: str = ""
    agent_logs: tuple[str, ...] = ()  # paths
    current: str = ""


class RecentEntries(NamedTuple):
    """The newest entries, oldest of them first, and what they amount to."""

    entries: list[dict[str, Any]]
    summary: str
    last_spec: str | None  # of the last completed task, as is `last_task`
    last_task: str | None
    unresolved_blockers: list[dict[str, Any]]  # of the whole history


class LogHistory:
    """One reading of our directory; nothing of it is written."""

    def __init__(self, log: Log, index: ArchiveIndex, state: HistoryState | None = None) -> None:
        self.log = log
        self.index = index
        self.state = state  # `state_of` when it was read
        kept = index.state.kept
        self._known = effective([*kept, *log.entries], index.hidden)
        self._archived = set(map(id, kept))
        # In log order; an archived entry that a live one adds to counts as live. A writer may add to them.
        self.entries = [entry for entry in self._known if id(entry) not in self._archived]
        self._read = len(self.entries)

    def newest_archived(self) -> list[dict[str, Any]]:
        """Return the last entries of the archive, oldest first."""
        return [entry for entry in self._known if id(entry) in self._archived][-MAX_NEWEST:]

    def stories_logged(self) -> list[dict[str, Any]]:
        """Return the entries that still say something, archived ones too, oldest first."""
        return [*self._known, *self.entries[self._read :]]

    def blockers(self) -> list[dict[str, Any]]:
        """Return the open blockers of the whole history, oldest first."""
        return read_blockers(self.stories_logged()).open

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
        passed_over = self._archived - set(map(id, self.newest_archived()))
        history = [entry for entry in self._known if id(entry) not in passed_over]
        if len(history) >= n or self.index.state.count <= MAX_NEWEST:
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


def recent(
    history: list[dict[str, Any]], blockers: list[dict[str, Any]], n: int, open_work: OpenWork | None = None
) -> RecentEntries:
    """Return the last `n` of these effective entries."""
    work = open_work or OpenWork(len(blockers))
    entries = history[-n:] if n > 0 else []
    completed = (entry for entry in reversed(history) if entry.get("type") == "task_completed")
    last: dict[str, Any] = next(completed, {})
    summary = _summarise(history, entries, work)
    return RecentEntries(entries, summary, text_of(last, "spec"), text_of(last, "task_id"), blockers)


def _summarise(history: list[dict[str, Any]], entries: list[dict[str, Any]], work: OpenWork) -> str:
    if entries:
        facts = f"{_describe_completed(entries)}, {counted(work.blockers, 'blocker')}"
        parts = [f"Last {counted(len(entries), 'entry')}: {facts}"]
        parts.append(f"Most recent: {_shorten(headline(entries[-1]))}")
    elif history:
        parts = [f"No entries shown, {counted(work.blockers, 'blocker')}"]
    elif work.agent_logs:
        where = one_line(", ".join(work.agent_logs[:_MAX_NAMED_LOGS]))
        parts = [
            f"No entries in the progress log; the record is {where} (`agent-progress status` sums it up)"
        ]
        parts += [f"Open blockers: {work.blockers}"] if work.blockers else []
    else:
        return NOTHING
    parts += [f"Current: {_shorten(work.current)}"] if work.current else []
    parts += [f"Next: {_shorten(work.next)}"] if work.next else []
    return ". ".join(parts) + "."


def _describe_completed(entries: list[dict[str, Any]]) -> str:
    """Return how many tasks were completed, and in how many entries if some were completed again."""
    done = [entry for entry in entries if entry.get("type") == "task_completed"]
    tasks = {next(names_of_task(entry), (normalised(headline(entry)),)) for entry in done}
    text = f"{counted(len(tasks), 'task')} completed"
    return text if len(tasks) == len(done) else f"{text} in {counted(len(done), 'entry')}"


def _shorten(text: str) -> str:
    return one_line(text, _MAX_TEXT_CHARS).rstrip(" .")
