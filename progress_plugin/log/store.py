"""Read and write `progress.json` and its archive as one history."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin import LOG_FORMAT
from progress_plugin.config.settings import Settings
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import AgentProgressError, BadInput, DiskRefused
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.snapshot import Stamp, stamp_of
from progress_plugin.log import archive, backup, progress_md
from progress_plugin.log.archive import ARCHIVE_FOLDER, ARCHIVED
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import (
    REFERENCES,
    canonical,
    data_of,
    in_order,
    new_entry,
    text_of,
    texts_of,
    time_of,
)
from progress_plugin.log.merge import effective, find_muted, read_blockers, retracted
from progress_plugin.log.timestamp import format_time
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import item, one_line

LOG_FILE = "progress.json"
READABLE = "progress.md"
MAX_FALLBACK_BYTES = 8 * 1024 * 1024
FALLBACK_ENTRIES = 5
LOCK_FILE = "lock"  # every writer holds it (`core.lock.FileLock`)


class LogResult(NamedTuple):
    """The entries as they were stored, and notes."""

    entries: list[dict[str, Any]]
    notes: list[str]  # recovered or archived entries, and failures after the entries were stored


class LogHistory:
    """Log and archive as read at one time. It is never written."""

    def __init__(
        self, directory: str, log: Log, months: Sequence[str] = (), stamps: list[Stamp] | None = None
    ) -> None:
        """Read the newest of `months`, the names of the months in the archive."""
        self.log, self.months, self._directory = log, months, directory
        self.stamps = stamps  # `log_stamps` before the read
        newest, self.archived_count, self._damage = archive.read_newest(directory, log, months)
        self.retracted_ids = retracted([*newest, *log.entries])
        self.archived = effective(newest, self.retracted_ids)  # the newest of the archive
        # In log order. An archived entry with a supplement in the log becomes a new object: `entries` has it.
        self.effective_entries = effective(in_order(log.entries, self.archived), self.retracted_ids)
        archived = set(map(id, self.archived))
        self.entries = [entry for entry in self.effective_entries if id(entry) not in archived]

    def blockers(self) -> list[dict[str, Any]]:
        return read_blockers(self.effective_entries).open

    def problems(self) -> list[str]:
        """Describe the faults of log and archive, one sentence each."""
        return [*self.log.problems, *self._damage]

    def muted(self) -> list[str]:
        """Return the texts of the learnings that entries of the log mute."""
        found = find_muted(self.log.entries, self.retracted_ids)
        return [text for _, texts in found for text in texts]

    def refuse_unknown(self, data: dict[str, Any]) -> None:
        """Raise BadInput if data refers to an unknown or retracted entry, or to one of the wrong type."""
        named = {name: texts_of(data, name) for name in REFERENCES}
        wanted = dict.fromkeys(entry_id for ids in named.values() for entry_id in ids)
        known = {text_of(entry, "id"): entry for entry in (*self.archived, *self.log.entries)}
        if not wanted.keys() <= known.keys():  # read the full archive only for an unknown id
            known |= {text_of(entry, "id"): entry for entry in read_all_entries(self._directory)}
        faults = []
        for entry_id in wanted:
            if entry_id not in known:
                faults.append(f"{entry_id} is not in this log")
            elif entry_id in self.retracted_ids:
                faults.append(f"{entry_id} is retracted already")
            elif entry_id in named["resolves"] and known[entry_id].get("type") != "task_blocked":
                faults.append(f"{entry_id} is not a blocker, so it cannot be resolved")
            elif entry_id in named["retracts"] and "retracts" in data_of(known[entry_id]):
                faults.append(f"{entry_id} is a retraction; log again what it took back")
        if faults:
            raise BadInput(
                f"nothing was logged: {'; '.join(faults)}; `agent-progress recent --json` lists ids"
            )

    def newest(self, n: int) -> list[dict[str, Any]]:
        """Return at least the newest `n` effective entries, if that many exist.

        Reads the full archive only if the log and the newest archived entries are fewer.
        """
        if len(self.effective_entries) < n and self.archived_count > len(self.archived):
            return effective(read_all_entries(self._directory), self.retracted_ids)
        return self.effective_entries


def read_bytes(directory: str) -> bytes | None:
    """Return the bytes of the log; None if there is none. Raises as `read_inside`."""
    return read_inside(root_of(directory), os.path.join(directory, LOG_FILE))


def load(directory: str) -> Log:
    """Read the log in our directory; a missing file is the empty log.

    Entries that a damaged file has lost are added from the copy outside the project, in memory only.
    Raises as `read_bytes`.
    """
    log = parse(read_bytes(directory))
    if log.damage:
        backup.add_copied_entries(directory, log)
    return log


def load_history(directory: str) -> LogHistory:
    """Read log and archive of our directory; missing files count as empty.

    Raises as `read_bytes`.
    """
    stamps = log_stamps(directory)
    return LogHistory(directory, load(directory), archive.month_names(directory), stamps)


def describe_last_entries(directory: str) -> str:
    """Return the last entries as a list, newest first, for a start that has no summary to show.

    It is empty if the log has no entries, cannot be read, or is too large for the rest of a start's time.
    """
    try:
        if os.path.getsize(os.path.join(directory, LOG_FILE)) > MAX_FALLBACK_BYTES:
            return ""
        entries = load_history(directory).entries[-FALLBACK_ENTRIES:]
    except (AgentProgressError, OSError):
        return ""
    lines = [
        item(f"{one_line(str(entry.get('timestamp', '')), 40)} {progress_md.headline(entry)}", 300)
        for entry in reversed(entries)
    ]
    if not lines:
        return ""
    return "\n".join(["agent-progress: the last entries of the log", *(f"- {line}" for line in lines), ""])


def log_stamps(directory: str) -> list[Stamp]:
    """Return the stamps of the log and the archive folder: any change of the history changes one of them."""
    return [stamp_of(os.path.join(directory, name)) for name in (LOG_FILE, ARCHIVE_FOLDER)]


def read_all_entries(directory: str) -> list[dict[str, Any]]:
    """Read every entry of log and full archive: the log's in its order, archived ones among them by time."""
    log = load(directory)
    archived = [entry for month in archive.read_months(directory).values() for entry in month.entries]
    seen = {canonical(item) for item in archived}
    return in_order([item for item in log.entries if canonical(item) not in seen], archived)


