"""Which other clone said what a summary may tell besides, where its line has to name that (S20.2).

In which words it is named is decided in `summary.recent_stories` (`name_of`, `with_name`).
"""

from collections.abc import Sequence

from progress_plugin.summary.optional_statements import RECENT, SummaryCandidate
from progress_plugin.summary.recent_stories import name_of
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.view_model import RecentStory


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
