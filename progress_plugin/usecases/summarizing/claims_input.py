"""Which claims hold now: the team's, as the last sync saw them, and those that the log itself makes.

A lease ends by the clock, so this is the one part of a summary that asks for the time; what is printed of it
says until when it holds.
"""

from __future__ import annotations

from datetime import UTC, datetime

from progress_plugin.log import claims, team_state
from progress_plugin.log.entry import text_of
from progress_plugin.log.events import planned_as
from progress_plugin.model.claim import Claim
from progress_plugin.plans.attribution import Attribution
from progress_plugin.usecases.summarizing.sources import Sources


def current_claims(
    sources: Sources, attribution: Attribution | None, now: datetime | None = None
) -> list[Claim]:
    """Return the claims that hold, the oldest first; the file of the team's is an input of the summary.

    Of those that the log itself makes none is on a story of another plan: ids begin again with every plan.
    """
    directory = sources.project.log_directory
    path = team_state.path_of(directory, claims.CLAIMS)
    # Only a member reads it: a record of its absence would cost every start of everybody a stat.
    data = sources.inputs.read_users(path) if team_state.load(directory) is not None else None
    entries = [
        entry
        for entry in sources.log.entries
        if attribution is None or attribution.can_be_ours(planned_as(entry), text_of(entry, "branch"))
    ]
    return claims.current(data, entries, now or datetime.now(UTC))
