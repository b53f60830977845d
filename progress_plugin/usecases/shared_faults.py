"""What is wrong with `shared/`, and what `repair` does about it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import (
    foreign_entry,
    history,
    known_erasures,
    shared_entries,
    shared_state,
    team_erasures,
    writer_identity,
)
from progress_plugin.log.entry import WRITER, canonical
from progress_plugin.log.erasure import MARK
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.log.verify import Fault
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.recording.shared_history import (
    directories,
    is_shared,
    publish_missing,
    unpublished,
)

_NAMED = 20
"""Files that are named; more of a kind add nothing to know."""
_LONGEST_PATH = 200


def shared_faults(project: Project) -> list[Fault]:
    """Return what of `shared/` is no entry, which entries differ, which of ours lack a file or are erased."""
    erased = list(_erased(project))
    if not is_shared(project):
        return erased
    return [*_strangers(project), *_some(list(_differing(project))), *_unpublished(project), *erased]


def share_again(project: Project) -> list[str]:
    """Give entries of ours their files where they have lost them, look at all others again; return notes."""
    if not is_shared(project):
        return []
    notes = []
    if unpublished(project):
        with lock_of(project, DEFAULT_TIMEOUT_S):
            notes = publish_missing(project)
    if not data_directory.has_shared(project.directory):
        return notes
    with lock_of(project, DEFAULT_TIMEOUT_S):
        shared_state.save(project.directory, InputSnapshot(project.root))
    taken = take_in_arrivals(project, DEFAULT_TIMEOUT_S)
    return [*notes, *([f"{counted(taken, 'entry')} came from {SHARED_FOLDER}/"] if taken else [])]


def _strangers(project: Project) -> Iterator[Fault]:
    found = list(shared_entries.strangers(project.directory))
    for path, why in found[:_NAMED]:
        yield Fault(
            f"{_shown(path)} {why}; it is passed over",
            "it is kept where it is; ask who committed it, or remove it with `git rm`",
        )
    if len(found) > _NAMED:
        yield Fault(
            f"{counted(len(found) - _NAMED, 'more file')} of {SHARED_FOLDER}/ passed over", "as above"
        )


def _some(faults: list[Fault]) -> list[Fault]:
    """Return the first of these faults, and one that says how many more there are."""
    rest = len(faults) - _NAMED
    if rest <= 0:
        return faults
    more = f"{counted(rest, 'more file')} of {SHARED_FOLDER}/ with another entry under a known id"
    return [*faults[:_NAMED], Fault(more, "as above")]


def _differing(project: Project) -> Iterator[Fault]:
    """Yield the ids under which two files, or a file and our log, hold different entries."""
    known = {entry.get("id"): entry for entry in history.everything(project.log_directory)
             if isinstance(entry.get("id"), str)}  # fmt: skip
    first: dict[str, tuple[str, str]] = {}
    for file in shared_entries.files(project.directory):
        entry = shared_entries.read(project.directory, file)
        if isinstance(entry, str):
            continue
        name, said, path = entry["id"], canonical(entry), os.path.relpath(file.path, SHARED_FOLDER)
        before = first.setdefault(name, (said, path))
        if before[0] != said:
            yield Fault(
                f"{_shown(before[1])} and {_shown(path)} hold different entries with one id",
                "the one that was known first counts; ask the writers which is right",
            )
        elif name in known and _differs(known[name], said):
            if MARK in said and MARK not in canonical(known[name]):
                yield _erased_in(path)
                continue
            yield Fault(
                f"{_shown(path)} and our log hold different entries with one id",
                "the one in our log counts; ask the writer which is right",
            )


def _erased_in(path: str) -> Fault:
    """Return that a text went from an entry at its writer's: of which one, only our log says by now."""
    return Fault(
        f"{_shown(path)} is what its writer has erased something in, and our log holds it still",
        f"see what stands in ours for {MARK}, and take it out: `agent-progress erase TEXT --yes`",
    )


def _erased(project: Project) -> Iterator[Fault]:
    """Yield the files of ours that hold an entry which is known as erased, here and in all worktrees.

    git would publish them with the next commit there, and a branch that is checked out can bring one again.
    """
    places = directories(project)
    own = writer_identity.known_writer(project.log_directory) if places else None
    known = known_erasures.read(project.log_directory) if own else None
    if known is None or not known.own:
        return
    for directory in places:
        files = [file for file in shared_entries.files(directory) if file.writer == own]
        names = sorted({name for file in files if (name := shared_entries.id_in(file.name))})
        held = [name for name in names if known.has(name, None)]
        if held:
            place = os.path.join(directory, SHARED_FOLDER)
            number = counted(len(held), "entry that was", "entries that were")
            root = None if directory == project.directory else root_of(directory)
            what = f"{place} holds {number} erased, for git to publish: {some_of(held)}"
            yield Fault(what, team_erasures.remedy(held, root))


def _unpublished(project: Project) -> Iterator[Fault]:
    entries = unpublished(project)
    if entries:
        number = counted(len(entries), "entry of ours is", "entries of ours are")
        yield Fault(
            f"{number} in no file of {SHARED_FOLDER}/ and in no commit", "run `agent-progress repair`"
        )


def _differs(entry: dict[str, Any], said: str) -> bool:
    """Return whether an entry of our log is another one than a file's, also without its secrets."""
    plain = {name: value for name, value in entry.items() if name != WRITER}
    if canonical(plain) == said:
        return False
    told = foreign_entry.line_of(entry)
    return told is None or canonical(json.loads(told)) != said


def _shown(path: str) -> str:
    return one_line(os.path.join(SHARED_FOLDER, path), _LONGEST_PATH)
