"""Erase an entry or a text from every copy we keep."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto
from typing import NamedTuple

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.data_directory import SUMMARY_FILE, data_directory_of, root_of
from progress_plugin.core.errors import AgentProgressError, BadInput, Refused
from progress_plugin.core.files import TEMPORARY_PREFIX, LeadsOutside, read_inside, walk_inside, write_atomic
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import database_path, state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import files_of_sessions
from progress_plugin.core.snapshot import CACHE_FILE, FILE_NOTES_FILE
from progress_plugin.log import backup, pending_events, shared_entries, store
from progress_plugin.log.archive import ARCHIVED
from progress_plugin.log.document import parse
from progress_plugin.log.shared_entries import ERASURES_FOLDER, SHARED_FOLDER, SharedFile, digest_of, id_in
from progress_plugin.memory import database, observations
from progress_plugin.recall.index import forget_all
from progress_plugin.summary.project_facts import source_paths
from progress_plugin.team.state import CLAIMS
from progress_plugin.text.bounds import some_of
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.correcting.targets import EntryTarget, Target, TextTarget
from progress_plugin.usecases.project_writes import lock_of, save_log, start_sync
from progress_plugin.usecases.reading import BLOCKS_FILE, REDACTED_FILE, read_project
from progress_plugin.usecases.recording.record import record_waiting_under_lock
from progress_plugin.usecases.recording.writing import try_write_summary
from progress_plugin.usecases.sharing import import_shared_entries, is_shared, write_shared_files
from progress_plugin.usecases.summaries import SUMMARIES_FOLDER, write_summary

_USER_FILES = ("config.toml", "templates")
_DERIVED_FILES = (
    SUMMARY_FILE, store.READABLE, "report.html", CACHE_FILE, FILE_NOTES_FILE, CLAIMS, BLOCKS_FILE,
    REDACTED_FILE,
)  # fmt: skip
_MISSING_NOTE = (
    ": this worktree is gone, so nothing was searched there. If it was moved, run "
    "`git worktree repair` with its new path and erase again, else run `git worktree prune`"
)
_LINK_NOTE = "is a link and was not followed; remove it"
_COLLEAGUES_NOTE = (
    "other clones may have it too. Run the same command in each of them, before any "
    "`agent-progress repair`. In a clone, `agent-progress verify` lists the entries that others erased"
)
_USER_FILE_REMEDY = "holds it: edit that file yourself, then repeat"


class Treatment(Enum):
    """The treatment of a file that holds the target."""

    PRIMARY = auto()  # rewritten: it cannot be made again
    DERIVED = auto()  # removed: it can be made again from the primary files, or is temporary
    SHARED = auto()  # our entry in `shared/`: replaced by a file of another name
    FOREIGN = auto()  # not ours: only reported


class KnownFile(NamedTuple):
    """A file that may contain the target."""

    path: str
    treatment: Treatment
    root: str | None = None  # the directory that links may not leave; None in the user's directories
    remaining: str = "still holds it: remove it from its source, then repeat"  # the note if it is not erased

    def read(self) -> bytes:
        """Return its content; empty if it cannot be read or a link leads outside."""
        try:
            return read_inside(self.root, self.path) or b""
        except (BadInput, LeadsOutside):
            return b""

    def count(self, target: Target) -> int:
        return target.count(self.read())


@dataclass(slots=True, kw_only=True)
class ErasureResult:
    """The places that held the target, whether it was to be erased, and the remaining places."""

    kind: str  # entry or text
    found: dict[str, int]  # matches by path
    applied: bool
    removed: list[str] = field(default_factory=list)  # derived files
    remaining: list[str] = field(default_factory=list)  # places that still hold it, and what to do
    notes: list[str] = field(default_factory=list)


def erase(project: Project, named: str, *, apply: bool) -> ErasureResult:
    """Find an entry by its id, or else a text, in all our files, and erase it with `apply`.

    Log, archive, private state and their copies are rewritten, here and in linked worktrees. Derived files
    are removed; summary and start cache are made again. A text is also erased in the memory database. Plans,
    agent logs, transcripts, settings, templates, and copies of other projects' logs are only reported.

    Raises BadInput for a text that cannot be erased, BadInput or Refused for a log that cannot be rewritten.
    """
    import_shared_entries(project)
    target: Target = EntryTarget(named)
    found = _find_matches(project, target)
    if not found:
        target = TextTarget(named)
        found = _find_matches(project, target)
    result = ErasureResult(
        kind=target.kind, found={file.path: count for file, count in found.items()}, applied=apply
    )
    in_memory = _erase_in_memory(target, result, apply=False)
    if apply:
        has_erased = _erase_in_files(project, target, result)
        if in_memory:
            _erase_in_memory(target, result, apply=True)
        if has_erased or in_memory:
            # The lock is released already. A process that read the log before the erasure finds under the
            # lock that it has changed, and reads it again. So it does not write the text back.
            result.notes += try_write_summary(project) if project.has_directory else []
            forget_all()
            start_sync(project)
    result.found |= in_memory
    result.remaining[:0] = _find_remaining(project, target, applied=apply)
    has_team = data_directory.has_team(project.log_directory)
    if (result.found or result.remaining) and (has_team or is_shared(project)):
        server = ["on the team's server an administrator removes it"] if has_team else []
        result.notes[:0] = [_COLLEAGUES_NOTE, *server]
    return result


def _our_files(project: Project) -> Iterator[KnownFile]:
    """Yield our files of this project in all worktrees, and the copies of other projects' logs."""
    log_directory = project.log_directory
    writer = shared_entries.known_writer(log_directory)
    roots = dict.fromkeys([project.root, project.main_root, *sorted(project.roots())])
    for place in dict.fromkeys([log_directory, *map(data_directory_of, roots)]):
        for name, is_link in walk_inside(root_of(place), place):
            yield _classify_file(place, name, writer, is_link=is_link)
    own = backup.folders_of_path(log_directory)
    for folder in (*filter(None, map(state_directory, roots)), *own):
        for name, _ in walk_inside(None, folder):
            yield _classify_file(folder, name, writer)._replace(root=None)
    errors = error_log.log_path()
    yield from (KnownFile(path, Treatment.PRIMARY) for path in (errors, f"{errors}.old"))
    yield from (KnownFile(path, Treatment.DERIVED) for root in roots for path in files_of_sessions(root))
    note = "holds it: a copy of the log of another directory; erase it there too, or remove this folder"
    others = [path for folder in backup.folders() if folder not in own for path in backup.files_of(folder)]
    yield from (KnownFile(path, Treatment.FOREIGN, remaining=note) for path in others)


