"""Items that others work on: shown with who does, and not offered as the next."""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.model.claim import Claim
from progress_plugin.model.status import Status
from progress_plugin.model.work import PlanDocument, Report
from progress_plugin.state.matching import all_items


def note_claims(plans: Sequence[PlanDocument], claims: Sequence[Claim]) -> None:
    """Note at each item of the leading plan who claims it. What another clone claims is not offered here."""
    held = {claim.key: claim for claim in claims}
    for item in (item for plan in plans[:1] for item in all_items(plan.items)):
        claim = held.get((item.id or item.title).casefold())
        if claim is None:
            continue
        item.reports.append(Report(Status.ACTIVE, f"claimed by {claim.by}", item.source))
        if claim.writer:
            item.agent, item.is_offered = claim.writer, False
