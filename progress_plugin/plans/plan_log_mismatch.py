"""Disagreement between a plan and the log: reported, never settled in silence.

That the plan says done or blocked and the log is silent is no disagreement: logs begin late and miss things.
Ids and states decide, whatever the titles say. But ids start again with every plan, so an entry does
not count if it was written for another one (`attribution`), if it is older than the plan, or if the log went
on to other plans after it. And what was finished on another branch is not finished here: no disagreement.

What was finished in a team while the plan here has not heard of it is no disagreement either: that edit
of the plan is on its way (`finished_in_log`).
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from progress_plugin.model.event import Event
from progress_plugin.model.status import OPEN, Status
from progress_plugin.model.story import Plan
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.baseline import own_status
from progress_plugin.plans.plan_problems import listed

_DAY = len("2026-01-01")
_NOT_OVER = frozenset({Status.DONE, Status.FAILED, Status.BLOCKED})
"""Last words on a story that say something else of it than that its blockers are over."""


def finished_in_log(
    plan: Plan, events: Sequence[Event], attribution: Attribution, reopened: Container[str]
) -> dict[str, Event]:
    """Return by story id the completion that is the last word on a story that is open here, by any clone.

    ``events`` come oldest first, on whichever branch: who finished a story will merge it. ``reopened`` are
    the stories that the plan here called done before: it is open again since somebody said so.
    """
    begun = [event for event in events if not _is_older(event, plan)]
    told = begun[_last_of_other_plans(plan, begun, _unplanned_names(begun, attribution)) :]
    last = {story.id: event for event in told for story in attribution.stories(event)}
    return {
        story.id: last[story.id]
        for story in plan.stories
        if story.status in OPEN
        and story.id in last
        and last[story.id].status is Status.DONE
        and story.id not in reopened
    }


def between(  # noqa: PLR0913, PLR0917 - what both sides say, and what explains it
    plan: Plan,
    events: Sequence[Event],
    attribution: Attribution,
    branch: str | None = None,
    explained: Container[str] = (),
    resolved: Sequence[Event] = (),
    *,
    has_archive: bool = False,
) -> tuple[str, ...]:
    """Return at most five sentences on where plan and log disagree; ``events`` come oldest first.

    Of several entries on a story the last one counts. Stories are listed by the first five ids. ``branch`` is
    what is checked out, ``explained`` are the stories of `finished_in_log`. ``resolved`` are the blockers
    that the log itself calls over, which are none of ``events``. ``has_archive`` is whether the log has older
    entries, which are not asked for stories that no plan has: there may be tens of thousands.
    """
    here = [event for event in events if not event.is_elsewhere(branch)]
    told = [event for event in here if not _is_older(event, plan)]
    names = _unplanned_names(told, attribution)
    words = told[_last_of_other_plans(plan, told, names) :]
    last = _last_words(attribution, words)
    done = [
        story.id
        for story in plan.stories
        if last.get(story.id) is Status.DONE and story.status in OPEN and story.id not in explained
    ]
    stated = _last_words(attribution, [event for event in words if not event.is_inferred])
    stuck = {
        status: [
            story.id
            for story in plan.stories
            if last.get(story.id) is stated.get(story.id) is status and story.status is Status.DONE
        ]
        for status in (Status.BLOCKED, Status.FAILED)
    }
    unblocked = {
        story.id
        for event in resolved
        if not event.is_elsewhere(branch) and not _is_older(event, plan)
        for story in attribution.stories(event)
        if own_status(story) is Status.BLOCKED and last.get(story.id) not in _NOT_OVER
    }
    over = [story.id for story in plan.stories if story.id in unblocked]
    sentences = [_sentence(done, "done in the log, open in the plan")]
    sentences += [_sentence(ids, f"done in the plan, {status} in the log") for status, ids in stuck.items()]
    sentences.append(_sentence(over, "blocked in the plan, resolved in the log"))
    return tuple(
        sentence for sentence in [*sentences, _unplanned(plan, names, has_archive=has_archive)] if sentence
    )


def done_elsewhere(
    plan: Plan,
    events: Sequence[Event],
    attribution: Attribution,
    branch: str | None,
    explained: Container[str] = (),
) -> tuple[str, ...]:
    """Return a sentence per other branch whose entries finished stories that the plan has open.

    What somebody calls finished here as well is told by `between`. ``explained`` are the stories of
    `finished_in_log`.
    """
    last = _last_words(attribution, [event for event in events if not event.is_elsewhere(branch)])
    still_open = {
        story.id
        for story in plan.stories
        if story.status in OPEN and story.id not in explained and last.get(story.id) is not Status.DONE
    }
    found: dict[str, dict[str, None]] = {}
    for event in events:
        if event.branch and event.is_elsewhere(branch) and event.status is Status.DONE:
            stories = [story.id for story in attribution.stories(event) if story.id in still_open]
            for name in (event.branch, *event.also_on) if stories else ():
                found.setdefault(name, {}).update(dict.fromkeys(stories))
    return tuple(f"done on branch {name}, not here: {listed(list(ids))}" for name, ids in found.items())


def _last_words(attribution: Attribution, events: Sequence[Event]) -> dict[str, Status]:
    return {story.id: event.status_of(story.id) for event in events for story in attribution.stories(event)}


def _is_older(event: Event, plan: Plan) -> bool:
    """Return whether an entry that names no plan was written before this one was begun."""
    if event.planned is not None or event.when is None or plan.started is None:
        return False
    return event.when[:_DAY] < plan.started[:_DAY]


def _unplanned_names(events: Sequence[Event], attribution: Attribution) -> list[list[str]]:
    """Return for each event the ids that no plan has."""
    return [attribution.unplanned(event) if event.stories else [] for event in events]


def _last_of_other_plans(plan: Plan, events: Sequence[Event], unplanned: Sequence[Sequence[str]]) -> int:
    """Return how many events there are up to the last one of another plan, in a log mostly about others.

    Where unplanned stories are few they are additions to this plan, which end nothing.
    """
    foreign = [
        (count, names)
        for count, (event, names) in enumerate(zip(events, unplanned, strict=True), 1)
        if names and len(names) == len(event.stories)
    ]
    distinct = {name.casefold() for _, names in foreign for name in names}
    return foreign[-1][0] if len(distinct) > len(plan.stories) else 0


def _unplanned(plan: Plan, unplanned: Sequence[Sequence[str]], *, has_archive: bool) -> str:
    if not plan.stories:
        return ""
    named: dict[str, str] = {}
    for names in unplanned:
        for name in names:
            named.setdefault(name.casefold(), name)
    where = "in the log, its archive not counted" if has_archive else "in the log"
    return _sentence(list(named.values()), f"{where}, but no story of the plan")


def _sentence(ids: Sequence[str], what: str) -> str:
    return f"{what}: {listed(ids)}" if ids else ""
