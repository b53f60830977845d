"""Take an entry or a text out of every copy we keep: for what should never have been written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.core.files import read_range
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import store
from progress_plugin.log.archive_index import forget_index, load_index
from progress_plugin.log.document import parse, serialise
from progress_plugin.recall.index import forget_all
from progress_plugin.summary.project_facts import source_paths
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.correcting import erasable_files, erasable_observations, shared_erasure
from progress_plugin.usecases.correcting.erasable_files import OurFile
from progress_plugin.usecases.correcting.erasable_text import EntryTarget, Target, TextTarget
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log, read_project
from progress_plugin.usecases.recording.append import renew, start_sync
from progress_plugin.usecases.recording.record_events import drain_as_holder, sole_recorder
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.summary_files import keep_ready

_COPILOT_TRANSCRIPT, _COPILOT_TASKS = "events.jsonl", "session.db"  # in one folder
_PIECE_BYTES, _OVERLAP_BYTES = 8 << 20, 64 << 10  # of a large file, with what is looked at again


@dataclass(slots=True, kw_only=True)
class Erased:
    """What was found, and taken out if that was asked for."""

    kind: str  # entry or text
    found: dict[str, int]  # how often it occurs in each file that holds it
    applied: bool
    removed: list[str] = field(default_factory=list)  # files made from the log
    remaining: list[str] = field(default_factory=list)  # places that still hold it, with what to do
    notes: list[str] = field(default_factory=list)


def erase(project: Project, named: str, *, apply: bool) -> Erased:
    """Look for an entry's id, or else a text, in everything we keep, and with `apply` take it out.

    Log, archive, private state and all copies of them are rewritten, here and in linked worktrees; what is
    made from them is removed and made anew. A text is also taken out of the memory database. Plans, logs of
    agents, transcripts, settings and what others have are named.

    Raises BadInput for a text that would match everywhere, or an entry's frame, and for a log that may not be
    written; Busy and AgentProgressError as `log_entry` does.
    """
    take_in_latest(project)
    target = _read_target(project, named)
    names = read_log(project).names
    memory = erasable_observations.find_in_memory(target)
    own_shared = shared_erasure.find_holders(project, target, own=True)
    found = {file.path: count for file, count in _find(project, target).items()}
    found |= {each.path: each.times for each in own_shared}
    done = Erased(kind=target.kind, found=found, applied=apply, remaining=_find_remaining(project, target))
    if found or done.remaining or memory.count:
        done.notes += shared_erasure.describe_copies_of_others(project, target)
    if apply:
        is_held = _take_out(project, target, done)
        erasable_observations.take_out(target, memory)
        done.applied = is_held or bool(memory.count) or project.has_directory
        if is_held or memory.count:
            if project.has_directory:
                # Whoever has read before and writes after us finds log or archive changed, and reads again.
                done.notes += renew(project)
            forget_all()
            done.remaining = [*_find_left(project, target), *_find_remaining(project, target)]
            if data_directory.has_team(project.log_directory):
                start_sync(project)
    if memory.count:
        done.found[memory.path] = memory.count
    done.remaining += memory.remaining
    done.notes += memory.notes(names)
    return done


def _read_target(project: Project, named: str) -> Target:
    entry = EntryTarget(named)
    is_here = any(
        entry.erase(data)[1] for _, data in erasable_files.contents(erasable_files.primary_files(project))
    )
    if is_here or shared_erasure.find_holders(project, entry, own=True):
        return entry
    return TextTarget(named)


def _find(project: Project, target: Target) -> dict[OurFile, int]:
    files = erasable_files.contents(erasable_files.primary_files(project))
    return {file: count for file, data in files if (count := target.erase(data)[1])}


def _take_out(project: Project, target: Target, done: Erased) -> bool:
    """Take it out of every file of ours, and return whether it was there."""
    with ExitStack() as held:
        if project.has_directory:
            prepare(project)
            # Whoever records what waits has read it, and would write it down after us.
            held.enter_context(sole_recorder(project, DEFAULT_TIMEOUT_S))
            drain_as_holder(project, DEFAULT_TIMEOUT_S)
            held.enter_context(lock_of(project, DEFAULT_TIMEOUT_S))
            _refuse_unreadable(
                OurFile(os.path.join(project.log_directory, store.LOG_FILE), project.log_directory)
            )
        held.enter_context(SessionStore(project).lock(DEFAULT_TIMEOUT_S))
        files = _find(project, target)
        shared = shared_erasure.find_holders(project, target, own=True)
        derived = [path for path in erasable_files.derived_files(project) if os.path.lexists(path)]
        is_held = bool(files or shared) or any(_holds(path, target) for path in derived)
        done.found = {file.path: count for file, count in files.items()} | {
            each.path: each.times for each in shared
        }
        if not is_held:
            return False
        rewritten = [(file, target.erase(data)[0]) for file, data in erasable_files.contents(files)]
        for file, data in rewritten:
            file.write(data)
        SessionStore(project).freeze({file.path for file, _ in rewritten})
        for path in derived:
            os.unlink(path)
        done.removed = derived
        shared_erasure.remember(project, target)
        done.notes += shared_erasure.take_out(project, shared)
        if project.has_directory:
            _describe_log(project)
        else:
            keep_ready(project)
    return True


def _refuse_unreadable(log_file: OurFile) -> None:
    if log_file.is_stray_link():
        raise Refused(
            f"nothing was erased: {log_file.path} is a link, and none is followed; put the file there"
        )
    log = parse(log_file.read())
    log.refuse_if_read_only()
    if log.damage:
        raise BadInput("nothing was erased: progress.json does not parse; run `agent-progress repair` first")


def _describe_log(project: Project) -> None:
    """Make what the log says about itself true again; what is made from it was removed."""
    directory = project.log_directory
    log = store.load(directory)
    if log.raw is None:
        return
    forget_index(directory)
    index = load_index(directory, log.entries)
    log.document["metadata"] = log.metadata | store.metadata(log, index)
    OurFile(os.path.join(directory, store.LOG_FILE), directory).write(serialise(log))
    if index.months:
        index.save()
    store.write_readable(directory, log)


def _find_left(project: Project, target: Target) -> list[str]:
    """Look at every file of ours again, as a search by hand would."""
    paths = [file.path for file in _find(project, target)]
    paths += [path for path in erasable_files.derived_files(project) if _holds(path, target)]
    return [f"{path} still holds it: its source does, or a process wrote it just now" for path in paths]


def _find_remaining(project: Project, target: Target) -> list[str]:
    """Name what is not ours to change, and holds it."""
    found = [
        f"{path} is a link; what it leads to was neither looked at nor changed, remove it"
        for path in erasable_files.stray_links(project)
    ]
    found += [
        f"{path}: git has a worktree there that is gone, and it was not looked at: if it was moved, run "
        "`git worktree repair` with its new path and repeat this, else run `git worktree prune`"
        for path in (project.repository.missing_worktrees() if project.repository else ())
    ]
    if isinstance(target, TextTarget):
        plans = [path for path in _users_files(project) if _holds(path, target, project.root)]
        found += [f"{path} holds it: that file is yours to edit; then repeat this" for path in plans]
        read = [path for path in _transcripts(project) if any(target.erase(x)[1] for x in _pieces(path))]
        found += [f"{path} holds it: a transcript of your client" for path in read]
    found += [
        f"{file.path} holds it: a copy kept for another path; repeat this in the project there, or remove "
        "that folder where none is there any more"
        for file, data in erasable_files.contents(erasable_files.copies_of_other_paths(project))
        if target.erase(data)[1]
    ]
    found += [
        f"{each.path} holds it: it is another writer's; have it erased there"
        for each in shared_erasure.find_holders(project, target, own=False)
    ]
    return found


def _users_files(project: Project) -> list[str]:
    """Return the files of other people from which the summary is made, and those that the user writes."""
    reading = read_project(project)
    paths = [*source_paths(reading.facts), "AGENTS.md", reading.settings.summary_path or ""]
    templates = data_directory.names(project.directory, "templates")
    ours = ["config.toml", *(os.path.join("templates", name) for name in templates)]
    return [
        *(project.path(path) for path in paths if path),
        *(os.path.join(project.directory, x) for x in ours),
    ]


def _transcripts(project: Project) -> list[str]:
    """Return the clients' transcripts that records were made of, and what a client writes beside them."""
    paths = {path for record in SessionStore(project).records() if (path := record.transcript)}
    paths |= {os.path.join(os.path.dirname(path), _COPILOT_TASKS)
              for path in paths if os.path.basename(path) == _COPILOT_TRANSCRIPT}  # fmt: skip
    return sorted(paths | {f"{path}-wal" for path in paths if path.endswith(".db")})


def _pieces(path: str) -> Iterator[bytes]:
    position = 0
    while piece := read_range(None, path, position, _PIECE_BYTES + _OVERLAP_BYTES):
        yield piece
        position += _PIECE_BYTES


def _holds(path: str, target: Target, root: str | None = None) -> bool:
    data = OurFile(path, root).read()
    return data is not None and bool(target.erase(data)[1])