def append(
    directory: str, drafts: Iterable[dict[str, Any]], settings: Settings, *, now: datetime, project_name: str
) -> LogResult:
    """Add entries to the log, archive old ones, and write `progress.md`.

    The caller has prepared the directory (`data_directory.prepare`) and holds its lock. The entries are on
    the disk when this returns. `now` carries its zone. Raises as `load` and `save`.
    """
    log = load(directory)
    taken = {text_of(entry, "id") for entry in log.entries}
    entries = []
    for draft in drafts:
        entry = new_entry(draft, now=now, taken=taken)
        taken.add(entry["id"])
        entries.append(entry)
    log.items.extend(entries)
    return LogResult(entries, save(directory, log, settings, now=now, project_name=project_name))


def save(directory: str, log: Log, settings: Settings, *, now: datetime, project_name: str) -> list[str]:
    """Write a log, its archive, `progress.md` and the copy outside the project. Return notes.

    The order matters: a damaged file is kept before anything changes, entries are put into the archive before
    they leave the log, and the copy is made when the log is on the disk. The caller holds the lock. If the
    log may not be written (BadInput) or the disk refuses (AgentProgressError), the log stays as it was.
    """
    log.refuse_if_read_only()
    try:
        notes = archive.keep_damaged(directory, LOG_FILE, log, now)
        moved = archive.move_due(directory, log, settings, now, notes)
    except OSError as error:
        raise DiskRefused(f"cannot write to {directory}", error, "the log is as it was") from error
    if moved:
        older = counted(len(moved), "older entry was", "older entries were")
        notes.append(f"{older} moved to the archive")
    described = {**log.metadata, **_metadata(directory, log, moved), "last_updated": format_time(now)}
    if not backup.project_id(log):
        described["project_id"] = os.urandom(8).hex()
    first = {"version": LOG_FORMAT, "project": project_name}
    log.document = {**first, **log.document, "project": project_name, "entries": None, "metadata": described}
    log.raw = serialise(log)
    write_atomic(os.path.join(directory, LOG_FILE), log.raw, root=root_of(directory))
    # The entries are on the disk, so a failure from here on is only a note.
    readable = progress_md.render(log.document, log.entries).encode("utf-8", "replace")
    path = os.path.join(directory, READABLE)
    try:
        backup.write(directory, log, moved, now)
    except (OSError, AgentProgressError) as error:
        notes.append(f"could not keep a copy outside the project: {error}")
    try:
        write_atomic(path, readable, root=root_of(directory), durable=False)
    except (OSError, AgentProgressError) as error:
        notes.append(f"could not write {READABLE}: {error}")
    return list(dict.fromkeys(notes))


def _metadata(directory: str, log: Log, moved: list[Any]) -> dict[str, Any]:
    """Return the metadata of the document: numbers and times of the entries in log and archive.

    The number of archived entries includes entries whose file was lost. If `repair` or `erase` removed the
    number, the archive is counted again.
    """
    stated = log.metadata
    if not isinstance(stated.get(ARCHIVED), int):
        stated = {ARCHIVED: 0}
        moved = [item for month in archive.read_months(directory).values() for item in month.items]
    moved_times = [when for item in moved if isinstance(item, dict) and (when := time_of(item))]
    times = [when for entry in log.entries if (when := time_of(entry))] + moved_times
    oldest = [stated.get("oldest_entry"), format_time(min(times)) if times else None]
    newest = [stated.get("archived_through"), format_time(max(moved_times))[:10] if moved_times else None]
    return {
        "total_entries": len(log.items),
        ARCHIVED: stated[ARCHIVED] + len(moved),
        "oldest_entry": min((text for text in oldest if isinstance(text, str)), default=None),
        "archived_through": max((text for text in newest if isinstance(text, str)), default=None),
    }
