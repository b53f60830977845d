"""What is to be erased, as far as a team's server and the clones of others have it.

Nobody of ours changes a row there, so this only says who has it and what blanks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.core.project import Project
from progress_plugin.log import team_memory, team_state
from progress_plugin.log.erasure import EntryTarget, ErasureTarget
from progress_plugin.log.foreign_entry import stored_line_of
from progress_plugin.log.history import everything
from progress_plugin.log.team_memory import TeamMemory
from progress_plugin.memory.erasure import Holder
from progress_plugin.memory.progress_document import as_hoofy_spells, topic_key

_TOLD = (
    "the team's server has the entry, and so have clones that took it in: the sync after it is erased here "
    "tells them, and `sync`, `verify` and `doctor` name it there until it is erased there"
)
_NOT_TOLD = (
    "the team's server has what was sent of it, and so have clones that took it in: no erase here changes "
    "that; repeat it in each of them"
)
_MEMORY = "the next sync sends what is left of it; "


def team_copies(
    project: Project, target: ErasureTarget, names: Sequence[str], database: str, rows: Sequence[Holder]
) -> list[str]:
    """Say what a team has of it and which SQL blanks it there; nothing where this clone takes no part.

    `names` are those of the project, `rows` the observations of the `database` that hold it. To be asked
    before anything is erased here.
    """
    state = team_state.load(project.log_directory)
    if state is None:
        return []
    memory = team_memory.load(project.log_directory, (database, state.server, state.project))
    entries = _entries(project.log_directory, target)
    observations = sorted(name for name, shared in memory.shared.items()
                          if shared.row in {row.id for row in rows})  # fmt: skip
    documents = list(_documents(memory, names, rows))
    if not (entries or observations or documents):
        return []
    said = [_TOLD if isinstance(target, EntryTarget) else _NOT_TOLD]
    if entries:
        said.append(_blanked("entry", state.project, f"id in {_list(entries)}"))
    if observations:
        said.append(_MEMORY + _blanked("observation", state.project, f"id in {_list(observations)}"))
    said += [_MEMORY + _blanked("document", state.project, condition) for condition in documents]
    return said


def _entries(directory: str, target: ErasureTarget) -> list[str]:
    if isinstance(target, EntryTarget):
        return [target.name]
    lines = ((str(entry.get("id")), stored_line_of(entry)) for entry in everything(directory))
    return [name for name, line in lines if line is not None and target.count(line)]


def _documents(memory: TeamMemory, names: Sequence[str], rows: Sequence[Holder]) -> Iterator[str]:
    """Yield for each document of the team's that holds it which of its revisions may.

    The newest one stays where it does not: it is what all others go on with.
    """
    for key, mark in memory.documents.items():
        topics = {topic_key(name, key or None) for name in names}
        topics |= {as_hoofy_spells(topic) for topic in topics}
        held = {row.id for row in rows if row.topic and row.topic.partition("@")[0] in topics}
        if held:
            last = mark.revision if mark.row in held else mark.revision - 1
            yield f"id in {_list(f'{key} {revision}' for revision in range(1, last + 1))}"


def _blanked(kind: str, project: str, condition: str) -> str:
    """Return who blanks rows, and by which statement: it is printed for them, and never run by us."""
    statement = "update agent_progress.log set body = null"
    where = f"where project = {_text(project)} and kind = '{kind}' and {condition};"
    return f"on the server a member of agent_progress_eraser blanks it: {statement} {where}"


def _list(ids: Iterable[str]) -> str:
    return f"({', '.join(map(_text, ids))})"


def _text(value: str) -> str:
    """Return a text as SQL has it, whatever is in it."""
    quoted = value.replace("'", "''")
    return f"E'{quoted.replace(chr(92), chr(92) * 2)}'" if "\\" in quoted else f"'{quoted}'"
