"""`progress.json` on the disk: loaded in any state, appended to, never lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.files import create_new, read_inside, write_atomic
from progress_plugin.log import archive, backup, progress_md
from progress_plugin.log.archive import ARCHIVE_FOLDER, ArchiveIndex, Limits
from progress_plugin.log.document import VERSION, Log, fill_up, parse, serialise
from progress_plugin.log.entry import EntryDraft, new_entry, text_of, time_of
from progress_plugin.log.timestamp import written
from progress_plugin.text.bounds import counted

LOG_FILE = "progress.json"
READABLE = "progress.md"
ARCHIVED = "archived_entries"  # member of `metadata`
REPAIR = "run `agent-progress repair`"
LOCK_FILE = "lock"  # every writer holds it (`core.lock.FileLock`)


class Appended(NamedTuple):
    """What an append did."""

    entries: list[dict[str, Any]]  # as they were stored
    notes: list[str]  # what was recovered, archived or could not be kept beside the log


def raw(directory: str) -> bytes | None:
    """Return the bytes of the log; None if there is none. Raises BadInput and LeadsOutside."""
    return read_inside(root_of(directory), os.path.join(directory, LOG_FILE))


def load(directory: str) -> Log:
    """Return the log in our directory; a missing file is the empty log.

    A damaged file is read as far as it goes and filled up from the copy outside, in memory only.
    Raises BadInput if something else than a file is in its place, or it cannot be opened.
    """
    log = parse(raw(directory))
    if log.damage:
        good = backup.newest_good(directory, log)
        if good:
            fill_up(log, good[1], good[0])
    return log


def append(
    directory: str,
    drafts: Iterable[EntryDraft],
    *,
    now: datetime,
    project_name: str,
    limits: Limits | None = None,
) -> Appended:
    """Add entries to the log, archive what is due, and write `progress.md`.

    Caller has prepared the directory (`data_directory.prepare`) and holds its lock. When this returns the
    entries are on the disk. `now` carries its zone. Raises BadInput for faulty drafts and for a log that may
    not be written, AgentProgressError if the disk refuses; nothing is changed then.
    """
    log = load(directory)
    log.refuse_if_read_only()
    taken = {text_of(entry, "id") for entry in log.entries}
    entries = []
    for draft in drafts:
        entry = new_entry(draft, now=now, taken=taken)
        taken.add(entry["id"])
        entries.append(entry)
    log.items.extend(entries)
    return Appended(entries, save(directory, log, now=now, project_name=project_name, limits=limits))


def save(
    directory: str, log: Log, *, now: datetime, project_name: str, limits: Limits | None = None
) -> list[str]:
    """Make `log` the content of our directory, and return notes on what else was done. Caller holds the lock.

    The order matters: a damaged original is safe before anything changes, archives hold what leaves the log
    before it leaves, and the copy is made of what is already on the disk.
    Raises as `append` does.
    """
    log.refuse_if_read_only()
    try:
        notes = _secure_original(directory, log, now)
        index, moved = archive.move_due(directory, log, limits or Limits(), now, notes)
    except OSError as error:
        raise DiskRefused(f"cannot write to {directory}", error, "the log is as it was") from error
    if moved:
        older = counted(len(moved), "older entry was", "older entries were")
        notes.append(f"{older} moved to the archive")
    described = {**log.metadata, **metadata(log, index), "last_updated": written(now)}
    if not backup.project_id(log):
        described["project_id"] = os.urandom(8).hex()
    first = {"version": VERSION, "project": project_name}
    log.document = {**first, **log.document, "project": project_name, "entries": None, "metadata": described}
    log.raw = serialise(log)
    write_atomic(os.path.join(directory, LOG_FILE), log.raw, root=root_of(directory))
    # The entries are on the disk, so no failure from here on may look like theirs.
    if moved:
        archive.save_index(directory, index)
    readable = progress_md.render(log.document, log.entries).encode("utf-8", "replace")
    path = os.path.join(directory, READABLE)
    steps: dict[str, Callable[[], None]] = {
        "keep a copy outside the project": lambda: backup.write(directory, log, moved, now),
        f"write {READABLE}": lambda: write_atomic(path, readable, root=root_of(directory), durable=False),
    }
    for what, step in steps.items():
        try:
            step()
        except (OSError, AgentProgressError) as error:
            notes.append(f"could not {what}: {error}")
    return list(dict.fromkeys(notes))


def metadata(log: Log, index: ArchiveIndex) -> dict[str, Any]:
    """Return what the document has to say about its entries and those of the archive.

    It goes on counting entries that the archive has lost, until `repair`.
    """
    stated = log.metadata.get(ARCHIVED)
    oldest = min((when for entry in log.entries if (when := time_of(entry))), default=None)
    moments = filter(None, (index.oldest, written(oldest) if oldest else None))
    return {
        "total_entries": len(log.items),
        ARCHIVED: max(index.count, stated) if isinstance(stated, int) else index.count,
        "oldest_entry": min(moments, default=None),
        "archived_through": index.newest[:10] if index.newest else None,
    }


def describe_loss(log: Log, index: ArchiveIndex) -> list[str]:
    """Return a sentence if the archive holds fewer entries than the log has put there."""
    every = metadata(log, index)[ARCHIVED]
    if every == index.count or index.damage:  # a month that does not parse is named by itself
        return []
    return [f"{ARCHIVE_FOLDER}/ holds {index.count} of {counted(every, 'entry')}; {REPAIR}"]


def _secure_original(directory: str, log: Log, now: datetime) -> list[str]:
    """Put a damaged file in a place that the coming write cannot reach."""
    if log.raw is None or not log.damage:
        return []
    path = os.path.join(directory, f"{LOG_FILE}.corrupt-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}")
    copy = create_new(path, log.raw)
    return [*log.problems, f"the damaged file is kept as {os.path.basename(copy)}"]
