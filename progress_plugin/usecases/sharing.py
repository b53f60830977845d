"""Exchange entries with other clones: insert remote entries into our log, write ours to files for git.

`shared_entries.parse_entry` validates and redacts every remote entry, from git or the team's server, before
`insert_entries` stores it. A remote entry is not evidence of this clone's work.
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
from progress_plugin.log.entry import UNSHARED, WRITER, in_order, text_of
from progress_plugin.log.shared_entries import SHARED_FOLDER, SharedFile, digest_of, is_erased, read_erasures
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of, save_log
from progress_plugin.usecases.reading import Reading, read_project, read_settings

GIT_TIMEOUT_S = 30.0
MAX_GIT_BYTES = 64 << 20
Entry = dict[str, Any]


def find_new_entries(project: Project, received: Iterable[Entry]) -> list[Entry]:
    """Return the remote entries that are not in the log, not in the archive and not erased."""
    directory = project.log_directory
    log = store.load(directory)
    live, erasures = {entry.get("id") for entry in log.entries}, read_erasures(directory, project.directory)
    new = [
        entry
        for entry in received
        if entry["id"] not in live and not is_erased(erasures, entry["id"], entry[WRITER])
    ]
    months = archive.read_months(directory).values() if new else ()
    archived = {entry.get("id") for month in months for entry in month.entries}
    return [entry for entry in new if entry["id"] not in archived]


def insert_entries(project: Project, received: Iterable[Entry], timeout: float = DEFAULT_TIMEOUT_S) -> int:
    """Insert new remote entries into the log in time order. Return their number.

    Git or the server names the writer. An entry of this clone is stored without one.
    """
    with lock_of(project, timeout):
        own = shared_entries.known_writer(project.log_directory)
        new = {
            entry["id"]: {name: value for name, value in entry.items() if (name, value) != (WRITER, own)}
            for entry in find_new_entries(project, received)
        }
        if new:
            log = store.load(project.log_directory)
            log.items = in_order(log.items, list(new.values()))
            save_log(project, log, datetime.now(UTC))
    return len(new)


def is_shared(project: Project) -> bool:
    return project.has_directory and read_settings(project).stored.share


def import_shared_entries(project: Project, timeout: float = DEFAULT_TIMEOUT_S) -> int:
    """Insert the new entries of `shared/` into our log. Return their number.

    Call this before showing or writing history. After a failure the next call tries again, and `doctor` shows
    the reason. A read-only process imports nothing.
    """
    try:
        if is_read_only() or not data_directory.has_shared(project.directory) or not is_shared(project):
            return 0
        has_log = os.path.lexists(os.path.join(project.log_directory, store.LOG_FILE))
        imported = shared_entries.read_imported(project.directory) if has_log else set()
        files = shared_entries.list_files(project.directory)
        return _import_files(project, [file for file in files if file.path not in imported], timeout)
    except (AgentProgressError, OSError) as error:
        error_log.note("shared", error)
        return 0


def read_current(project: Project) -> Reading:
    """Import shared entries, then read the project with the settings of this call's environment."""
    import_shared_entries(project)
    return read_project(project, None, os.environ)


def _import_files(project: Project, files: Sequence[SharedFile], timeout: float) -> int:
    """Insert the entries of files into the log. An invalid file is tried again; `verify` names it."""
    entries = {file: shared_entries.read(project.directory, file) if file.entry_id else {} for file in files}
    imported = [file for file, entry in entries.items() if entry is not None]
    if not imported:
        return 0
    number = insert_entries(project, filter(None, entries.values()), timeout)
    with lock_of(project, timeout):
        shared_entries.remember_erasures(project.log_directory, {}, project.directory)
        shared_entries.add_imported(project.directory, imported)
    return number


def write_shared_files(project: Project, entries: Iterable[dict[str, Any]]) -> list[str]:
    """Write one file per entry that may be shared. Return notes.

    The caller holds the lock. The entries are in the log already, so a failure here is only a note, and
    `repair` tries again.
    """
    ours = list(filter(_may_share, entries))
    try:
        writer = shared_entries.ensure_writer(project.log_directory) if ours else ""
        unfit = [entry for entry in ours if not shared_entries.put_entry(project.directory, writer, entry)]
    except (AgentProgressError, OSError) as error:
        return [f"not shared through git, `agent-progress repair` tries again: {error}"]
    names = [text_of(entry, "id") or "(no id)" for entry in unfit]
    return [f"not shared, too large or without a valid id or time: {some_of(names)}"] if names else []


def _may_share(entry: dict[str, Any]) -> bool:
    return WRITER not in entry and UNSHARED not in entry


