"""Which entries are known as erased: no copy, branch or clone is to bring them again.

What was erased here is kept in the private state of the project, which no repository can bring. What others
say, by git and on the team's server, counts for entries of others only: nothing from elsewhere takes an entry
out of a log. `sync`, `verify` and `doctor` name it, and the user erases it. Entries are named by digests of
their ids.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.log import backup, shared_entries, team_state
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.log.history import everything
from progress_plugin.log.shared_entries import digest_of
from progress_plugin.text.bounds import some_of

ERASED_FILE = "erased"  # a line per entry: its digest, and the writer whose it is if others say so
TEAM_FILE = f"{team_state.FOLDER}/erased"  # what the team has erased, as the last sync saw it
ANY_WRITER = "*"
MAX_LINES_OF_OTHERS = 20_000
MAX_COMMANDS = 3  # that are written out; the next call names the rest


class KnownErasures(NamedTuple):
    """The entries that are known as erased, by digests of their ids."""

    own: frozenset[str]  # erased here, by any writer
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
    others = {(digest, ANY_WRITER) for digest in read_team(directory)}
    others |= shared_entries.erasures(shared or directory)
    earlier = [os.path.join(folder, ERASED_FILE) for folder in backup.folders_of_path(directory)]
    for path in (state_file(root_of(directory), ERASED_FILE), *earlier):  # the latter of earlier versions
        for line in _read_lines(path):
            match line.split():
                case [digest]:
                    own.add(digest)
                case [digest, writer]:
                    others.add((digest, writer))
    return KnownErasures(frozenset(own), frozenset(others))


def remember(directory: str, shared: str | None = None, *, own: str | None = None) -> None:
    """Note what others say now, for when their branch is not checked out, and the digest of an `own` erasure.

    Caller holds the lock. Raises as `write_atomic`.
    """
    known = read(directory, shared)
    lines = sorted(known.own | {own} if own else known.own)
    lines += [*map(" ".join, sorted(known.others)[:MAX_LINES_OF_OTHERS])]
    if lines and lines != _read_lines(state_file(root_of(directory), ERASED_FILE)):
        path = os.path.join(make_state_directory(root_of(directory)), ERASED_FILE)
        write_atomic(path, "".join(f"{line}\n" for line in lines).encode(), private=True)


def read_team(directory: str) -> dict[str, str]:
    """Return the digests of the ids that the team has erased, each with the writer who erased it."""
    digests = team_state.json_of(team_state.read(directory, TEAM_FILE)).get("digests")
    return digests if isinstance(digests, dict) else {}


def save_team(directory: str, digests: Mapping[str, str]) -> None:
    """Keep which entries the team has erased. The caller holds `sync_lock`. Raises as `write_atomic`."""
    team_state.put(directory, TEAM_FILE, json.dumps({"digests": digests}).encode())


def erased_by_others(directory: str) -> dict[str, str]:
    """Return the ids of the entries of our log that others have erased, oldest first, with who says so."""
    by_git, by_team = shared_entries.erasures(directory), read_team(directory)
    found: dict[str, str] = {}
    for entry in everything(directory) if by_git or by_team else ():
        name, writer = text_of(entry, "id"), writer_of(entry)
        digest = digest_of(name) if name else ""
        says = by_team.get(digest) or (writer if (digest, writer) in by_git else None)
        if name and says is not None:
            found[name] = says
    return found


def sentence(here: Mapping[str, str]) -> str:
    """Return that this log has entries which the team has erased."""
    writers = some_of(sorted(set(here.values())))
    return f"erased by the team ({writers} says so), and in this log still: {some_of(list(here))}"


def commands(ids: Iterable[str], root: str | None = None) -> str:
    """Return the commands that erase these entries, one each; `root` is that of another worktree."""
    program = f"agent-progress -C {shlex.quote(root)}" if root else "agent-progress"
    return "; ".join(f"`{program} erase {shlex.quote(name)} --yes`" for name in [*ids][:MAX_COMMANDS])


def _read_lines(path: str) -> list[str]:
    try:
        return (read_inside(None, path) or b"").decode("ascii", "replace").splitlines()
    except BadInput:
        return []
