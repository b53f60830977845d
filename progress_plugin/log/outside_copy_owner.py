"""Which of the copies kept for a path are this project's: a path outlives what was there.

A copy belongs to the project whose directory of ours it was written from
(`outside_copies.directory_mark`), or that has one of its entries still, in log, archive or recovery, or
whose repository it was written in (`Repository.identity`), or one that was checked out at a commit at which
it was written. `git clean -fdx` takes our directory and leaves the last two; a project without git then has
none. A copy that nothing shows to be ours may be another project's, which had the path before.
"""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.git import find_repository
from progress_plugin.log import archive_index, outside_copies
from progress_plugin.log.archive_index import ARCHIVE_FOLDER
from progress_plugin.log.document import parse
from progress_plugin.log.entry import entry_identity


class Copies(NamedTuple):
    """The folders with copies that were kept for a path, those of a vanished log first."""

    ours: list[str]
    unproven: list[str]


def copies(directory: str, items: Iterable[Any], inside: Iterable[str]) -> Copies:
    """Return whose the copies of a path are.

    `items` are those of the log, `inside` the paths of the copies in our directory.
    """
    folders = outside_copies.folders(directory)
    if not folders:
        return Copies([], [])
    known = {entry_identity(item) for item in items if isinstance(item, dict)}
    for name in archive_index.names(directory):
        known |= _identities(data_directory.read_copy(directory, f"{ARCHIVE_FOLDER}/{name}"))
    for path in inside:
        known |= _identities(data_directory.read_copy(directory, os.path.relpath(path, directory)))
    ours: list[str] = []
    unproven: list[str] = []
    root = root_of(directory)
    repository = find_repository(root)
    seals = {
        (outside_copies.directory_mark(root) or b"none").decode(),
        (repository.identity() if repository else None) or "none",
    }
    for folder in reversed(folders):
        entries = [
            item for path in outside_copies.files(folder) for item in parse(outside_copies.read(path)).items
        ]
        there = {entry_identity(item) for item in entries if isinstance(item, dict)}
        marks = {*outside_copies.marks(folder), *_commits(entries)}
        if seals & marks or there & known or (repository is not None and repository.has_been_at(marks)):
            known |= there
            ours.append(folder)
        else:
            unproven.append(folder)
    return Copies(ours[::-1], unproven[::-1])


def _identities(data: bytes | None) -> set[str]:
    return {entry_identity(item) for item in parse(data).items if isinstance(item, dict)}


def _commits(entries: Iterable[Any]) -> set[str]:
    """Return the commits that entries name as holding the work."""
    facts = [entry.get("data") for entry in entries if isinstance(entry, dict)]
    named = [data.get("commit") for data in facts if isinstance(data, dict)]
    return {commit for commit in named if isinstance(commit, str)}
