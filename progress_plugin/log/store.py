"""`progress.json` on the disk: loaded whatever its state, appended to, never lost."""

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.files import create_new, read_inside, write_atomic
from progress_plugin.log import archive, archive_index, earlier_versions, markdown_output, outside_copies
from progress_plugin.log.archive import Limits
from progress_plugin.log.archive_index import Index, Totals
from progress_plugin.log.document import VERSION, Log, fill_up, parse, serialise
from progress_plugin.log.entry import EntryDraft, new_entry, text_of, time_of
from progress_plugin.log.timestamp import written

LOG_FILE = "progress.json"
READABLE = "progress.md"
_COPY = "keep a copy in recovery/"
LOCK_FILE = "lock"
"""Name of the lock file in our directory; whoever writes holds it (`core.lock.FileLock`)."""


class DirectoryState(NamedTuple):
    """Our directory as a holder of the lock knows it, who need not read again what nobody else may write."""

    log: Log
    archived: Index


class Appended(NamedTuple):
    """What an append did."""

    entries: list[dict[str, Any]]
    """As they were stored."""
    notes: list[str]
    """What was recovered, migrated, archived or could not be kept beside the log; one sentence each."""
    after: DirectoryState
    """What is on the disk now."""


def raw(directory: str) -> bytes | None:
    """Return the bytes of the log; None where there is none.

    Raises LeadsOut where a link leads out of the project: who took that for an empty log would begin another.
    """
    return read_inside(root_of(directory), os.path.join(directory, LOG_FILE))


def load(directory: str, known: Log | None = None) -> Log:
    """Return the log in our directory; a missing file is the empty log.

    A damaged file is read as far as it goes and filled up from the newest good version, in memory only.
    `known` is returned if the file still says what it was read from. Raises BadInput where something else
    than a file is in its place, or it cannot be opened.
    """
    data = raw(directory)
    if known is not None and data is not None and known.raw == data:
        return known
    log = parse(data)
    if log.damage:
        good = earlier_versions.newest_good(directory, log)
        if good:
            fill_up(log, good[0], good[1])
    return log


def append(  # noqa: PLR0913 - the clock, the name and the limits are the caller's to know
    directory: str,
    drafts: Iterable[EntryDraft],
    *,
    now: datetime,
    project_name: str,
    limits: Limits | None = None,
    before: DirectoryState | None = None,
    commit: str | None = None,
    announce: Callable[[list[dict[str, Any]]], None] | None = None,
) -> Appended:
    """Add entries to the log, archive what is due, and regenerate `progress.md`.

    Caller has prepared the directory (`data_directory.prepare`) and holds its lock (`LOCK_FILE`).
    When this returns the entries are on the disk. `now` carries its zone. `before` is what the caller has
    read under this lock; it is used up. `commit` is what is checked out where the log is, a mark of the
    project; `announce` is told the entries before they are on the
    disk. Raises BadInput for faulty drafts and for a log that may not be written, AgentProgressError where
    the disk refuses; nothing is changed then.
    """
    log = load(directory, before.log if before else None)
    log.refuse_if_read_only()
    taken = {text_of(entry, "id") for entry in log.entries}
    entries = []
    for draft in drafts:
        entry = new_entry(draft, now=now, taken=taken)
        taken.add(entry["id"])
        entries.append(entry)
    if announce is not None:
        announce(entries)
    log.items.extend(entries)
    known = before.archived if before else None
    notes, after = _save(
        directory, log, known, now=now, project_name=project_name, limits=limits, commit=commit
    )
    return Appended(entries, notes, after)


def save(  # noqa: PLR0913 - as `append`
    directory: str,
    log: Log,
    *,
    now: datetime,
    project_name: str,
    limits: Limits | None = None,
    commit: str | None = None,
) -> list[str]:
    """Make `log` the content of our directory, and return notes on what else was done. Caller holds the lock.

    The order matters: originals that are damaged or of another version are safe before anything changes,
    archives hold what leaves the log before it leaves, and copies are made of what is already on the disk.
    Raises as `append` does.
    """
    notes, _ = _save(directory, log, None, now=now, project_name=project_name, limits=limits, commit=commit)
    return notes


