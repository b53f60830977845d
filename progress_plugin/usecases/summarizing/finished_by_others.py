"""Which stories other clones have finished that the plan here has open (S20.6).

When plan and log disagree otherwise is decided in `plans.plan_log_mismatch`.
"""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.model.claim import Claim
from progress_plugin.model.event import Event, is_elsewhere
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.baseline import once_done
from progress_plugin.plans.plan_log_mismatch import finished_by_others
from progress_plugin.summary.summary_input import ForeignCompletion
from progress_plugin.usecases.summarizing.open_blockers import telling_events
from progress_plugin.usecases.summarizing.sources import Sources


def completions_by_others(
    sources: Sources, events: Sequence[Event], attribution: Attribution | None, claims: Sequence[Claim]
) -> tuple[ForeignCompletion, ...]:
    """Return what other clones finished and the leading plan has open (S20.6).

    Not what this clone has claimed since: somebody here does it once more, knowing that.
    """
    lead = sources.lead
    if lead is None or attribution is None:
        return ()
    found = finished_by_others(
        lead, telling_events(sources, events), attribution, once_done(sources.project.root, lead)
    )
    ours = {claim.key: claim.since for claim in claims if claim.writer is None}
    return tuple(
        ForeignCompletion(
            story,
            event.writer or "",
            event.when,
            event.branch if is_elsewhere(event.branch, sources.branch) else None,
            event.entry,
        )
        for story, event in found.items()
        if ours.get(story.casefold(), "") <= (event.when or "")
    )
