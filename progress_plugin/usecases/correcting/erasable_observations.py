"""The observations of the user's memory that hold what is to be erased.

The files that are searched are in `usecases.correcting.erasable_files`, those that git carries, in
`usecases.correcting.shared_erasure`.

A database of ours is rewritten, for whatever project an observation was saved: what leaked once is leaked.
One of Hoofy or engram is named.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.paths import database_path
from progress_plugin.log.erasure import ErasureTarget, TextTarget
from progress_plugin.memory import database, erasure
from progress_plugin.memory.erasure import Holder
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.correcting.erasable_files import KeptFile

if TYPE_CHECKING:
    from progress_plugin.usecases.correcting.erase import Erased


class MemoryHolders:
    """What the memory database holds of a target; nothing where there is no database, or of an entry's id."""

    def __init__(self, target: ErasureTarget, names: Iterable[str]) -> None:
        """Look for it. `names` are those of the project at work.

        Raises BadInput where a document would be JSON no longer without it.
        """
        self.remaining: list[str] = []
        self.count = 0
        """How often it occurs where it can be taken out."""
        self._names = set(names)
        self.rows: list[Holder] = []
        """The observations that hold it, whosever the database is."""
        self.path = ""
        """Of the database; empty where it was not looked at."""
        self._text = target
        if isinstance(target, TextTarget):
            self._look(target)

    def _look(self, text: TextTarget) -> None:
        try:
            path = database_path()
            if path is None or not os.path.exists(path):
                return
            self.path = path
            self.rows, broken, own = database.glance(path, lambda memory: _held(memory, text))
        except AgentProgressError as error:
            self.remaining.append(f"the memory database was not looked at: {error}")
            return
        rows = some_of([str(row.id) for row in self.rows])
        if not own:
            if rows:
                told = f"{path} holds it in the observations {rows}: that database is another program's"
                self.remaining.append(told)
            return
        if broken is not None:
            raise BadInput(
                f"nothing was erased: this matches the structure of observation {broken}; name more of it"
            )
        self.count = sum(row.times for row in self.rows) or _freed(path, text)
        named = some_of([str(row.id) for row in self.rows if row.is_named])
        if named:
            self.remaining.append(f"{path} holds it in the project or topic of observations: {named}")

    def take_out(self) -> None:
        """Take it out of every row, and of the parts of the file that were freed."""
        if not self.count or not isinstance(self._text, TextTarget):
            return
        try:
            with database.writing(self.path) as store:
                erasure.take_out(store, self._text.without_in)
            database.overwrite_freed(self.path)
        except AgentProgressError as error:
            self.remaining.append(f"the memory database may hold it still: {error}; then repeat this")

    def add_to(self, done: Erased) -> Erased:
        """Say in an answer what was found here."""
        if self.count:
            done.found[self.path] = self.count
        others = sorted({row.project for row in self.rows if row.project and row.times} - self._names)
        if others and self.count:
            done.notes.append(
                f"the memory held it for other projects, too ({some_of(others)}): repeat this in them, "
                "whose own files may hold it"
            )
        return done


def _held(memory: database.Store, text: TextTarget) -> tuple[list[Holder], int | None, bool]:
    broken = erasure.broken_by(memory, text.without_in) if memory.own else None
    return erasure.holders(memory, text.count_in), broken, memory.own


def _freed(path: str, text: TextTarget) -> int:
    """Return 1 where no row holds it and the file does: a process held it when the row was changed."""
    files = (KeptFile(path + ending, None).read() for ending in ("", "-wal"))
    return int(any(text.count_in(data.decode("utf-8", "replace")) for data in files if data))
