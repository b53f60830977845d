"""Which entries are known as erased, by whoever: no copy, branch or clone is to bring them again (S1.10).

What was erased here, what others say by git, and what the team's server says are three lists of digests of
ids. Our directory goes with a clone, and what git says, with a branch; so all of it is noted beside the
copies outside the project, too, which are all that a clone made anew at its place would find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from progress_plugin.core.light_typing import Any
from progress_plugin.log import outside_copies, shared_entries, team_erasures
from progress_plugin.log.entry import text_of
from progress_plugin.log.shared_ids import digest_of, erased_digests


def digests(directory: str) -> set[str]:
    """Return the digests of the ids of all entries that are known as erased."""
    return {*_told(directory), *outside_copies.erased(directory)}


def remember(directory: str, more: Iterable[str] = ()) -> None:
    """Note what is known beside the copies, where there are any, with `more`. Caller holds the lock."""
    outside_copies.note_erased(directory, {*_told(directory), *more})


def by_others(directory: str) -> dict[str, str]:
    """Return the digests of what others have erased, by git and on the team's server, with who says so."""
    return {**shared_entries.erasures(directory), **team_erasures.kept(directory).digests}


def without(directory: str, items: Iterable[Any]) -> list[Any]:
    """Return the entries that are not known as erased."""
    known = digests(directory)
    return [item for item in items if not _is_erased(item, known)] if known else list(items)


def among(items: Iterable[Any], known: set[str]) -> Iterator[str]:
    """Yield the ids of the entries whose erasure is known."""
    for item in items:
        if _is_erased(item, known):
            yield item["id"]


def _told(directory: str) -> set[str]:
    return {*erased_digests(directory), *by_others(directory)}


def _is_erased(item: Any, known: set[str]) -> bool:
    name = text_of(item, "id") if isinstance(item, dict) else None
    return name is not None and digest_of(name) in known
