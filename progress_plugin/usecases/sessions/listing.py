"""The recorded sessions of a project as a person or an agent asks for them."""

from __future__ import annotations

from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import some_of
from progress_plugin.transcripts.passes_in_later_sessions import note_later_passes
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.requests import asked_for
from progress_plugin.transcripts.session_section import told_lines
from progress_plugin.transcripts.session_store import SessionStore, in_order
from progress_plugin.transcripts.worktree_records import records_of_worktrees
from progress_plugin.usecases.last_session import OFF, last_session, reads_transcripts
from progress_plugin.usecases.sessions.reading_moments import ask_for_all

SHOWN = 10
"""Sessions that are listed where no other number is asked for."""
_OWN = ("version", "keys", "reading", "timeline")
"""What a record holds for its own reading."""


class ListedSession(NamedTuple):
    """One recorded session."""

    id: str
    short: str
    """As much of it as tells the session from the others."""
    client: str
    started: str
    """ISO 8601 in UTC; empty where the transcript tells no time."""
    ended: str
    request: str
    """The first one that says what is to be done: `thanks` and `/compress` do not."""
    changed: int
    """How many files of the project were written."""
    worktree: str
    """The linked worktree that it worked in, as the main one has it; empty for one that worked here."""
    failing: list[str]
    """The checks whose last run failed, here and in later sessions."""


class SessionDetails(NamedTuple):
    """All that is kept of one session."""

    lines: list[str]
    facts: dict[str, Any]


def sessions_of(project: Project, n: int) -> list[ListedSession]:
    """Return the newest `n` recorded sessions, the last one first; BadInput where that is switched off."""
    return [_listed(record) for record in reversed(_records(project))][:n]


def session_of(project: Project, named: str) -> SessionDetails:
    """Return one session by its id or the beginning of it; `last` is the one that a start tells of.

    Where none is worth telling it is the newest.

    Raises BadInput where none or several are meant.
    """
    records = _records(project)
    told = last_session(SessionStore(project).told_records())
    last = [told] if told is not None else records[-1:]
    found = last if named == "last" else _named(records, named)
    if not found:
        raise BadInput(f"no recorded session with the id {named}; `agent-progress sessions` lists them")
    if len(found) > 1:
        names = some_of([each.short for each in found])
        raise BadInput(f"{len(found)} recorded sessions with the id {named}: {names}")
    record = found[0]
    facts = {name: value for name, value in record.as_json().items() if name not in _OWN}
    return SessionDetails(told_lines(record), facts)


def _named(records: list[SessionRecord], named: str) -> list[SessionRecord]:
    whole = [each for each in records if each.session == named]
    return whole or [each for each in records if each.session.startswith(named)]


def _records(project: Project) -> list[SessionRecord]:
    if not reads_transcripts(project):
        raise BadInput(OFF)
    ask_for_all(project)
    own = SessionStore(project).records()
    known = {record.session for record in own}
    others = [record for record in records_of_worktrees(project) if record.session not in known]
    records = in_order([*own, *others])
    note_later_passes(records)
    return [record for record in records if record.is_listed]


def _listed(record: SessionRecord) -> ListedSession:
    return ListedSession(
        record.session,
        record.short,
        record.client,
        record.started,
        record.ended,
        next(iter(asked_for(record.requests)), ""),
        len(record.files),
        record.worktree,
        [run.name for run in record.failing],
    )
