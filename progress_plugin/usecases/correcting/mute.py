"""Mute a learning, whichever log has it: `data.mutes` of an entry holds its text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import text_of
from progress_plugin.log.history import everything
from progress_plugin.log.merge import effective, find_muted, retracted
from progress_plugin.selection.muted import Muted
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.text.bounds import NAMED, counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.correcting.retract import TYPE
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.recording.append import Logged
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.sharing import take_in_latest

MAX_SHOWN_CHARS = 60


def mute(project: Project, named: str, *, every: bool, now: datetime, session: str | None) -> Logged:
    """Append an entry whose `data.mutes` holds the learnings meant; `retract` of it shows them again.

    `named` is a part of a learning's text, or the id of an entry: all its learnings then. With `every` all
    learnings with that text are meant, else it must be one, or those whose whole text it is. `now` carries
    its zone. Raises BadInput if none or several match, and what `log_entry` raises; nothing is written then.
    """
    take_in_latest(project)
    texts = _of_entry(project, named) or _matching(project, named, every=every)
    return log_entry(project, TYPE, now=now, data={"mutes": texts, "reason": "muted"}, session=session)


def muted_by_entries(project: Project) -> list[tuple[str, list[str]]]:
    """Return what is muted, oldest first: the id of each entry that mutes something, with the learnings."""
    take_in_latest(project)
    return find_muted(everything(project.log_directory))


def _of_entry(project: Project, named: str) -> list[str]:
    entries = [entry for entry in everything(project.log_directory) if text_of(entry, "id") == named]
    texts = [learning.text for learning in read_own_log(entries).log.learnings]
    if entries and not texts:
        raise BadInput(f"nothing was muted: the entry {named} tells no learning")
    return _unmuted(texts, find_muted(everything(project.log_directory))) if entries else []


def _unmuted(texts: list[str], muted: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Return the learnings that are not muted. Raises BadInput if all of them are."""
    by = {text: id_ for id_, found in muted for text in found}
    left = [text for text in texts if text not in by]
    if texts and not left:
        ids = " ".join(dict.fromkeys(by[text] for text in texts))
        raise BadInput(
            f"nothing was muted: that is muted already; `agent-progress retract {ids}` shows it again"
        )
    return left


def _matching(project: Project, named: str, *, every: bool) -> list[str]:
    wanted = _plain(named)
    if not wanted:
        raise BadInput("nothing was muted: name a part of the learning's text")
    found = [text for text in _learnings(project, named) if wanted in _plain(text)]
    exact = [text for text in found if _plain(text) == wanted]
    if not found:
        muted = find_muted(everything(project.log_directory))
        _unmuted([text for _, texts in muted for text in texts if wanted in _plain(text)], muted)
        raise BadInput(
            f"nothing was muted: no learning says {one_line(named, MAX_SHOWN_CHARS)!r}; "
            "`agent-progress status --json` and `recall --kind learnings` list them"
        )
    if len(found) > 1 and not exact and not every:
        some = "; ".join(one_line(text, MAX_SHOWN_CHARS) for text in found[:NAMED])
        raise BadInput(
            f"nothing was muted: {counted(len(found), 'learning says', 'learnings say')} that; "
            f"name more of one, or add --all: {some}"
        )
    return found if every else exact or found


def _learnings(project: Project, named: str) -> list[str]:
    """Return the learnings of plans and logs; if none of them says it, all statements of the history."""
    facts = read_project(project).facts
    texts = [each.statement.text for each in facts.learnings]
    if any(_plain(named) in _plain(text) for text in texts):
        return texts
    entries = everything(project.log_directory)
    own = read_own_log(effective(entries, retracted(entries))).log
    said = [each.text for each in own.learnings]
    said += [each.text for log in (*facts.inputs.logs, own) for each in log.statements]
    muted = Muted(facts.own.muted)
    return [text for text in dict.fromkeys(said) if not muted.hides(text)]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
