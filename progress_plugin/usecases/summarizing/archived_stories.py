"""Stories that only the archive's table has: too many to be events, and yet each counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.log.archived_story_table import id_key, title_key
from progress_plugin.log.history import LogHistory
from progress_plugin.model.event import STATUS_OF_TYPE, STORY_TYPES, Event, PlannedAs
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan


def counts(log: LogHistory, events: Iterable[Event]) -> tuple[tuple[Status, int], ...]:
    """Return how many stories have which status, of those that no event is about."""
    told = (key for event in events if event.type in STORY_TYPES for key in _keys(event))
    return tuple((STATUS_OF_TYPE[kind], number) for kind, number in log.index.counts_without(told).items())


def of_plan(
    log: LogHistory, plan: Plan, branch: str | None, events: Sequence[Event], source: str
) -> list[Event]:
    """Return the archive's word on each story of a plan that no event is about.

    Only entries that were made for this plan on its branch count: ids start again with every plan.
    """
    told = {name.casefold() for event in events for name in event.stories}
    asked = [story for story in plan.stories if not (story.positional or story.id.casefold() in told)]
    keys = [id_key(None, story.id) for story in asked]
    words = log.index.words(keys)
    found = []
    for story, key in zip(asked, keys, strict=True):
        word = words.get(key)
        if word and word.plan == plan.path and word.branch == (plan.branch or branch):
            found.append(
                Event(
                    stories=(story.id,),
                    title=story.title,
                    status=STATUS_OF_TYPE[word.type],
                    type=word.type,
                    source=source,
                    position=0,
                    planned=PlannedAs(word.plan, word.plan_id or "", None, ""),
                )
            )
    return found


def _keys(event: Event) -> Iterator[str]:
    if event.stories:
        yield from (id_key(event.spec, name) for name in event.stories)
    else:
        yield title_key(event.title or event.label)
