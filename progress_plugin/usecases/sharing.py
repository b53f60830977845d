"""Entries that travel: those of others are put into our log, and ours get files that git carries.

Whatever comes from outside, by git or from the team's server, was validated and redacted by
`shared_entries.entry_of` and enters by `put_into_log`. Entries of other clones are not news of this one: they
are no evidence, and begin no session.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.data_directory import data_directory_of
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import is_read_only
from progress_plugin.core.project import Project
from progress_plugin.log import archive, shared_entries, store
from progress_plugin.log.archive import REPAIR
from progress_plugin.log.document import Fault
from progress_plugin.log.entry import UNSHARED, WRITER, in_order, place_in_session, text_of
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile, digest_of, read_erasures
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log, read_settings

GIT_TIMEOUT_S = 30.0
MAX_GIT_BYTES = 64 << 20
Foreign = tuple[dict[str, Any], str]  # a validated entry, and the clone that wrote it


def find_new_entries(project: Project, found: Iterable[Foreign]) -> list[Foreign]:
    """Return the entries of others that are neither in the log or its archive nor known as erased.

    Raises ReadOnly if the log may not be written.
    """
    directory = project.log_directory
    log = store.load(directory)
    log.refuse_if_read_only()
    live, erased = {entry.get("id") for entry in log.entries}, read_erasures(directory, project.directory)
    new = [each for each in found if each[0]["id"] not in live and not erased.has(each[0]["id"], each[1])]
    months = archive.read_months(directory).values() if new else ()
    archived = {entry.get("id") for month in months for entry in month.entries}
    return [each for each in new if each[0]["id"] not in archived]


def put_into_log(project: Project, found: Iterable[Foreign], timeout: float = DEFAULT_TIMEOUT_S) -> int:
    """Put what is new of entries of others into the log, each at its time, and return how many that are.

    The carrier names the writer; an entry of this clone itself comes back as our own. `timeout` is the lock's
    in seconds. Raises Busy, and as `store.save`.
    """
    reading, directory = read_log(project), project.log_directory
    with lock_of(project, timeout):
        own = shared_entries.known_writer(directory)
        new = {
            entry["id"]: entry if writer == own else {**entry, WRITER: writer}
            for entry, writer in find_new_entries(project, found)
        }
        if new:
            log = store.load(directory)
            log.items = in_order(log.items, sorted(new.values(), key=place_in_session))
            store.save(directory, log, reading.settings, now=datetime.now(UTC), project_name=reading.name)
    return len(new)


def is_shared(project: Project) -> bool:
    """Return whether this project's history goes through git."""
    return project.has_directory and read_settings(project).stored.share


def import_shared_entries(project: Project, timeout: float = DEFAULT_TIMEOUT_S) -> int:
    """Add to our log what is new in `shared/`, and return how many entries that are.

    Whatever shows or writes something of the history calls this first. `timeout` is the lock's, in seconds.
    What cannot be taken in now is looked at again by the next call; the reason is noted for `doctor`. Nothing
    is taken in if nothing may be written.
    """
    try:
        if is_read_only() or not data_directory.has_shared(project.directory) or not is_shared(project):
            return 0
        return _take_in(project, find_new_files(project), timeout)
    except (AgentProgressError, OSError) as error:
        error_log.note("shared", error)
        return 0


def _take_in(project: Project, files: Sequence[SharedFile], timeout: float) -> int:
    """Put the entries in files into the log. A file that is not valid is tried again; `verify` names it."""
    read = {file: shared_entries.read(project.directory, file) if file.entry_id else {} for file in files}
    taken = [file for file, entry in read.items() if entry is not None]
    if not taken:
        return 0
    prepare(project)
    number = put_into_log(project, [(entry, file.writer) for file, entry in read.items() if entry], timeout)
    with lock_of(project, timeout):
        shared_entries.remember_erasures(project.log_directory, project.directory)
        shared_entries.add_taken(project.directory, taken)
    return number


def find_new_files(project: Project) -> list[SharedFile]:
    """Return the files of `shared/` that were not taken in; all, if there is no log."""
    has_log = os.path.lexists(os.path.join(project.log_directory, store.LOG_FILE))
    taken = shared_entries.read_taken(project.directory) if has_log else set()
    return [file for file in shared_entries.list_files(project.directory) if file.path not in taken]


def put_files(project: Project, entries: Iterable[dict[str, Any]], directory: str | None = None) -> list[str]:
    """Give those of these entries their files that are ours to share, and return notes.

    `directory` is ours in another worktree if the files are to be there. The caller holds the lock. The
    entries are on the disk, so nothing here is a failure of theirs: `repair` makes up for it.
    """
    entries = [entry for entry in entries if _is_to_share(entry)]
    if not entries:
        return []
    try:
        writer = shared_entries.ensure_writer(project.log_directory)
        left = shared_entries.put(directory or project.directory, writer, entries)
    except (AgentProgressError, OSError) as error:
        return [f"not shared through git, `agent-progress repair` tries again: {error}"]
    return [f"not shared, too large or without a time or an id that fits: {some_of(left)}"] if left else []


def _is_to_share(entry: dict[str, Any]) -> bool:
    return WRITER not in entry and UNSHARED not in entry