def _classify_file(place: str, name: str, writer: str | None, *, is_link: bool = False) -> KnownFile:
    path, (folder, _, rest) = os.path.join(place, name), name.partition(os.sep)
    is_temporary = os.path.basename(name).startswith(TEMPORARY_PREFIX)
    if folder in _USER_FILES:
        return KnownFile(path, Treatment.FOREIGN, place, _USER_FILE_REMEDY)
    if name in _DERIVED_FILES or is_temporary or folder == SUMMARIES_FOLDER:
        return KnownFile(path, Treatment.DERIVED, place)  # a link here is removed, not its target
    if is_link:
        return KnownFile(path, Treatment.FOREIGN, place, _LINK_NOTE)
    if folder == SHARED_FOLDER:
        treatment = Treatment.SHARED if rest.partition(os.sep)[0] == writer else Treatment.FOREIGN
        return KnownFile(path, treatment, place, "holds it: another writer's entry; have it erased there")
    return KnownFile(path, Treatment.PRIMARY, place)


def _foreign_files(project: Project) -> Iterator[KnownFile]:
    """Yield plans, agent logs, the files to which the summary is copied, and transcripts."""
    reading = read_project(project)
    for path in (*source_paths(reading.facts), "AGENTS.md", reading.settings.summary_path or ""):
        if path:
            yield KnownFile(project.path(path), Treatment.FOREIGN, project.root, _USER_FILE_REMEDY)
    for path in sorted({path for record in SessionStore(project).records() if (path := record.transcript)}):
        yield KnownFile(path, Treatment.FOREIGN, remaining="holds it: a transcript; delete it in your client")


def _find_matches(project: Project, target: Target) -> dict[KnownFile, int]:
    """Return the number of matches by primary or shared file."""
    ours = (file for file in _our_files(project) if file.treatment in (Treatment.PRIMARY, Treatment.SHARED))
    return {file: count for file in ours if (count := file.count(target))}


