"""Completions that an agent's log tells by the day, and an entry of ours by the time.

An agent finishes a story, writes into its own log, and a signal or `log` makes an entry of ours of it.
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence

from progress_plugin.model.event import STATUS_OF_TYPE, Event
from progress_plugin.model.status import Status
from progress_plugin.plans.plan_and_story_identity import normalised

_DAY = len("2026-01-01")

Completion = tuple[Status, str, str]
"""Status, story in small letters, day."""


def completion_of(event: Event) -> Completion | None:
    """Return what an entry says turned done or blocked on which day; None where it says no such thing."""
    if event.when is None or len(event.stories) != 1 or event.status not in STATUS_OF_TYPE.values():
        return None
    return event.status, event.stories[0].casefold(), event.when[:_DAY]


def timed_completions(events: Iterable[Event]) -> dict[Completion, list[Event]]:
    """Return the entries of ours by what they say turned done or blocked, of each day the last one first."""
    found: dict[Completion, list[Event]] = {}
    for event in events:
        is_timed = event.type in STATUS_OF_TYPE and event.entry and len(event.when or "") > _DAY
        if is_timed and (said := completion_of(event)):
            found.setdefault(said, []).insert(0, event)
    return found


def with_time(event: Event, timed: Mapping[Completion, Sequence[Event]]) -> Event:
    """Return an agent's entry that gives only a day with the time at which ours knows the same.

    Where ours are about several plans, its title says which, else the folder that it shares with a plan.
    """
    fitting = _told_by(event, timed) if len(event.when or "") == _DAY else []
    for is_of in (_is_titled, _is_beside):
        if len({_plan_of(ours) for ours in fitting}) > 1:
            fitting = [ours for ours in fitting if is_of(event, ours)] or fitting
    is_one = len({_plan_of(ours) for ours in fitting}) == 1
    return event._replace(when=fitting[0].when) if is_one else event


def told_once(events: Sequence[Event], plan_of: Callable[[Event], str | None]) -> list[Event]:
    """Return the events, each completion that both logs tell as one: the agent's words, and what ours knows.

    `plan_of` names the plan of an event where that is another than the leading one.
    """
    timed = timed_completions(events)
    instead: dict[int, Event] = {}
    left_out: set[int] = set()
    for event in reversed(events):
        same = (
            ours
            for ours in _told_by(event, timed)
            if event.when == ours.when and plan_of(event) == plan_of(ours) and id(ours) not in left_out
        )
        if ours := next(same, None):
            left_out.add(id(ours))
            instead[id(event)] = _as_one(event, ours)
    return [instead.get(id(event), event) for event in events if id(event) not in left_out]


def _told_by(event: Event, timed: Mapping[Completion, Sequence[Event]]) -> list[Event]:
    """Return the entries of ours that tell the same as one of an agent's; of no plan, those of its spec."""
    said = None if event.entry else completion_of(event)
    return (
        [ours for ours in timed.get(said, ()) if ours.planned or _spec(ours) == _spec(event)] if said else []
    )


def _spec(event: Event) -> str:
    return (event.spec or "").casefold()


def _plan_of(ours: Event) -> tuple[str, str]:
    return (ours.planned.path, ours.planned.plan_id) if ours.planned else ("", "")


def _is_titled(event: Event, ours: Event) -> bool:
    """Return whether an agent's title and that of a plan's story share a word."""
    titles = (event.title or "", ours.planned.title if ours.planned else "")
    first, second = (set(normalised(title).split()) for title in titles)
    return not first.isdisjoint(second)


def _is_beside(event: Event, ours: Event) -> bool:
    return posixpath.dirname(event.source) == posixpath.dirname(_plan_of(ours)[0])


def _as_one(event: Event, ours: Event) -> Event:
    return event._replace(
        title=event.title or ours.title,
        details=tuple(dict.fromkeys([*ours.details[: ours.said], *event.details, *ours.details])),
        files=tuple(dict.fromkeys([*event.files, *ours.files])),
        entry=ours.entry,
        writer=ours.writer,
    )
