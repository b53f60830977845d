"""Take an entry or a text out of every copy we keep: for what should never have been written (S1.10)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from progress_plugin.core import atomic_file, swallowed
from progress_plugin.core.directories import database_path
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.fresh_start import BASELINE, CACHE, OURS, SESSIONS
from progress_plugin.core.freshness import Inputs
from progress_plugin.core.project import Project
from progress_plugin.log import archive_index, backup, markdown, recovery, store, verify
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.erasure import EntryTarget, Target, TextTarget, text_pattern
from progress_plugin.memory import database
from progress_plugin.usecases import answers
from progress_plugin.usecases.log_entry import PATIENCE, drain_waiting, renew
from progress_plugin.usecases.regenerate import SUMMARIES, SUMMARY, lock_of, prepare
from progress_plugin.usecases.seen import outside
from progress_plugin.usecases.session import OPEN
from progress_plugin.usecases.sources import Sources, read_sources

_USERS = ("config.toml", "templates")
"""What people write in our directory; it is theirs, so it is named and not changed."""

_REPORT = "report.html"
"""What `report` writes; not made anew, since somebody asked for it once."""


@dataclass(slots=True, kw_only=True)
class Erased:
    """What was found, and taken out where that was asked for."""

    kind: str
    """entry or text."""
    found: dict[str, int]
    """How often it stands in each file that holds it: log, archive, and all copies of them."""
    applied: bool
    removed: list[str] = field(default_factory=list)
    """Files made from the log, which may tell parts of it; they are made anew where they can be."""
    remaining: list[str] = field(default_factory=list)
    """Where it still stands, one sentence each with what to do."""
    notes: list[str] = field(default_factory=list)


def erase(project: Project, named: str, *, regex: bool, apply: bool) -> Erased:
    """Look for an entry's id, or else a text, in everything we keep, and with `apply` take it out.

    Covered are log, archive, recovery and damaged copies, the copies in the user data directory, everything
    made from them here and in linked worktrees, and the notes of swallowed errors. Plans, logs of agents,
    settings and the memory database are other people's: they are named.

    Raises BadInput for a text that would match everywhere and for a log that may not be written; Busy and
    AgentProgressError as `log_entry` does.
    """
    target = _target(project, named, regex=regex)
    if not apply or not project.has_directory:
        return _looked(project, target, applied=False)
    prepare(project)
    with lock_of(project, PATIENCE):
        drain_waiting(project)
        log = parse(atomic_file.read(_log_path(project)))
        _refuse_unreadable(log)
        for directory in _directories(project):
            answers.forget(directory.removesuffix(OURS))  # no search would find there what they know of it
        done = _looked(project, target, applied=True)
        if not done.found and not _still_there(project, target):
            return done
        _take_out(project, target, done)
        _describe(project)
        done.notes += renew(project)
        done.remaining = [*_still_there(project, target), *_of_others(project, target)]
    return done


def _target(project: Project, named: str, *, regex: bool) -> Target:
    entry = EntryTarget(named)
    if any(entry.count(data) for _, data in _contents(_copies(project))):
        return entry
    return TextTarget(text_pattern(named, regex=regex))


def _looked(project: Project, target: Target, *, applied: bool) -> Erased:
    kind = "entry" if isinstance(target, EntryTarget) else "text"
    paths = _copies(project) if kind == "entry" else [*_copies(project), *_notes(project)]
    found = {path: count for path, data in _contents(paths) if (count := target.count(data))}
    return Erased(kind=kind, found=found, applied=applied, remaining=_of_others(project, target))


def _refuse_unreadable(log: Log) -> None:
    log.refuse_if_read_only()
    if log.damage:
        raise BadInput("nothing was erased: progress.json does not parse; run `agent-progress repair` first")


def _take_out(project: Project, target: Target, done: Erased) -> None:
    for path, data in _rewritten(target, done.found).items():
        atomic_file.replace(path, data)
    for path in _made_from_it(project):
        os.unlink(path)
        done.removed.append(path)


def _rewritten(target: Target, paths: Iterable[str]) -> dict[str, bytes]:
    """Return the new content of each file. Raises BadInput before any is written if one would break."""
    written = {}
    for path, before in _contents(paths):
        after = target.without(before)
        if parse(after).damage and not parse(before).damage:
            raise BadInput(
                f"nothing was erased: the expression matches the structure of {path}; name only the text"
            )
        written[path] = after
    return written


def _describe(project: Project) -> None:
    """Make what log and archive say about themselves true again: index, metadata, `progress.md`."""
    directory = project.log_directory
    log = parse(atomic_file.read(_log_path(project)))
    if log.raw is None:
        return
    index = archive_index.load(directory, log.entries)
    if index.records:
        index.save()
    stated = log.document.get("metadata")
    known = stated if isinstance(stated, dict) else {}
    log.document = {**log.document, "metadata": {**known, **store.metadata(log, index.totals())}}
    atomic_file.replace(_log_path(project), serialise(log), root=project.main_root)
    text = markdown.render(log.document, log.entries).encode("utf-8", "replace")
    atomic_file.replace(os.path.join(directory, store.READABLE), text, root=project.main_root)


def _log_path(project: Project) -> str:
    return os.path.join(project.log_directory, store.FILE)


def _copies(project: Project) -> list[str]:
    """Return every file that holds entries: the log, the months, and all copies of either."""
    directory = project.log_directory
    months = [os.path.join(directory, archive_index.FOLDER, name) for name in archive_index.names(directory)]
    return [_log_path(project), *months, *recovery.all_copies(directory)]


def _notes(project: Project) -> list[str]:
    """Return the files that hold texts of the log for another purpose, and cannot be made anew."""
    away = outside(project.root)
    sessions = [
        os.path.join(folder, name)
        for directory in _directories(project)
        for folder, _, names in os.walk(directory + SESSIONS)
        for name in names
        if name.endswith(OPEN)
    ]
    baselines = [directory + BASELINE for directory in _directories(project)]
    errors = [swallowed.place(), f"{swallowed.place()}.old"]
    return [path for path in (*baselines, *sessions, *errors, away) if path and os.path.isfile(path)]


def _made_from_it(project: Project) -> list[str]:
    """Return what is made from the log, shortened and reworded, so that no search would find all of it."""
    found = []
    for directory in _directories(project):
        names = [CACHE[1:], SUMMARY, store.READABLE, _REPORT]
        found += [*archive_index.files(directory), *(os.path.join(directory, name) for name in names)]
        for folder in (SUMMARIES, SESSIONS.strip("/")):
            place = os.path.join(directory, folder)
            found += [os.path.join(place, name) for name in _listed(place) if not name.endswith(OPEN)]
        found += verify.leftovers(directory)
    outside_copies = backup.folder_of(project.log_directory)
    found += verify.leftovers(outside_copies) if outside_copies else []
    return [path for path in dict.fromkeys(found) if os.path.lexists(path)]


def _still_there(project: Project, target: Target) -> list[str]:
    """Look at every file of our directories again, as a search by hand would."""
    places = [*_directories(project), *map(os.path.dirname, backup.logs(project.log_directory))]
    paths = [
        os.path.join(folder, name)
        for place in places
        for folder, _, names in os.walk(place)
        for name in names
        if os.path.relpath(os.path.join(folder, name), place).split(os.sep)[0] not in _USERS
    ]
    held = [path for path, data in _contents(paths) if target.count(data)]
    return [f"{path} still holds it: its source does, or a process wrote it just now" for path in held]


def _of_others(project: Project, target: Target) -> list[str]:
    """Name the files of other people that hold the text: what is made from them would show it again."""
    if not isinstance(target, TextTarget):
        return []
    inputs = Inputs(project.root)
    sources = read_sources(project, inputs)
    paths = [project.path(name) for name in _sources(sources)]
    elsewhere = sources.settings.summary_path
    paths += [os.path.join(project.directory, "config.toml"), project.path("AGENTS.md")]
    paths += [project.path(elsewhere)] if elsewhere else []
    templates = os.path.join(project.directory, "templates")
    paths += [os.path.join(templates, name) for name in _listed(templates)]
    held = [path for path, data in _contents(paths) if target.count(data)]
    said = [f"{path} holds it: that file is yours to edit; then repeat this" for path in held]
    return said + _in_memory(target)


def _sources(sources: Sources) -> list[str]:
    return [*(plan.path for plan in sources.plans), *(log.source for log in sources.logs)]


def _in_memory(target: TextTarget) -> list[str]:
    path = database_path()
    if path is None or not os.path.exists(path):
        return []
    try:
        held = database.glance(path, lambda memory: _rows(memory, target))
    except AgentProgressError as error:
        return [f"the memory database was not looked at: {error}"]
    if not held:
        return []
    some = ", ".join(map(str, held[:5])) + (f" and {len(held) - 5} more" if len(held) > 5 else "")  # noqa: PLR2004
    return [f"{path} holds it in the observations {some}: the memory database is not rewritten by `erase`"]


def _rows(memory: database.Store, target: TextTarget) -> list[int]:
    rows = memory.connection.execute("SELECT id, title, content FROM observations ORDER BY id")
    return [row[0] for row in rows if any(_says(str(text), target) for text in row[1:])]


def _says(text: str, target: TextTarget) -> bool:
    escaped = "\\" in text and target.count(text.encode("utf-8", "replace")) > 0
    return escaped or target.pattern.search(text) is not None


def _directories(project: Project) -> list[str]:
    """Return our directories in every worktree of the checkout: each has a summary and a cache of its own."""
    found = [project.log_directory, project.directory]
    if project.checkout is not None:
        inside = os.path.relpath(project.directory, project.checkout.top)
        found += [os.path.join(top, inside) for top in project.checkout.all_tops()]
    return [path for path in dict.fromkeys(map(os.path.normpath, found)) if os.path.isdir(path)]


def _contents(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            data = atomic_file.read(path)
        except BadInput:
            continue  # no regular file, or closed to us: nothing of it was written by us
        if data is not None:
            yield path, data


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