def share_again(project: Project) -> list[str]:
    """Give each entry of ours a file that has none here and none in any commit, and look at all files again.

    A file that a commit of another branch holds must not be made again: git refuses to merge or check out
    over a file that it does not know. Returns notes. Raises Busy, and as writing does.
    """
    if not is_shared(project):
        return []
    with lock_of(project, DEFAULT_TIMEOUT_S):
        entries = _find_unpublished(project)
        notes = put_files(project, entries)
    taken = _take_in(project, [*shared_entries.list_files(project.directory)], DEFAULT_TIMEOUT_S)
    if entries and not notes:
        notes = [f"{counted(len(entries), 'entry')} of ours shared in {SHARED_FOLDER}/"]
    return [*notes, *([f"{counted(taken, 'entry')} came from {SHARED_FOLDER}/"] if taken else [])]


def find_shared_faults(project: Project) -> list[Fault]:
    """Name the files of `shared/` that hold no entry, and count our entries without a file."""
    if not is_shared(project):
        return []
    faults = []
    invalid = [
        f"{SHARED_FOLDER}/{file.path}"
        for file in shared_entries.list_files(project.directory)
        if file.entry_id and shared_entries.read(project.directory, file) is None
    ]
    if invalid:
        what = f"no valid entry of at most {shared_entries.MAX_ENTRY_BYTES >> 10} KiB, passed over"
        remedy = "each is kept where it is; ask who committed it, or remove it with `git rm`"
        faults.append(Fault(f"{some_of(invalid)} cannot be used: {what}", remedy))
    if entries := _find_unpublished(project):
        number = counted(len(entries), "entry of ours is", "entries of ours are")
        faults.append(Fault(f"{number} in no file of {SHARED_FOLDER}/ and in no commit", REPAIR))
    return faults


def find_erased_by_team(directory: str) -> list[Fault]:
    """Name the entries of our log that others have erased, oldest first, and say how to erase them here."""
    others = read_erasures(directory).others
    entries = store.everything(directory) if others else []
    ids = [name for entry in entries if (name := text_of(entry, "id"))]
    here = {name: others[digest] for name in ids if (digest := digest_of(name)) in others}
    writers = some_of(sorted(set(here.values())))
    what = f"erased by the team ({writers} says so), and in this log still: {some_of(list(here))}"
    commands = [f"`agent-progress erase {shlex.quote(name)} --yes`" for name in here]
    return [Fault(what, some_of(commands))] if here else []


def _find_unpublished(project: Project) -> list[dict[str, Any]]:
    """Return the entries of ours that no file in any worktree and no commit holds; every month is opened.

    There are none if git does not answer, because then it is not known; the error log names that.
    """
    named = _committed_ids(project)
    if named is None:
        return []
    for root in project.roots() | {project.root}:
        named |= {file.entry_id for file in shared_entries.list_files(data_directory_of(root))}
    entries = (each for each in store.everything(project.log_directory) if _is_to_share(each))
    return [
        each for each in entries if each.get("id") not in named and shared_entries.line_of(each) is not None
    ]


def _committed_ids(project: Project) -> set[str | None] | None:
    """Return the ids of the entries with a file in any commit of this clone; None if git does not answer."""
    if project.repository is None or not os.path.isdir(project.directory):
        return set()
    words = ["log", "--all", "--full-history", "-m", "--format=", "--name-only", "-z", "--no-renames"]
    words += ["--diff-filter=A", "--", SHARED_FOLDER]
    output = project.repository.run(words, project.directory, timeout=GIT_TIMEOUT_S, max_bytes=MAX_GIT_BYTES)
    if output is None:
        error_log.note("shared", AgentProgressError("git does not answer which entries are in a commit"))
        return None
    return {shared_entries.id_in(os.path.basename(path)) for path in _split_names(output)}


def share_from_now(project: Project) -> list[str]:
    """Take in what others have shared, give every entry of ours its file, and return what is left to do.

    Git is asked what it tracks; nothing of the repository is written. Raises Busy if another
    process holds the lock, AgentProgressError if the disk refuses.
    """
    prepare(project)
    notes = share_again(project)
    if project.repository is None:
        return notes
    place = _path_from_top(project)
    notes.append(f"commit {place}/config.toml and {place}/{SHARED_FOLDER}/ with your work: `git add {place}`")
    if tracked := find_tracked(project, share=True):
        notes.append(f"git still tracks {place}/{tracked[0]}; {untrack_remedy(project, tracked)}")
    return notes


def find_tracked(project: Project, *, share: bool) -> list[str]:
    """Return the files of our directory that git tracks and must not, since two branches conflict there."""
    if project.repository is None or not os.path.isdir(project.directory):
        return []
    tracked = _split_names(project.repository.run(["ls-files", "-z", "--", "."], project.directory) or b"")
    return [name for name in tracked if not data_directory.may_be_tracked(name, share=share)]


def untrack_remedy(project: Project, tracked: Sequence[str]) -> str:
    """Return the command that takes files of ours out of git, and leaves them on the disk here."""
    place = _path_from_top(project)
    words = " ".join(sorted({f"{place}/{name.partition('/')[0]}" for name in tracked}))
    return (
        f"`git rm -r -q --cached {words}`, then commit; the files stay here, and the next start of other "
        "clones brings theirs back after they pull"
    )


def _split_names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "replace").split("\0") if name]


def _path_from_top(project: Project) -> str:
    top = project.repository.top if project.repository else project.root
    return os.path.relpath(project.directory, top).replace(os.sep, "/")
