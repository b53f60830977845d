"""Take an entry or a text out of every copy we keep: for what should never have been written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.core.files import write_atomic
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import archive_index, markdown_output, store
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.erasure import EntryTarget, ErasureTarget, TextTarget, text_pattern
from progress_plugin.log.regex_timeout import SearchTimeout, TooLong
from progress_plugin.recall import index_removal
from progress_plugin.summary.project_facts import source_paths
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.correcting import erasable_files, shared_erasure
from progress_plugin.usecases.correcting.erasable_files import KeptFile
from progress_plugin.usecases.correcting.erasable_observations import MemoryHolders
from progress_plugin.usecases.correcting.team_copies import team_copies
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log, read_project
from progress_plugin.usecases.recording.append import renew, start_sync
from progress_plugin.usecases.recording.record_events import drain_as_holder, sole_recorder
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.summary_files import keep_ready

SEARCHING, LOCKED = 20.0, 2.0
"""Seconds of processor time for an expression: before and after, and while others wait for the lock."""


@dataclass(slots=True, kw_only=True)
class Erased:
    """What was found, and taken out where that was asked for."""

    kind: str
    """entry or text."""
    found: dict[str, int]
    """How often it occurs in each file that holds it: log, archive, all copies of them, and the memory."""
    applied: bool
    removed: list[str] = field(default_factory=list)
    """Files made from the log, which may repeat parts of it; they are made anew where they can be."""
    remaining: list[str] = field(default_factory=list)
    """Where it still is, one sentence each with what to do."""
    notes: list[str] = field(default_factory=list)


def erase(project: Project, named: str, *, regex: bool, apply: bool) -> Erased:
    """Look for an entry's id, or else a text, in everything we keep, and with `apply` take it out.

    Covered are log, archive, recovery and damaged copies, the copies in the user data directory, everything
    made from them here and in linked worktrees that the log names, and our own files in `shared/`; where a
    text is named, the records of sessions, the notes of errors in hooks, and all observations of the memory
    database besides. No link is followed that leads out of our directories; such links are named. Plans, logs
    of agents, other writers' files in `shared/`, transcripts, settings and a database of another program are
    not ours: they are named. So is what a team's server and the clones of others have.

    Everything is searched before the lock is taken; under it only what has changed since is searched again.

    Raises BadInput for a text that would match everywhere, for an expression whose search takes too long, and
    for a log that may not be written; Busy and AgentProgressError as `log_entry` does.
    """
    take_in_latest(project)
    time = SearchTimeout(SEARCHING if regex else None)
    target = _target(project, named, time, regex=regex)
    holders, remaining = _holders(project, target), _remaining(project, target)
    names = read_log(project).names
    memory = MemoryHolders(target, names)
    team = team_copies(project, target, names, memory.path, memory.rows)
    git = shared_erasure.told_by_git(project, target) if holders or remaining else []
    if not apply:
        done = _answer(holders, target, applied=False, remaining=[*remaining, *memory.remaining])
        done.found |= shared_erasure.ours(project, target)
        done.notes += [*team, *git]
        return memory.add_to(done)
    done = _answer({}, target, applied=True, remaining=remaining)
    done.notes += [*team, *git]
    if project.has_directory:
        is_held = _taken_out_here(project, target, time, done, regex=regex)
    else:
        is_held = _taken_out_outside(project, target, done)
        index_removal.forget_all()
        done.applied = is_held or bool(memory.count)
    time.left = SEARCHING if regex else None
    memory.take_out()
    memory.add_to(done)
    if project.has_directory and (is_held or memory.count):
        # Whoever has read before and writes after us finds log or archive changed, and reads again.
        done.notes += renew(project)
        # A source that holds it still has just been read again, and thought about.
        index_removal.forget_all()
        time.left = SEARCHING if regex else None
        done.remaining = _left(project, target)
    done.remaining += memory.remaining
    if team:
        start_sync(project)
    return done


def _taken_out_here(
    project: Project, target: ErasureTarget, time: SearchTimeout, done: Erased, *, regex: bool
) -> bool:
    """Take it out of everything of this project, and return whether it was there."""
    _still_there(project, target)
    prepare(project)
    with ExitStack() as held:
        # Whoever records what waits has read it, and would write it down after us.
        held.enter_context(sole_recorder(project, DEFAULT_TIMEOUT_S))
        drain_as_holder(project, DEFAULT_TIMEOUT_S)
        held.enter_context(lock_of(project, DEFAULT_TIMEOUT_S))
        held.enter_context(SessionStore(project).lock(DEFAULT_TIMEOUT_S))
        time.left = LOCKED if regex else None
        _refuse_unreadable(erasable_files.log_of(project))
        index_removal.forget_all()
        holders = _holders(project, target)
        shared = shared_erasure.ours(project, target)
        done.found = {kept.path: count for kept, count in holders.items()} | shared
        is_held = bool(holders or shared or _still_there(project, target))
        if is_held:
            _take_out(project, target, holders, done)
            done.notes += shared_erasure.take_out(project, target, shared)
            _describe(project)
    return is_held


def _taken_out_outside(project: Project, target: ErasureTarget, done: Erased) -> bool:
    """Take it out of the records of sessions, where nothing else of ours is; return whether it was there."""
    kept = erasable_files.private_notes(project.root)
    found = {each: count for each, data in erasable_files.contents(kept) if (count := target.count(data))}
    caches = [KeptFile(path, None) for path in erasable_files.private_caches(project.root)]
    for cache, data in erasable_files.contents(caches):
        if target.count(data):
            os.unlink(cache.path)
            done.removed.append(cache.path)
    if found:
        with SessionStore(project).lock(DEFAULT_TIMEOUT_S):
            for each, data in _rewritten(target, found).items():
                each.replace(data)
            keep_ready(project)
    done.found = {each.path: count for each, count in found.items()}
    return bool(found or done.removed)


def _left(project: Project, target: ErasureTarget) -> list[str]:
    """Say where it still is after all was rewritten."""
    try:
        return [*_still_there(project, target), *_remaining(project, target)]
    except TooLong:
        return ["it was erased where it was found, but to look everywhere again takes too long; repeat this"]


def _remaining(project: Project, target: ErasureTarget) -> list[str]:
    return [
        *_links(project),
        *_lost_worktrees(project),
        *_of_others(project, target),
        *_copies_elsewhere(project, target),
        *shared_erasure.others(project, target),
    ]


def _target(project: Project, named: str, time: SearchTimeout, *, regex: bool) -> ErasureTarget:
    entry = EntryTarget(named)
    if any(entry.count(data) for _, data in erasable_files.contents(erasable_files.entries_of(project))):
        return entry
    if shared_erasure.holders(entry, erasable_files.directories(project)):
        return entry  # erased before, and brought again by a branch
    return TextTarget(text_pattern(named, regex=regex), time)


def _holders(project: Project, target: ErasureTarget) -> dict[KeptFile, int]:
    """Return how often it occurs in each file that cannot be made anew."""
    kept = erasable_files.entries_of(project)
    if isinstance(target, TextTarget):
        kept += erasable_files.notes_of(project)
    return {each: count for each, data in erasable_files.contents(kept) if (count := target.count(data))}


def _answer(
    holders: dict[KeptFile, int], target: ErasureTarget, *, applied: bool, remaining: list[str]
) -> Erased:
    kind = "entry" if isinstance(target, EntryTarget) else "text"
    found = {kept.path: count for kept, count in holders.items()}
    return Erased(kind=kind, found=found, applied=applied, remaining=remaining)


def _refuse_unreadable(kept: KeptFile) -> None:
    if kept.leads_away():
        raise Refused(f"nothing was erased: {kept.path} is a link, and none is followed; put the file there")
    log = parse(kept.read())
    log.refuse_if_read_only()
    if log.damage:
        raise BadInput("nothing was erased: progress.json does not parse; run `agent-progress repair` first")


def _take_out(project: Project, target: ErasureTarget, holders: Iterable[KeptFile], done: Erased) -> None:
    # Listed first, since the entry that goes may be the only one that names the worktree it was logged in.
    made = erasable_files.made_of(project)
    for kept, data in _rewritten(target, holders).items():
        kept.replace(data)
    for path in made:
        os.unlink(path)
        done.removed.append(path)


def _rewritten(target: ErasureTarget, found: Iterable[KeptFile]) -> dict[KeptFile, bytes]:
    """Return the new content of each file. Raises BadInput before any is written if one would break."""
    written = {}
    for kept, before in erasable_files.contents(found):
        after = target.without(before)
        if isinstance(target, TextTarget) and _breaks(parse(before), parse(after)):
            raise BadInput(
                f"nothing was erased: this matches the structure of {kept.path}, an entry's id, type or time "
                "at least; name more of the text"
            )
        written[kept] = after
    return written


def _breaks(before: Log, after: Log) -> bool:
    """Return whether erasing left a log that does not parse, or entries that are others than before."""
    return not before.damage and bool(after.damage or _frames(before) != _frames(after))


def _frames(log: Log) -> list[list[Any]]:
    """Return of each entry what is nobody's words."""
    entries = [item for item in log.items if isinstance(item, dict)]
    return [[entry.get(name) for name in ("id", "type", "timestamp")] for entry in entries]


