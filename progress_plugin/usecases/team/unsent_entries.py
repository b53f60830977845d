"""Which of our entries the team's server lacks.

An id alone says nothing: whoever may add rows can have put another entry under it. So an entry counts as
there if it stands under our own name, or as it is under another one: a clone that was copied, or got a new
name, does not send again what was sent as somebody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.snapshot import stamp_of
from progress_plugin.log import archive, archive_index, foreign_entry, store
from progress_plugin.log.entry import WRITER, text_of
from progress_plugin.log.recent_entries import headline
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.log.team_double_ids import DoubleId
from progress_plugin.log.team_state import TeamState
from progress_plugin.team import entry_rows
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

_LONGEST = 200


class Unsent(NamedTuple):
    """What is to be sent."""

    entries: list[dict[str, Any]]
    """In the order of the log."""
    lines: dict[str, bytes]
    """How each of them travels, by id."""
    months: dict[str, str]
    """The months of the archive, as they were read."""
    left: list[str]
    """Ids of entries that cannot be sent."""
    double: list[DoubleId]
    """Other entries that the server has under the ids of ours."""


def unsent(directory: str, server: Connection, state: TeamState, writer: str) -> Unsent:
    """Return what the server lacks, and note in the state what it has under other names.

    A month that is as it was when the server had all of it is not opened.
    """
    months, ours = _ours(directory, state)
    left = [text_of(entry, "id") or "(no id)" for entry in ours if not _has_fitting_id(entry)]
    # One id twice in a damaged log is one entry: the first counts, as everywhere.
    by_id = {entry["id"]: entry for entry in reversed(ours) if _has_fitting_id(entry)}
    lacking = entry_rows.lacking(server, state.project, writer, list(by_id))
    state.elsewhere &= {digest_of(name) for name in lacking}
    unknown = {name: by_id[name] for name in lacking if digest_of(name) not in state.elsewhere}
    others = {name: entry for name, entry in unknown.items() if lacking[name]}
    found, double = _elsewhere(server, state.project, others) if others else (set(), [])
    state.elsewhere |= {digest_of(name) for name in found}
    waiting = [by_id[name] for name in reversed(by_id) if name in unknown and name not in found]
    lines = {entry["id"]: foreign_entry.line_of(entry) for entry in waiting}
    left += [name for name, line in lines.items() if line is None]
    sent = {name: line for name, line in lines.items() if line is not None}
    return Unsent([entry for entry in waiting if entry["id"] in sent], sent, months, left, double)


def _ours(directory: str, state: TeamState) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the months of the archive as read, and our entries that the server may lack."""
    months = {}
    items: list[Any] = []
    for name in archive_index.names(directory):
        months[name] = str(stamp_of(f"{directory}/{archive_index.ARCHIVE_FOLDER}/{name}"))
        if state.months.get(name) != months[name]:
            items += archive.read(directory, name)
    items += store.load(directory).items
    return months, [item for item in items if isinstance(item, dict) and WRITER not in item]


def _elsewhere(
    server: Connection, project: str, ours: dict[str, dict[str, Any]]
) -> tuple[set[str], list[DoubleId]]:
    """Return which of our entries stand there under another name, and what else stands under their ids."""
    found: set[str] = set()
    double: list[DoubleId] = []
    for row in entry_rows.elsewhere(server, project, list(ours)):
        told = None if row.body is None else foreign_entry.entry_of(entry_rows.line_in(row.body), dated=False)
        if told is None or (not isinstance(told, str) and foreign_entry.is_same(ours[row.id], told)):
            found.add(row.id)  # one that was blanked was erased: nobody brings it again
        elif foreign_entry.is_writer(row.writer):
            double.append(DoubleId(row.id, row.writer, said_by(told)))
    return found, [each for each in double if each.id not in found]


def said_by(told: dict[str, Any] | str) -> str:
    """Return in one line what a row says, or why it is no entry."""
    return f"it {told}" if isinstance(told, str) else one_line(headline(told), _LONGEST)


def _has_fitting_id(entry: dict[str, Any]) -> bool:
    """Return whether an id can be a row's: PostgreSQL's texts hold neither NUL nor half a character."""
    name = entry.get("id")
    if not isinstance(name, str) or "\0" in name or any("\ud800" <= each <= "\udfff" for each in name):
        return False
    return bool(name.strip()) and len(name.encode()) <= foreign_entry.LONGEST_ID
