"""What holds today of the stories and blockers that the history speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from progress_plugin.core.memo import Memo
from progress_plugin.log.archived_story_table import name_of
from progress_plugin.log.entry import text_of
from progress_plugin.log.events import events
from progress_plugin.model.event import STATUS_OF_TYPE, STORY_TYPES, Event
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.story_status import with_blockers
from progress_plugin.recall.still_holds import PresentState, StoryToday, state_of
from progress_plugin.usecases.summarizing.gather import OUR_LOG, all_events, finished_in_log, is_shared
from progress_plugin.usecases.summarizing.open_blockers import attribution_of, open_blockers
from progress_plugin.usecases.summarizing.sources import Sources, with_logs


class Present(NamedTuple):
    """What holds today, and what of the plans follows from it."""

    state: PresentState
    plans: tuple[Plan, ...]
    """The leading one's stories are blocked as our log says."""
    finished: dict[str, str]
    """Of the leading plan's stories that the log has finished: `finished by host-b`."""


def present(sources: Sources, memo: Memo | None = None) -> Present:  # noqa: ARG001
    """Return what holds today."""
    told = events(sources.log, OUR_LOG)
    blockers = open_blockers(sources, attribution_of(sources, told))
    issues = {each.story: each.issue for each in blockers if each.story is not None}
    lead = sources.lead.path if sources.lead else None
    plans = tuple(
        plan._replace(stories=_blocked(plan, issues)) if plan is sources.lead and issues else plan
        for plan in sources.plans
    )
    finished = _finished(sources, told)
    planned = [
        StoryToday(story.id, story.title, _status(story, finished if plan.path == lead else {}), plan.path)
        for plan in plans
        for story in plan.stories
        if not story.positional
    ]
    unresolved = [text_of(entry, "id") or "" for entry in sources.log.blockers()]
    known = {story.id.casefold() for story in planned}
    last = _unplanned(told)
    blocked = frozenset(each.task for each in blockers)
    archived = _archived(sources, last.keys(), known, blocked)
    stories = [*planned, *_of_one_spec(last, archived, known, blocked)]
    state = state_of(stories, (each.id for each in blockers), unresolved)
    archive = {name: status for (_, name), status in archived.items()}
    return Present(state._replace(archived=archive), plans, finished)


def _status(story: Story, finished: Mapping[str, str]) -> str:
    return finished.get(story.id, story.status.value)


def _finished(sources: Sources, ours: Sequence[Event]) -> dict[str, str]:
    """Return who finished which stories that the plan has open, as `status` tells it."""
    if not is_shared(sources, ours):
        return {}
    sources = with_logs(sources)
    events = all_events(sources, ours)
    found = finished_in_log(sources, events, attribution_of(sources, events))
    return {each.story: f"finished by {each.by}" for each in found}


def _blocked(plan: Plan, issues: dict[str, str]) -> tuple[Story, ...]:
    """Return a plan's stories with those blocked that our log blocks; why, is told where the log says it."""
    own = {story.id: story.issue for story in plan.stories}
    return tuple(story._replace(issue=own[story.id]) for story in with_blockers(plan.stories, issues))


_Name = tuple[str, str]
"""Spec and id of a story, in small letters."""


def _unplanned(told: Sequence[Event]) -> dict[_Name, StoryToday]:
    """Return what our log says of stories: the last word counts."""
    last: dict[_Name, StoryToday] = {}
    for event in told:
        for name in event.stories if event.type in STORY_TYPES else ():
            key = ((event.spec or "").casefold(), name.casefold())
            last[key] = StoryToday(name, event.title or "", event.status.value, "")
    return last


def _archived(
    sources: Sources, told: Container[_Name], planned: set[str], blocked: frozenset[str | None]
) -> dict[_Name, str]:
    """Return the status of stories that only the archive has; an id of two specs is told of none."""
    words = sources.log.index.last_words().items()
    named = {name: STATUS_OF_TYPE[word.type] for key, word in words if (name := name_of(key))}
    found = {key: status for key, status in named.items() if key not in told and key[1] not in planned}
    times = Counter(name for _, name in named)
    open_ = {name.casefold() for name in blocked if name}
    return {
        key: (Status.ACTIVE if status is Status.BLOCKED and key[1] not in open_ else status).value
        for key, status in found.items()
        if times[key[1]] == 1
    }


def _of_one_spec(
    last: dict[_Name, StoryToday],
    archived: Iterable[_Name],
    planned: set[str],
    blocked: frozenset[str | None],
) -> Iterator[StoryToday]:
    """Yield the stories that no plan has; one id that several specs have is told of none."""
    times = Counter(name for _, name in (*last, *archived))
    for (_, name), each in last.items():
        if name in planned or times[name] > 1:
            continue
        is_over = each.status == Status.BLOCKED.value and each.id not in blocked
        yield each._replace(status=Status.ACTIVE.value) if is_over else each