def _describe(project: Project) -> None:
    """Make what log and archive say about themselves true again: index, metadata, `progress.md`."""
    directory = project.log_directory
    kept = erasable_files.log_of(project)
    log = parse(kept.read())
    if log.raw is None:
        return
    index = archive_index.load(directory, log.entries)
    if index.records:
        index.save()
    stated = log.document.get("metadata")
    known = stated if isinstance(stated, dict) else {}
    log.document = {**log.document, "metadata": {**known, **store.metadata(log, index.totals())}}
    kept.replace(serialise(log))
    text = markdown_output.render(log.document, log.entries).encode("utf-8", "replace")
    write_atomic(os.path.join(directory, store.READABLE), text, root=project.main_root)


def _still_there(project: Project, target: ErasureTarget) -> list[str]:
    """Look at every file of our directories again, as a search by hand would."""
    held = [
        kept.path
        for kept, data in erasable_files.contents(erasable_files.everything(project))
        if target.count(data)
    ]
    told = [f"{path} still holds it: its source does, or a process wrote it just now" for path in held]
    elsewhere = erasable_files.contents(erasable_files.elsewhere(project))
    held = [kept.path for kept, data in elsewhere if target.count(data)]
    return told + [f"{path} holds it: no entry names that worktree; repeat this there" for path in held]


