"""Claims of the log as this clone begins to take part: each becomes a lease, or is taken back.

Everybody sees such a claim, since the log travels, while the server gives the story to whoever asks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from progress_plugin.core.project import Project
from progress_plugin.log import claims, store
from progress_plugin.log.begun_stories import session_mark
from progress_plugin.log.entry import CLAIM, CLAIM_TYPE, WRITER, data_of, text_of
from progress_plugin.log.supplements import effective
from progress_plugin.log.timestamp import moment
from progress_plugin.model.claim import Claim
from progress_plugin.team import claim_rows
from progress_plugin.usecases.recording.log_entry import log_entry

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection


def lease_logged(project: Project, server: Connection, key: str, writer: str) -> list[str]:
    """Claim on the server what this clone claims by its log, take it back there, and return notes.

    The server alone says who holds a story from then on; what another one holds is named. Caller holds
    `sync_lock`. A kill in between leaves the lease, and the next call finds it as this clone's.
    """
    now = datetime.now(UTC)
    entries = effective(store.load(project.log_directory).entries)
    notes = []
    for claim in claims.current(None, entries, now):
        until = moment(claim.until)
        if claim.writer is not None or until is None:
            continue
        holder = claim_rows.Holder(writer, session_mark(_session(claim, entries)))
        held = claim_rows.claim(server, key, claim.story, holder, until - now).claim
        if held.writer is None:
            notes.append(f"{claim.story} is claimed on the team's server now, until {held.until}")
            told = "Claimed on the team's server from now on"
        else:
            notes.append(
                f"{claim.story} is no claim of this clone any more: {held.writer} holds it until {held.until}"
            )
            told = f"Released: {held.writer} claims it on the team's server"
        log_entry(project, CLAIM_TYPE, now=now, task_id=claim.story, description=told,
                  data={CLAIM: {"released": True}})  # fmt: skip
    return notes


def _session(claim: Claim, entries: Iterable[dict[str, Any]]) -> str | None:
    """Return the client's session that claimed it last, which may renew it."""
    *_, last = [None, *(text_of(data_of(entry), "session_id") for entry in _claiming(claim, entries))]
    return last


def _claiming(claim: Claim, entries: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        is_of_it = (text_of(entry, "task_id") or "").casefold() == claim.key
        if is_of_it and WRITER not in entry and isinstance(data_of(entry).get(CLAIM), dict):
            yield entry
