"""Disagreement between a plan and the log: told, never settled in silence (S5.4).

That the plan says done and the log is silent is no disagreement: logs begin late and miss things. An entry
counts for a story by its id. But ids start again with every plan, so it does not if it is older than the
plan, if its title has no word in common with the story's, or if the log went on to other plans after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from progress_plugin.model.event import Event
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.findings import listed
from progress_plugin.plans.naming import may_concern, normalised

_OPEN = (Status.PENDING, Status.ACTIVE, Status.BLOCKED, Status.FAILED)
_DAY = len("2026-01-01")


def between(plan: Plan, events: Sequence[Event]) -> tuple[str, ...]:
    """Return at most four sentences on where plan and log disagree; ``events`` come oldest first.

    Of several entries on a story the last one counts. Stories are listed by the first five ids.
    """
    last = _last_words(plan, _since_other_plans(plan, events))
    done = [story.id for story in plan.stories if last.get(story.id) is Status.DONE and story.status in _OPEN]
    stuck = {
        status: [
            story.id for story in plan.stories if last.get(story.id) is status and story.status is Status.DONE
        ]
        for status in (Status.BLOCKED, Status.FAILED)
    }
    sentences = [_sentence(done, "done in the log, not in the plan")]
    sentences += [_sentence(ids, f"done in the plan, {status} in the log") for status, ids in stuck.items()]
    return tuple(sentence for sentence in [*sentences, _unplanned(plan, events)] if sentence)


def _last_words(plan: Plan, events: Iterable[Event]) -> dict[str, Status]:
    stories = {story.id: story for story in plan.stories}
    return {
        name: event.status
        for event in events
        if _may_concern(event, plan)
        for name in event.stories
        if name in stories and _same_story(event, stories[name])
    }


def _may_concern(event: Event, plan: Plan) -> bool:
    older = event.when is not None and plan.started is not None and event.when[:_DAY] < plan.started[:_DAY]
    return not older and may_concern(plan, event.spec)


def _same_story(event: Event, story: Story) -> bool:
    # A heading with several ids has one title for all of them, and many logs have no titles at all.
    if event.title is None or len(event.stories) > 1:
        return True
    words, planned = set(normalised(event.title).split()), set(normalised(story.title).split())
    return not words or not planned or bool(words & planned)


def _since_other_plans(plan: Plan, events: Sequence[Event]) -> Sequence[Event]:
    """Return the events behind the last one of another plan, in a log that tells more of others than of this.

    Where unplanned stories are few they are additions to this plan, which end nothing.
    """
    planned = _planned(plan)
    foreign = [
        place for place, event in enumerate(events) if event.stories and planned.isdisjoint(event.stories)
    ]
    names = {name for place in foreign for name in events[place].stories}
    return events[foreign[-1] + 1 :] if len(names) > len(plan.stories) else events


def _planned(plan: Plan) -> set[str]:
    parts = (part.id for story in plan.stories for part in story.subtasks)
    return {story.id for story in plan.stories}.union(parts)


def _unplanned(plan: Plan, events: Iterable[Event]) -> str:
    planned = _planned(plan)
    named = (name for event in events if _may_concern(event, plan) for name in event.stories)
    missing = list(dict.fromkeys(name for name in named if name not in planned))
    return f"{len(missing)} in the log, not in the plan: {listed(missing)}" if missing and planned else ""


def _sentence(ids: Sequence[str], what: str) -> str:
    return f"{what}: {listed(ids)}" if ids else ""
