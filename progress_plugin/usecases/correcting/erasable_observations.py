"""The observations of the memory that hold a text to be erased, of any project."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import database_path
from progress_plugin.memory import database, observations
from progress_plugin.memory.observations import Holder
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.correcting.erasable_text import Target, TextTarget


@dataclass
class MemoryHolders:
    """What the memory database holds of a text."""

    path: str = ""
    rows: list[Holder] = field(default_factory=list)
    count: int = 0  # how often it can be taken out
    remaining: list[str] = field(default_factory=list)

    def notes(self, names: Iterable[str]) -> list[str]:
        """Return for which projects other than these `names` the memory holds it."""
        others = sorted({row.project for row in self.rows if row.project and row.times} - set(names))
        if not others or not self.count:
            return []
        where = some_of(others)
        return [f"the memory held it for other projects, too ({where}): repeat this in them"]


def find_in_memory(target: Target) -> MemoryHolders:
    """Return what holds a text. Raises BadInput if a document would be JSON no longer without it."""
    found = MemoryHolders()
    if not isinstance(target, TextTarget):
        return found
    text = target
    try:
        path = database_path()
        if path is None or not database.has_database(path):
            return found
        found.path = path
        with database.reading(path) as db:
            broken = observations.find_broken(db, lambda content: text.erase_in(content)[0])
            found.rows = observations.find_holders(db, text.count_in)
    except AgentProgressError as error:
        found.remaining.append(f"the memory database was not looked at: {error}")
        return found
    if broken is not None:
        raise BadInput(
            f"nothing was erased: this matches the structure of observation {broken}; name more of it"
        )
    found.count = sum(row.times for row in found.rows) or _freed(path, text)
    named = some_of([str(row.id) for row in found.rows if row.is_named])
    if named:
        found.remaining.append(f"{path} holds it in the project or topic of observations: {named}")
    return found


def take_out(target: Target, found: MemoryHolders) -> None:
    """Take a text out of every row, and of the parts of the file that were freed."""
    if not found.count or not isinstance(target, TextTarget):
        return
    try:
        with database.writing(found.path) as db:
            observations.erase(db, lambda text: target.erase_in(text)[0])
        database.overwrite_freed(found.path)
    except AgentProgressError as error:
        found.remaining.append(f"the memory database may hold it still: {error}; then repeat this")


def _freed(path: str, text: TextTarget) -> int:
    """Return 1 if no row holds it and the file does: a process held it when the row was changed."""
    files = (read_inside(None, path + ending) for ending in ("", "-wal"))
    return int(any(text.count_in(data.decode("utf-8", "replace")) for data in files if data))