def _links(project: Project) -> list[str]:
    return [
        f"{path} is a link; what it leads to was neither looked at nor changed, remove it"
        for path in erasable_files.links(project)
    ]


def _lost_worktrees(project: Project) -> list[str]:
    return [
        f"{path}: git has a worktree there that is gone, and it was not looked at: if it was moved, run "
        "`git worktree repair` with its new path and repeat this, else run `git worktree prune`"
        for path in (project.repository.missing_worktrees() if project.repository else ())
    ]


def _of_others(project: Project, target: ErasureTarget) -> list[str]:
    """Name the files of other people that hold the text: what is made from them would show it again."""
    if not isinstance(target, TextTarget):
        return []
    reading = read_project(project)
    paths = [project.path(name) for name in source_paths(reading.facts)]
    elsewhere = reading.settings.summary_path
    paths += [os.path.join(project.directory, "config.toml"), project.path("AGENTS.md")]
    paths += [project.path(elsewhere)] if elsewhere else []
    templates = os.path.join(project.directory, "templates")
    paths += [os.path.join(templates, name) for name in data_directory.names(project.directory, "templates")]
    held = [path for path, data in _others_contents(project, paths) if target.count(data)]
    said = [f"{path} holds it: that file is yours to edit; then repeat this" for path in held]
    return said + [
        f"{path} holds it: a transcript of your client"
        for path in erasable_files.transcripts(project)
        if any(map(target.count, erasable_files.pieces(path)))
    ]


def _copies_elsewhere(project: Project, target: ErasureTarget) -> list[str]:
    """Name the copies of other paths: where this project was before, of other clones and projects."""
    held = erasable_files.contents(erasable_files.copies_elsewhere(project))
    return [
        f"{kept.path} holds it: a copy kept for another path; repeat this in the project there, or remove "
        "that folder where none is there any more"
        for kept, data in held
        if target.count(data)
    ]


def _others_contents(project: Project, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of other people that lie in the project and can be read."""
    yield from (
        (kept.path, data)
        for kept, data in erasable_files.contents(KeptFile(path, project.root) for path in paths)
    )