def _erase_in_files(project: Project, target: Target, result: ErasureResult) -> bool:
    """Erase the target in all our files. Return whether any held it."""
    with ExitStack() as held:
        if project.has_directory:
            # Otherwise a process that has read waiting events could record them afterwards.
            held.enter_context(pending_events.spool_lock(project.log_directory, DEFAULT_TIMEOUT_S))
            record_waiting_under_lock(project, DEFAULT_TIMEOUT_S)
            held.enter_context(lock_of(project, DEFAULT_TIMEOUT_S))
            _refuse_unreadable(project.log_directory)
        held.enter_context(SessionStore(project).lock(DEFAULT_TIMEOUT_S))
        files = _find_matches(project, target)
        derived = [file for file in _our_files(project) if file.treatment is Treatment.DERIVED]
        if not files and not any(file.count(target) for file in derived):
            return False
        result.found = {file.path: count for file, count in files.items()}
        primary = [file for file in files if file.treatment is Treatment.PRIMARY]
        rewritten = {file: target.erase(file.read())[0] for file in primary}  # BadInput before any change
        for file, data in rewritten.items():
            write_atomic(file.path, data, root=file.root)
        SessionStore(project).forbid_rereading({file.path for file in primary})
        for file in derived:
            with suppress(FileNotFoundError):  # another process renamed its temporary file
                os.unlink(file.path)
        result.removed = [file.path for file in derived]
        if isinstance(target, EntryTarget):
            _add_tombstone(project, target)
        result.notes += _replace_shared(project, [file.path for file in files if file not in rewritten])
        log = store.load(project.log_directory)
        if log.raw is not None:
            log.metadata.pop(ARCHIVED, None)  # the number of archived entries may be smaller now
            save_log(project, log, datetime.now(UTC))
        elif not project.has_directory:
            write_summary(project, 0)
    return True


def _refuse_unreadable(directory: str) -> None:
    path = os.path.join(directory, store.LOG_FILE)
    if os.path.islink(path):
        raise Refused(f"nothing was erased: {path} is a link, which is not followed; put the file there")
    log = parse(store.read_bytes(directory))
    log.refuse_if_read_only()
    if log.damage:
        raise BadInput("nothing was erased: progress.json does not parse; run `agent-progress repair` first")


def _add_tombstone(project: Project, target: EntryTarget) -> None:
    """Store the digest of an erased entry, so that no branch or clone brings it back."""
    directory, digest = project.log_directory, digest_of(target.name)
    shared_entries.remember_erasures(directory, {digest: ""})
    if is_shared(project):
        erasure = SharedFile(shared_entries.ensure_writer(directory), ERASURES_FOLDER, digest)
        shared_entries.put_file(project.directory, erasure, b"")


def _replace_shared(project: Project, paths: list[str]) -> list[str]:
    """Replace our shared files that hold the target; entries still in the log get new files. Return notes.

    A changed file under the same name would conflict with the file on every other branch.
    """
    for path in paths:
        os.unlink(path)
    ids = {id_in(os.path.basename(path)) for path in paths}
    entries = store.read_all_entries(project.log_directory) if ids else []
    notes = write_shared_files(project, [entry for entry in entries if entry.get("id") in ids])
    if paths and project.repository is not None:
        notes.append(
            f"git keeps committed copies of {SHARED_FOLDER}/. To remove them too, rewrite the history "
            "(git filter-repo) and clone again everywhere."
        )
    return notes


def _erase_in_memory(target: Target, result: ErasureResult, *, apply: bool) -> dict[str, int]:
    """Return the number of matches by path of the memory database; empty without a match.

    With `apply` the text is erased in all rows, and in the free pages of the file. Raises BadInput if that
    would break a JSON document.
    """
    path = database_path()
    try:
        if not isinstance(target, TextTarget) or not database.has_database(path):
            return {}
        with (database.writing if apply else database.reading)(path) as db:
            count, named = observations.erase(db, target.erase_in, apply=apply)
        if apply:
            database.overwrite_freed(path)
            return {path: count}
    except observations.BrokenDocument:
        raise
    except AgentProgressError as error:
        result.remaining.append(f"the memory database may hold it: {error}. Mend that, then erase again")
        return {}
    if named:
        ids = some_of(list(map(str, named)))
        place = f"the project or topic of observations {ids}"
        result.remaining.append(f"{path} holds it in {place}: erase leaves these; edit them with sqlite3")
    if not count:  # the text may remain in free pages of the file or in its write-ahead log
        count = int(any(KnownFile(path + ending, Treatment.FOREIGN).count(target) for ending in ("", "-wal")))
    return {path: count} if count else {}


def _find_remaining(project: Project, target: Target, *, applied: bool) -> list[str]:
    """Describe the foreign files, and after an erasure the derived files, that hold the target."""
    treatments = {Treatment.FOREIGN, Treatment.DERIVED} if applied else {Treatment.FOREIGN}
    files = [*_our_files(project), *(_foreign_files(project) if isinstance(target, TextTarget) else ())]
    found = [
        f"{file.path} {file.remaining}"
        for file in files
        if file.treatment in treatments and (file.remaining == _LINK_NOTE or file.count(target))
    ]
    missing = project.repository.missing_worktrees() if project.repository else ()
    return found + [f"{path}{_MISSING_NOTE}" for path in missing]
