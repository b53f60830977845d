"""Completions that an agent's log tells by the day, and an entry of ours by the time (S6.4).

An agent finishes a story, writes into its own log, and a signal or `log` makes an entry of ours of it. That
one knows when it was; the order of entries is decided in `summary.merged_story_status` (`merge`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from progress_plugin.model.event import STATUS_OF_TYPE, Event
from progress_plugin.model.status import Status

_DAY = len("2026-01-01")

Completion = tuple[Status, str, str]
"""Status, story in small letters, day."""


def completion_of(event: Event) -> Completion | None:
    """Return what an entry says turned done or blocked on which day; None where it says no such thing."""
    if event.when is None or len(event.stories) != 1 or event.status not in STATUS_OF_TYPE.values():
        return None
    return event.status, event.stories[0].casefold(), event.when[:_DAY]


def timed_completions(events: Iterable[Event]) -> dict[Completion, Event]:
    """Return the entries of ours by what they say turned done or blocked; the last of a day counts."""
    found: dict[Completion, Event] = {}
    for event in events:
        is_timed = event.type in STATUS_OF_TYPE and event.entry and len(event.when or "") > _DAY
        if is_timed and (said := completion_of(event)):
            found[said] = event
    return found


def with_time(event: Event, timed: Mapping[Completion, Event]) -> Event:
    """Return an agent's entry that gives only a day with the time at which ours knows the same."""
    ours = _told_by(event, timed) if len(event.when or "") == _DAY else None
    return event._replace(when=ours.when) if ours else event


def told_once(events: Sequence[Event], plan_of: Callable[[Event], str | None]) -> list[Event]:
    """Return the events, each completion that both logs tell as one: the agent's words, and what ours knows.

    `plan_of` names the plan of an event where that is another than the leading one.
    """
    timed = timed_completions(events)
    instead: dict[int, Event] = {}
    left_out: set[int] = set()
    for event in reversed(events):
        ours = _told_by(event, timed)
        if ours and event.when == ours.when and plan_of(event) == plan_of(ours) and id(ours) not in left_out:
            left_out.add(id(ours))
            instead[id(event)] = _as_one(event, ours)
    return [instead.get(id(event), event) for event in events if id(event) not in left_out]


def _told_by(event: Event, timed: Mapping[Completion, Event]) -> Event | None:
    """Return the entry of ours that tells the same as one of an agent's."""
    said = None if event.entry else completion_of(event)
    return timed.get(said) if said else None


def _as_one(event: Event, ours: Event) -> Event:
    return event._replace(
        title=event.title or ours.title,
        details=tuple(dict.fromkeys([*ours.details[: ours.said], *event.details, *ours.details])),
        files=tuple(dict.fromkeys([*event.files, *ours.files])),
        entry=ours.entry,
        writer=ours.writer,
    )
