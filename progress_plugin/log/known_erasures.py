"""Which entries are known as erased: no copy, branch or clone is to bring them again.

What was erased here is noted in the clone's private state and beside the copies outside the project. What
others say, by git and on the team's server, counts for entries of others alone: nothing that comes from
elsewhere takes what was recorded here. By git a writer speaks of their own entries only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.log import outside_copies, shared_entries, team_erasures
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.log.foreign_entry import digest_of
from progress_plugin.log.history import everything

ERASED = "erased.json"
"""Entries that were erased whole, by digests of their ids: a branch or another clone may still bring them."""
_ANY = "*"
"""In the place of a writer: whoever of the others wrote it."""


class KnownErasures(NamedTuple):
    """The entries that are known as erased, by digests of their ids."""

    own: frozenset[str]
    """Those that were erased here, whoever wrote them."""
    others: frozenset[tuple[str, str]]
    """Those of others: the digest, and the writer whose entry it is, or `*` for any but this clone."""

    def has(self, name: str, writer: str | None) -> bool:
        """Return whether an entry is known as erased; `writer` is None for one that was written here."""
        if not self.own and not self.others:
            return False  # as nearly everywhere
        digest = digest_of(name)
        if digest in self.own:
            return True
        return writer is not None and not self.others.isdisjoint({(digest, writer), (digest, _ANY)})

    def covers(self, item: Any) -> bool:
        """Return whether an entry of a log is known as erased."""
        name = text_of(item, "id") if isinstance(item, dict) else None
        return name is not None and self.has(name, writer_of(item))


def read(directory: str, shared: str | None = None) -> KnownErasures:
    """Return what is known as erased; `shared` is where `shared/` is, if not there."""
    own, noted = outside_copies.erased(directory)
    own |= _noted_here(directory)
    return KnownErasures(frozenset(own), frozenset({*noted, *_told(directory, shared or directory)}))


def note(directory: str, digest: str) -> None:
    """Note that an entry is erased here now. Caller holds the lock.

    Raises OSError and what `write_atomic` raises.
    """
    own = sorted({*read(directory).own, digest})
    folder = make_state_directory(root_of(directory))
    write_atomic(os.path.join(folder, ERASED), json.dumps(own).encode(), private=True)
    outside_copies.note_erased(directory, set(own), _told(directory, directory))


def remember(directory: str, shared: str | None = None) -> None:
    """Note beside the copies, where there are any, what is known. Caller holds the lock. Raises as `note`."""
    outside_copies.note_erased(directory, _noted_here(directory), _told(directory, shared or directory))


def without(directory: str, items: Iterable[Any]) -> list[Any]:
    """Return the entries that are not known as erased."""
    known = read(directory)
    return [item for item in items if not known.covers(item)]


def still_here(directory: str) -> dict[str, str]:
    """Return the ids of the entries of our log that others have erased, oldest first, with who says so."""
    by_git, by_team = shared_entries.erasures(directory), team_erasures.read_erased(directory)
    if not by_git and not by_team:
        return {}
    found: dict[str, str] = {}
    for entry in everything(directory):
        name, writer = text_of(entry, "id"), writer_of(entry)
        if name is None:
            continue
        says = by_team.get(digest := digest_of(name)) or (writer if (digest, writer) in by_git else None)
        if says is not None:
            found[name] = says
    return found


def _told(directory: str, shared: str) -> set[tuple[str, str]]:
    """Return what is said of others' entries."""
    by_team = team_erasures.read_erased(directory)
    return {*((digest, _ANY) for digest in by_team), *shared_entries.erasures(shared)}


def _noted_here(directory: str) -> set[str]:
    """Return what this clone's private state says was erased here."""
    try:
        digests = json.loads(read_inside(None, state_file(root_of(directory), ERASED)) or b"[]")
    except (BadInput, ValueError, RecursionError):
        return set()
    return {each for each in digests if isinstance(each, str)} if isinstance(digests, list) else set()
