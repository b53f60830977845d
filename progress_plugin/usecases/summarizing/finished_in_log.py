"""Which stories a team has finished that the plan here has open, whichever clone it was."""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.model.claim import Claim
from progress_plugin.model.event import Event
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.baseline import once_done
from progress_plugin.plans.plan_log_mismatch import finished_in_log
from progress_plugin.summary.summary_input import LoggedCompletion
from progress_plugin.usecases.summarizing.open_blockers import resolved_blockers, telling_events
from progress_plugin.usecases.summarizing.sources import Sources


def completions_in_log(
    sources: Sources, events: Sequence[Event], attribution: Attribution | None, claims: Sequence[Claim]
) -> tuple[LoggedCompletion, ...]:
    """Return what this clone and others finished and the leading plan has open.

    Not what this clone has claimed since: somebody here does it once more, knowing that.
    """
    lead = sources.lead
    if lead is None or attribution is None:
        return ()
    found = finished_in_log(
        lead,
        telling_events(events, resolved_blockers(sources, events)),
        attribution,
        once_done(sources.project.root, lead),
    )
    ours = {claim.key: claim.since for claim in claims if claim.writer is None}
    return tuple(
        LoggedCompletion(
            story,
            event.writer,
            event.when,
            event.branch if event.is_elsewhere(sources.branch) else None,
            event.entry,
        )
        for story, event in found.items()
        if ours.get(story.casefold(), "") <= (event.when or "")
    )
