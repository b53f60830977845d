"""Retract an entry or mute a learning: a new entry says that the old one, which stays, does not count."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import CORRECTION_TYPE, text_of
from progress_plugin.log.merge import find_muted
from progress_plugin.log.store import LogResult, read_all_entries
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.text.bounds import NAMED, counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.record import log_entry
from progress_plugin.usecases.sharing import import_shared_entries

MAX_SHOWN_CHARS = 60


def retract(project: Project, ids: Sequence[str], *, reason: str | None, now: datetime) -> LogResult:
    """Append an entry that hides others, also archived ones, from summary and counts. Plans still count.

    Raises BadInput if an id cannot be retracted.
    """
    data = {"retracts": list(dict.fromkeys(ids)), "reason": reason or "retracted"}
    return log_entry(project, CORRECTION_TYPE, now=now, data=data)


def mute(project: Project, named: str, *, every: bool, now: datetime) -> LogResult:
    """Append an entry that hides the learnings in its `data.mutes`. If it is retracted, they are shown again.

    `named` is a part of a learning's text, or the id of an entry, for all its learnings. With `every` all
    learnings that contain the text are muted; without it those that equal the text, else the only one that
    contains it. Raises BadInput if none that is not muted matches, or if it is not clear which one is meant.
    """
    muted = {text for _, texts in muted_by_entries(project) for text in texts}
    own = [entry for entry in read_all_entries(project.log_directory) if text_of(entry, "id") == named]
    matching = [each.text for each in read_own_log(own).log.learnings] if own else _find(project, named)
    found = [text for text in dict.fromkeys(matching) if text not in muted]
    if not found:
        raise BadInput(
            f"nothing was muted: no learning says {one_line(named, MAX_SHOWN_CHARS)!r}, or it is muted; "
            "`agent-progress status --json` and `recall --kind learnings` list them, `mute --list` the muted"
        )
    exact = [text for text in found if _plain(text) == _plain(named)]
    if len(found) > 1 and not (own or exact or every):
        some = "; ".join(one_line(text, MAX_SHOWN_CHARS) for text in found[:NAMED])
        raise BadInput(
            f"nothing was muted: {counted(len(found), 'learning says', 'learnings say')} that; "
            f"name more of one, or add --all: {some}"
        )
    data = {"mutes": found if own or every else exact or found, "reason": "muted"}
    return log_entry(project, CORRECTION_TYPE, now=now, data=data)


def muted_by_entries(project: Project) -> list[tuple[str, list[str]]]:
    """Return the muted learnings with the id of the entry that mutes them, oldest first."""
    import_shared_entries(project)
    return find_muted(read_all_entries(project.log_directory))


def _find(project: Project, named: str) -> list[str]:
    """Return the learnings with a text, each in its merged wording; if there are none, in any wording."""
    if not _plain(named):
        raise BadInput("nothing was muted: name a part of the learning's text")
    facts = read_project(project).facts
    shown = [each.statement.text for each in facts.learnings]
    recorded = [each.text for log in (*facts.inputs.logs, facts.own.log) for each in log.learnings]
    matching = [[text for text in texts if _plain(named) in _plain(text)] for texts in (shown, recorded)]
    return matching[0] or matching[1]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
