"""Which entries are known as erased: no copy, branch or clone is to bring them again.

What was erased here is kept in the private state of the project, which no repository can bring, with what
others say by git or on the team's server. That counts for entries of others only: nothing from elsewhere
takes an entry out of a log. `sync`, `verify` and `doctor` name it, and the user erases it. Entries are named
by digests of their ids.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.log import shared_entries
from progress_plugin.log.shared_entries import digest_of

ERASED_FILE = "erased"  # a line per entry: its digest, and the clone that has erased it unless it is this one


class KnownErasures(NamedTuple):
    """The entries that are known as erased, by digests of their ids."""

    own: frozenset[str]  # erased here, by any writer
    others: Mapping[str, str]  # erased elsewhere, each with the clone that says so

    def has(self, name: str | None, writer: str | None) -> bool:
        """Return whether an entry is known as erased; `writer` is None for one that was written here."""
        digest = digest_of(name or "")
        return digest in self.own or (writer is not None and digest in self.others)


def read(directory: str, shared: str | None = None) -> KnownErasures:
    """Return what is known as erased; `shared` is the directory with `shared/`, if not this one."""
    others: dict[str, str] = {}
    own: set[str] = set()
    for line in _read_lines(state_file(root_of(directory), ERASED_FILE)):
        digest, _, writer = line.partition(" ")
        if writer:
            others[digest] = writer
        else:
            own.add(digest)
    return KnownErasures(frozenset(own), others | shared_entries.erasures(shared or directory))


def remember(
    directory: str,
    shared: str | None = None,
    *,
    own: str | None = None,
    others: Mapping[str, str] | None = None,
) -> None:
    """Keep the digest of an `own` erasure, and what others say, also for when their branch is gone.

    Caller holds the lock. Raises as `write_atomic`.
    """
    known = read(directory, shared)
    elsewhere = sorted({**known.others, **(others or {})}.items())
    lines = [*sorted(known.own | {own} if own else known.own), *map(" ".join, elsewhere)]
    if lines and lines != _read_lines(state_file(root_of(directory), ERASED_FILE)):
        path = os.path.join(make_state_directory(root_of(directory)), ERASED_FILE)
        write_atomic(path, "".join(f"{line}\n" for line in lines).encode(), private=True)


def _read_lines(path: str) -> list[str]:
    try:
        return (read_inside(None, path) or b"").decode("ascii", "replace").splitlines()
    except BadInput:
        return []
