"""What holds today of the stories and blockers that the history speaks of (S18.7).

Statuses and open blockers are those that `status` tells; what becomes of them beside a hit is decided in
`recall.standing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from progress_plugin.core.caches.persistent_memo import Memo
from progress_plugin.log.entry import text_of
from progress_plugin.log.events import events
from progress_plugin.model.event import STORY_TYPES, Event
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.story_status import with_blockers
from progress_plugin.recall.standing import PresentState, StoryToday, state_of
from progress_plugin.usecases.summarizing.gather import OUR_LOG
from progress_plugin.usecases.summarizing.open_work import attribution_of, open_blockers
from progress_plugin.usecases.summarizing.sources import Sources


def present(sources: Sources, memo: Memo | None = None) -> tuple[PresentState, tuple[Plan, ...]]:
    """Return what holds today, and the plans, the leading one's stories blocked as our log says."""
    told = events(sources.log, OUR_LOG, memo)
    blockers = open_blockers(sources, attribution_of(sources, told))
    issues = {each.story: each.issue for each in blockers if each.story is not None}
    plans = tuple(
        plan._replace(stories=_blocked(plan, issues)) if plan is sources.lead and issues else plan
        for plan in sources.plans
    )
    planned = [
        StoryToday(story.id, story.title, story.status.value, plan.path)
        for plan in plans
        for story in plan.stories
        if not story.positional
    ]
    unresolved = [text_of(entry, "id") or "" for entry in sources.log.blockers()]
    known = {story.id.casefold() for story in planned}
    stories = [*planned, *_unplanned(told, known, frozenset(each.task for each in blockers))]
    return state_of(stories, (each.id for each in blockers), unresolved), plans


def _blocked(plan: Plan, issues: dict[str, str]) -> tuple[Story, ...]:
    """Return a plan's stories with those blocked that our log blocks; why, is told where the log says it."""
    own = {story.id: story.issue for story in plan.stories}
    return tuple(story._replace(issue=own[story.id]) for story in with_blockers(plan.stories, issues))


def _unplanned(
    told: Sequence[Event], planned: set[str], blocked: frozenset[str | None]
) -> Iterator[StoryToday]:
    """Yield the stories that no plan has: of what our log says of them the last word counts."""
    last: dict[tuple[str, str], StoryToday] = {}
    for event in told:
        for name in event.stories if event.type in STORY_TYPES else ():
            is_over = event.status is Status.BLOCKED and name not in blocked
            status = Status.ACTIVE if is_over else event.status
            key = ((event.spec or "").casefold(), name.casefold())
            last[key] = StoryToday(name, event.title or "", status.value, "")
    # One id that several specs have is told of none.
    times = Counter(name for _, name in last)
    yield from (each for (_, name), each in last.items() if name not in planned and times[name] == 1)