def repair_shared_files(project: Project) -> list[str]:
    """Write the missing files of our entries, then import all files again. Return notes.

    A file in a commit of another branch is not missing: git refuses to merge or check out over an untracked
    file.
    """
    if not is_shared(project):
        return []
    with lock_of(project, DEFAULT_TIMEOUT_S):
        entries = _find_unpublished(project)
        notes = write_shared_files(project, entries)
    imported = _import_files(project, [*shared_entries.list_files(project.directory)], DEFAULT_TIMEOUT_S)
    if entries and not notes:
        notes = [f"{counted(len(entries), 'entry')} of ours shared in {SHARED_FOLDER}/"]
    return [*notes, *([f"{counted(imported, 'entry')} came from {SHARED_FOLDER}/"] if imported else [])]


def find_shared_faults(project: Project) -> list[Fault]:
    """Describe the invalid files of `shared/` and the number of our unpublished entries."""
    if not is_shared(project):
        return []
    faults = []
    invalid = [
        f"{SHARED_FOLDER}/{file.path}"
        for file in shared_entries.list_files(project.directory)
        if file.entry_id and shared_entries.read(project.directory, file) is None
    ]
    if invalid:
        reason = f"no valid entry of at most {shared_entries.MAX_ENTRY_BYTES >> 10} KiB, passed over"
        remedy = "each is kept where it is; ask who committed it, or remove it with `git rm`"
        faults.append(Fault(f"{some_of(invalid)} cannot be used: {reason}", remedy))
    if entries := _find_unpublished(project):
        number = counted(len(entries), "entry of ours is", "entries of ours are")
        faults.append(Fault(f"{number} in no file of {SHARED_FOLDER}/ and in no commit", REPAIR))
    return faults


def describe_remote_erasures(directory: str) -> list[Fault]:
    """Name the entries of our log that other clones erased, oldest first, with the commands to erase them."""
    erasures = {digest: writer for digest, writer in read_erasures(directory).items() if writer}
    entries = store.read_all_entries(directory) if erasures else []
    ids = [name for entry in entries if (name := text_of(entry, "id"))]
    writer_by_id = {name: erasures[digest] for name in ids if (digest := digest_of(name)) in erasures}
    writers = some_of(sorted(set(writer_by_id.values())))
    fault = f"erased by another clone ({writers}), but still in this log: {some_of(list(writer_by_id))}"
    commands = [f"`agent-progress erase {shlex.quote(name)} --yes`" for name in writer_by_id]
    return [Fault(fault, some_of(commands))] if writer_by_id else []


def _find_unpublished(project: Project) -> list[dict[str, Any]]:
    """Return our entries without a file in any worktree or commit. Reads the whole archive.

    Returns nothing if git does not answer; `_committed_ids` notes that in the error log.
    """
    published = _committed_ids(project)
    if published is None:
        return []
    for root in project.roots() | {project.root}:
        published |= {file.entry_id for file in shared_entries.list_files(data_directory_of(root))}
    entries = (each for each in store.read_all_entries(project.log_directory) if _may_share(each))
    return [
        each
        for each in entries
        if each.get("id") not in published and shared_entries.serialise_entry(each) is not None
    ]


def _committed_ids(project: Project) -> set[str | None] | None:
    """Return the ids of all entries that any commit in this clone has added; None if git does not answer."""
    if project.repository is None or not os.path.isdir(project.directory):
        return set()
    words = ["log", "--all", "--full-history", "-m", "--format=", "--name-only", "-z", "--no-renames"]
    words += ["--diff-filter=A", "--", SHARED_FOLDER]
    output = project.repository.run(words, project.directory, timeout=GIT_TIMEOUT_S, max_bytes=MAX_GIT_BYTES)
    if output is None:
        error_log.note("shared", AgentProgressError("git does not answer which entries are in a commit"))
        return None
    return {shared_entries.id_in(os.path.basename(path)) for path in _split_names(output)}


def start_sharing(project: Project) -> list[str]:
    """Import all shared entries and write files for ours. Return notes on the remaining steps."""
    notes = repair_shared_files(project)
    if project.repository is None:
        return notes
    place = _path_from_top(project)
    notes.append(f"commit {place}/config.toml and {place}/{SHARED_FOLDER}/ with your work: `git add {place}`")
    return [*notes, *map(str, find_tracked(project, share=True))]


def find_tracked(project: Project, *, share: bool) -> list[Fault]:
    """Name the files of our directory that git tracks but should not: two branches would conflict."""
    if project.repository is None or not os.path.isdir(project.directory):
        return []
    names = _split_names(project.repository.run(["ls-files", "-z", "--", "."], project.directory) or b"")
    tracked = [name for name in names if not data_directory.may_be_tracked(name, share=share)]
    place = _path_from_top(project)
    words = shlex.join(sorted({f"{place}/{name.partition('/')[0]}" for name in tracked}))
    remedy = (
        f"`git rm -r -q --cached {words}`, then commit; the files stay here. A pull removes them in other "
        "clones: run `agent-progress repair` there"
    )
    return [Fault(f"git tracks files of our directory: {some_of(tracked)}", remedy)] if tracked else []


def _split_names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "replace").split("\0") if name]


def _path_from_top(project: Project) -> str:
    top = project.repository.top if project.repository else project.root
    return os.path.relpath(project.directory, top).replace(os.sep, "/")
