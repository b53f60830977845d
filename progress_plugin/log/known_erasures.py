"""Which entries are known as erased: no copy, branch or clone is to bring them again.

What was erased here is kept in the private state of the project, which no repository can bring. What others
say, by git and on the team's server, counts for entries of others only: nothing from elsewhere takes what was
recorded here. Entries are named by digests of their ids.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.log import backup, shared_entries, team_erasures
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.log.foreign_entry import digest_of

ERASED_FILE = "erased"  # a line per entry: its digest, and the writer whose it is if others say so
ANY_WRITER = "*"
MAX_LINES_OF_OTHERS = 20_000


class KnownErasures(NamedTuple):
    """The entries that are known as erased, by digests of their ids."""

    own: frozenset[str]  # erased here, whoever wrote them
    others: frozenset[tuple[str, str]]  # digest, and the writer whose entry it is or `*` for any other clone

    def has(self, name: str, writer: str | None) -> bool:
        """Return whether an entry is known as erased; `writer` is None for one that was written here."""
        digest = digest_of(name)
        if digest in self.own:
            return True
        return writer is not None and not self.others.isdisjoint({(digest, writer), (digest, ANY_WRITER)})

    def covers(self, item: Any) -> bool:
        """Return whether an entry of a log is known as erased."""
        if not (self.own or self.others) or not isinstance(item, dict):
            return False
        name = text_of(item, "id")
        return name is not None and self.has(name, writer_of(item))


def read(directory: str, shared: str | None = None) -> KnownErasures:
    """Return what is known as erased; `shared` is the directory with `shared/`, if not this one."""
    own: set[str] = set()
    others = _stated_by_others(directory, shared)
    places = [
        os.path.join(folder, ERASED_FILE) for folder in backup.folders_of_path(directory)
    ]  # earlier versions
    for path in (state_file(root_of(directory), ERASED_FILE), *places):
        for line in _read_lines(path):
            match line.split():
                case [digest]:
                    own.add(digest)
                case [digest, writer]:
                    others.add((digest, writer))
    return KnownErasures(frozenset(own), frozenset(others))


def add(directory: str, digest: str) -> None:
    """Note that an entry was erased here. Caller holds the lock. Raises as `write_atomic`."""
    _write(directory, read(directory), {digest})


def remember(directory: str, shared: str | None = None) -> None:
    """Note what others say now, for when their branch is not checked out. Raises as `write_atomic`."""
    known = read(directory, shared)
    if known.own or known.others:
        _write(directory, known, set())


def _write(directory: str, known: KnownErasures, new: set[str]) -> None:
    lines = [*sorted(known.own | new), *map(" ".join, sorted(known.others)[:MAX_LINES_OF_OTHERS])]
    data = "".join(f"{line}\n" for line in lines).encode()
    path = os.path.join(make_state_directory(root_of(directory)), ERASED_FILE)
    if "".join(f"{line}\n" for line in _read_lines(path)).encode() != data:
        write_atomic(path, data, private=True)


def _read_lines(path: str) -> list[str]:
    try:
        return (read_inside(None, path) or b"").decode("ascii", "replace").splitlines()
    except BadInput:
        return []


def _stated_by_others(directory: str, shared: str | None) -> set[tuple[str, str]]:
    by_team = team_erasures.read_erased(directory)
    return {*((digest, ANY_WRITER) for digest in by_team), *shared_entries.erasures(shared or directory)}
