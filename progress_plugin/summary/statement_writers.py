"""Who said what a summary may tell besides, and where, where its line has to name that.

That is another clone, or another branch whose plan may have the same ids.
"""

from collections.abc import Sequence

from progress_plugin.summary.next_work import names_in
from progress_plugin.summary.recent_stories import name_of
from progress_plugin.summary.summary_candidate import EARLIER, ENDS, RECENT, SummaryCandidate
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.view_model import RecentStory
from progress_plugin.text.safe_output import one_line

_BRANCH = 90


def with_writers(
    offers: Sequence[SummaryCandidate], facts: Facts, recent: Sequence[RecentStory]
) -> list[SummaryCandidate]:
    """Return what may be told, each with the clone that said it where its heading names another."""
    events = {(event.source, event.position): event for event in facts.events}
    found = []
    for offer in offers:
        said = offer.passage
        event = events.get((said.source, said.entry)) if said is not None else None
        heading = recent[offer.item].by if offer.section == RECENT else ""
        found.append(offer._replace(by=name_of(event, heading)) if event is not None else offer)
    return found


def with_branches(offers: Sequence[SummaryCandidate], facts: Facts) -> list[SummaryCandidate]:
    """Return what may be told, with its branch what names a story here and may mean another plan's."""
    attribution = facts.attribution
    if attribution is None or facts.lead is None:
        return list(offers)
    ids = {story.id.casefold().strip(".-#") for story in facts.lead.stories if not story.positional}
    elsewhere = {
        (event.source, event.position): one_line(event.branch, _BRANCH)
        for event in facts.events
        if event.branch and not attribution.speaks_of_stories(event)
    }
    found = []
    for offer in offers:
        said = offer.passage if offer.section in (EARLIER, ENDS) else None
        branch = elsewhere.get((said.source, said.entry)) if said is not None else None
        is_unclear = branch is not None and not ids.isdisjoint(names_in(offer.text))
        found.append(offer._replace(text=f"{offer.text} (on branch {branch})") if is_unclear else offer)
    return found