def _save(  # noqa: PLR0913 - what `append` and `save` have in common
    directory: str,
    log: Log,
    known: Index | None,
    *,
    now: datetime,
    project_name: str,
    limits: Limits | None,
    commit: str | None,
) -> tuple[list[str], DirectoryState]:
    log.refuse_if_read_only()
    try:
        notes = _secure_original(directory, log, now)
        index = archive_index.load(directory, log.entries, known)
        notes += archive.move_due(directory, log, index, limits or Limits(), now)
    except OSError as error:
        raise DiskRefused(f"cannot write to {directory}", error, "the log is as it was") from error
    _describe(log, index.totals(), project_name, now)
    data = serialise(log)
    write_atomic(os.path.join(directory, LOG_FILE), data, root=root_of(directory))
    before, log.raw = log.raw, data
    after = DirectoryState(log, index)
    notes += _after_commit(directory, after, before, now, commit)
    return list(dict.fromkeys(notes)), after


def metadata(log: Log, archived: Totals) -> dict[str, Any]:
    """Return what the document has to say about its entries and those of the archive."""
    oldest = min((when for entry in log.entries if (when := time_of(entry))), default=None)
    moments = filter(None, (archived.oldest, written(oldest) if oldest else None))
    return {
        "total_entries": len(log.items),
        "archived_entries": archived.entries,
        "oldest_entry": min(moments, default=None),
        "archived_through": archived.newest[:10] if archived.newest else None,
    }


def _secure_original(directory: str, log: Log, now: datetime) -> list[str]:
    """Put what was read where the coming write cannot reach it."""
    if log.raw is None:
        earlier_versions.set_aside(directory, now)
        return []
    if log.damage:
        stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        copy = create_new(os.path.join(directory, f"{LOG_FILE}.corrupt-{stamp}"), log.raw)
        return [*log.problems, f"the damaged file is kept as {os.path.basename(copy)}"]
    if log.migrated_from:
        earlier_versions.keep_original(directory, log.raw, f"version-{_plain(log.migrated_from)}", now)
        note = f"{LOG_FILE} was migrated from version {log.migrated_from} to {VERSION}"
        return [f"{note}; recovery/ holds the original"]
    return _notes_of({_COPY: lambda: earlier_versions.keep(directory, log.raw or b"", now)})


def _describe(log: Log, archived: Totals, project_name: str, now: datetime) -> None:
    """Fill in what the document says about itself."""
    given = log.document
    if log.migrated_from or "version" not in given:
        given = {"version": VERSION, **{key: value for key, value in given.items() if key != "version"}}
    # The name is said by one function for every way out; the log repeats what it says now.
    given = {"version": given["version"], "project": project_name, **given}
    given["project"] = project_name
    stated = given.get("metadata")
    known = stated if isinstance(stated, dict) else {}
    described = {**known, **metadata(log, archived), "last_updated": written(now)}
    log.document = {**given, "entries": None, "metadata": described}


def _after_commit(
    directory: str,
    state: DirectoryState,
    before: bytes | None,
    now: datetime,
    commit: str | None,
) -> list[str]:
    """Do what follows from a write; the entries are on the disk, so no failure here may look like theirs.

    `before` is what the log held, None where there was none.
    """
    log, archived = state
    data = log.raw or b""
    moved = archive.is_moving(directory)

    def write_readable() -> None:
        text = markdown_output.render(log.document, log.entries).encode("utf-8", "replace")
        path = os.path.join(directory, READABLE)
        write_atomic(path, text, root=root_of(directory), durable=False)

    steps: dict[str, Callable[[], None]] = {
        "finish the archive": lambda: archive.finish(directory, archived),
        _COPY: lambda: earlier_versions.keep(directory, data, now),
        "keep a copy outside the project": lambda: outside_copies.write(
            directory, data, now, months=moved, before=before, commit=commit
        ),
        f"write {READABLE}": write_readable,
    }
    return _notes_of(steps)


def _notes_of(steps: dict[str, Callable[[], None]]) -> list[str]:
    """Take steps that nothing of an append depends on; return a sentence for each that could not be taken."""
    notes = []
    for what, step in steps.items():
        try:
            step()
        except (OSError, AgentProgressError) as error:
            notes.append(f"could not {what}: {error}")
    return notes


def _plain(version: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in version)[:20]
