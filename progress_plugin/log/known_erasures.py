"""Which entries are known as erased: no copy, branch or clone is to bring them again (S1.10).

What whoever works here has erased is noted beside the copies outside the project, which are all that a clone
made anew at its place would find. What others say, by git and on the team's server, and what our directory
says, which git could have brought, counts for entries of others alone: nothing that comes from elsewhere
takes what was recorded here. By git a writer speaks of their own entries, and of nobody else's.
"""

from __future__ import annotations

from collections.abc import Iterable

from progress_plugin.core.light_typing import Any, NamedTuple
from progress_plugin.log import outside_copies, shared_entries, team_erasures
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.log.history import everything
from progress_plugin.log.shared_ids import digest_of, erased_digests

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
    return KnownErasures(frozenset(own), frozenset({*noted, *_told(directory, shared or directory)}))


def remember(directory: str, *own: str, shared: str | None = None) -> None:
    """Note what is known beside the copies, where there are any, with what is erased here now.

    Caller holds the lock. Raises OSError and what `atomic_file.replace` raises.
    """
    outside_copies.note_erased(directory, set(own), _told(directory, shared or directory))


def without(directory: str, items: Iterable[Any]) -> list[Any]:
    """Return the entries that are not known as erased."""
    known = read(directory)
    return [item for item in items if not known.covers(item)]


def still_here(directory: str) -> dict[str, str]:
    """Return the ids of the entries of our log that others have erased, oldest first, with who says so."""
    by_git, by_team = shared_entries.erasures(directory), team_erasures.kept(directory).digests
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
    anybodys = (*erased_digests(directory), *team_erasures.kept(directory).digests)
    return {*((digest, _ANY) for digest in anybodys), *shared_entries.erasures(shared)}
