"""One history out of all logs, and the status of each story in it.

How often a story was attempted is read from its plan (`plans.json_stories`) and told by `summary.build`.

A planned story comes with the status of its plan, above which `plans.story_status` (`with_blockers`) has
put the open blockers of the log.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from progress_plugin.model.event import AUTHORED, STATUS_OF_TYPE, STORY_TYPES, TYPE_OF_STATUS, Event
from progress_plugin.model.origin import Origin
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.model.story import Counts, Plan, Story
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.summary.summary_input import Facts, LoggedCompletion, OpenBlocker

_DAY = len("2026-01-01")
_MENDING = "debug_resolved"
"""The type of an entry after which what was blocked goes on."""
_OFTEN = 3
"""Nameless entries with the same words, from which these are a runner's."""


class StoryState:
    """A story with everything that plan and logs say of it; events are oldest first."""

    __slots__ = (
        "blockers", "events", "finished_by", "id", "is_titled", "plan", "planned", "spec", "status", "task",
        "title", "told", "waits_for",
    )  # fmt: skip

    def __init__(
        self,
        *,
        id: str | None,  # noqa: A002 - a story's id
        title: str,
        status: Status,
        planned: Story | None = None,
        plan: str = "",
    ) -> None:
        self.id = id
        self.title = title
        self.status = status
        self.planned = planned
        self.plan = plan
        """Path of the plan that `planned` is in."""
        self.task = id
        """The id as logs write it: `id` has the spec before it where several specs have the same one."""
        self.spec: str | None = None
        self.is_titled = planned is not None
        """Whether the title is what it is called, and no mere note on it."""
        self.events: list[Event] = []
        self.told = self.events
        """These, and between them those on its parts, which say no status of the whole."""
        self.blockers: list[OpenBlocker] = []
        """The open ones that are about it, oldest first."""
        self.finished_by: LoggedCompletion | None = None
        """Who of a team has finished it, where the plan here has not heard of that yet."""
        self.waits_for = planned.waits_for if planned else ()
        """What must be finished before it, less what is so in this working tree, by the log alone."""

    @property
    def label(self) -> str:
        """The id, or the title of a story without one."""
        return self.id or self.title

    @property
    def shown_title(self) -> str:
        """The title, and who has finished it where the plan here does not say so yet."""
        return f"{self.title} (finished by {self.finished_by.by})" if self.finished_by else self.title

    @property
    def shown_mark(self) -> str:
        """The mark of its status, that of a finished one where a team has finished it."""
        return SHOWN_MARKS[(Status.DONE if self.finished_by else self.status).value]

    @property
    def is_named(self) -> bool:
        """Whether plan or log give it an id or title: a mere session is an entry, and no story."""
        return bool(self.planned or self.id or any(event.title for event in self.events))

    @property
    def newest(self) -> Event | None:
        """The newest entry that says where it stands, or what somebody did for it, such as a fix."""
        return _newest(self.told)

    @property
    def newest_of_whole(self) -> Event | None:
        """The same of those that are about no part of it alone."""
        return _newest(self.events)

    @property
    def is_told_in_parts(self) -> bool:
        """Whether anybody logged work on a part of it."""
        return len(self.told) > len(self.events)

    def tell(self, event: Event, *, of_part: bool = False) -> None:
        """Add an event, of the whole or of a part."""
        if of_part and self.told is self.events:
            self.told = [*self.events]
        if self.told is not self.events:
            self.told.append(event)
        if not of_part:
            self.events.append(event)

    def origins(self) -> tuple[Origin, ...]:
        """Return where its name and status are stated: in the plan, else in the newest entry.

        Where that one does not name it, the one that does comes second.
        """
        if self.planned is not None:
            return (Origin(self.plan, self.planned.line or 0, story=self.planned.id),)
        newest = named = None
        for event in reversed(self.events):
            if event.type in STORY_TYPES:
                newest = newest or event
                if event.title == self.title:
                    named = event
                    break
        told = (newest,) if named is None or named is newest else (newest, named)
        return tuple(event.origin for event in told if event is not None)


class StoryHistory(NamedTuple):
    """All stories and sessions in the order of plan or log, and the events that belong to none."""

    stories: tuple[StoryState, ...]
    other: tuple[Event, ...]
    """Oldest first: fixes, sessions, entries for other plans that are here; none for one that is gone."""
    order: tuple[int, ...]
    """Indices into `stories` by their newest event, newest first; stories without one are missing."""
    earlier: tuple[tuple[Status, int], ...] = ()
    """How many more have which status, by the archive's table alone; none where a plan says which count."""
    blockers: tuple[OpenBlocker, ...] = ()
    """The open ones that are about none of the stories, oldest first."""
    broken_plans: tuple[str, ...] = ()
    """Paths of plans that cannot be read: with one, no share of all there is to do is known."""

    @property
    def named(self) -> tuple[StoryState, ...]:
        """All that count as stories."""
        return tuple(story for story in self.stories if story.is_named)

    @property
    def unnamed(self) -> int:
        """How many mere sessions there are."""
        return len(self.stories) - len(self.named)

    def counts(self) -> Counts:
        """Return how many stories have which status, the earlier ones among them."""
        counts = Counts(story.status for story in self.named)
        counts.update(dict(self.earlier))
        return counts

    def percent(self, digits: int = 0) -> float | None:
        """Return which share of the stories is done, as `Counts.percent`; None if a plan cannot be read."""
        return None if self.broken_plans else self.counts().percent(digits)

    def finished_ahead(self) -> int:
        """Return how many stories a clone of a team has finished while the plan here has them open."""
        return sum(story.finished_by is not None for story in self.stories)


def _newest(events: Sequence[Event]) -> Event | None:
    told = (event for event in reversed(events) if event.type in STORY_TYPES or event.said)
    return next(told, None)


def merge(sources: Iterable[Sequence[Event]]) -> list[Event]:
    """Return the events of several logs, oldest first, each log's own order kept.

    Within a log the dates only ever rise to the eye of the merge: an entry without a date, or with a
    mistyped earlier one, goes with its neighbours. What an agent's log dates by the day has the time at which
    our log knows the same completion.
    """
    logs = list(sources)
    stated = [sorted(log, key=lambda each: each.position) for log in logs]
    days = {(event.when or "")[:_DAY] for log in logs for event in log if event.entry}
    is_known = any(event.when in days for log in logs for event in log)
    dated = _with_known_times(stated) if is_known else stated
    keyed: list[tuple[str, int, int, Event]] = []
    for number, (said, events) in enumerate(zip(stated, dated, strict=True)):
        latest = ""
        for before, event, moment in zip(said, events, _moments(events), strict=True):
            latest = max(latest, moment)
            keyed.append((latest if event is before else moment, number, event.position, event))
    keyed.sort(key=lambda item: item[:3])
    return [item[3] for item in keyed]


def read_history(facts: Facts) -> StoryHistory:
    """Return the status of every story; with a plan only its stories count as such."""
    events, earlier = facts.events, facts.earlier
    if facts.lead is not None and facts.lead.stories:
        plans = (facts.lead, *facts.other_plans)
        attribution = facts.attribution or Attribution(facts.lead, plans, events)
        stories, other = _by_plan(facts.lead, attribution, events)
        earlier = ()
    else:
        stories, other = _by_log(events, _words_of(facts))
    finished = {each.story: each for each in facts.finished_in_log}
    for story in stories if finished else ():
        story.finished_by = finished.get(story.id or "") if story.planned else None
    here = {name for name, each in finished.items() if each.is_here}
    for story in stories if here else ():
        story.waits_for = tuple(name for name in story.waits_for if name not in here)
    free = _give_blockers(stories, facts.blockers)
    _unblock(stories)
    newest: dict[int, int] = {}
    place = {id(event): number for number, event in enumerate(events)}
    for index, story in enumerate(stories):
        last = story.newest
        if last is not None:
            newest[index] = place[id(last)]
    order = sorted(newest, key=lambda index: (newest[index], index), reverse=True)
    return StoryHistory(
        stories=tuple(stories),
        other=tuple(other),
        order=tuple(order),
        earlier=earlier,
        blockers=tuple(free),
        broken_plans=facts.broken_plans,
    )


def _with_known_times(logs: Sequence[Sequence[Event]]) -> list[list[Event]]:
    from progress_plugin.summary.completions_told_twice import timed_completions, with_time  # noqa: PLC0415 - of several logs

    timed = timed_completions(event for events in logs for event in events)
    return [[with_time(event, timed) for event in events] for events in logs]


def _moments(events: Sequence[Event]) -> list[str]:
    """Return the dates of one log's events as texts that sort.

    A bare day counts as the time of the next entry of that day, else as its end, after the timed entries.
    """
    found, following = [], ""
    for event in reversed(events):
        when = event.when or ""
        if len(when) > _DAY:
            following = when
        elif when:
            when = following if following.startswith(when) else f"{when}T99"
        found.append(when)
    return found[::-1]


def _by_plan(
    plan: Plan, attribution: Attribution, events: Sequence[Event]
) -> tuple[list[StoryState], list[Event]]:
    """Return the plan's stories with the plan's status and the events about each, and all other events."""
    states = [
        StoryState(id=story.id, title=story.title, status=story.status, planned=story, plan=plan.path)
        for story in plan.stories
    ]
    by_position = {story.position: state for story, state in zip(plan.stories, states, strict=True)}
    other = []
    for event in events:
        found = attribution.stories(event)
        for story in found:
            by_position[story.position].tell(event)
        whole = [] if found else attribution.stories_of_parts(event)
        for story in whole:
            by_position[story.position].tell(event, of_part=True)
        if not (found or whole) and (attribution.concerns(event) or attribution.is_of_plan_beside(event)):
            other.append(event)
    for state in states:
        if _is_begun_by_log(state):
            state.status = Status.ACTIVE
    return states, other


def _is_begun_by_log(state: StoryState) -> bool:
    """Return whether an agent's log calls a story in progress that its plan only calls not done.

    What our own log makes of a story that is not finished is no word on that: its types know no such one.
    """
    planned = state.planned
    if planned is None or planned.status is not Status.PENDING or planned.says_pending or planned.waits_for:
        return False
    last = next((event for event in reversed(state.events) if event.type in STORY_TYPES), None)
    if last is None or last.type != AUTHORED or last.is_inferred:
        return False
    names = [name for name in last.stories if name.casefold() == planned.id.casefold()]
    return last.status_of(names[0] if names else planned.id) is Status.ACTIVE


def _words_of(facts: Facts) -> dict[tuple[str, int], tuple[str, ...]]:
    """Return what each entry without id and title says, by source and position."""
    nameless = {
        (event.source, event.position): event.details
        for event in facts.events
        if not event.stories and not event.title
    }
    if nameless:
        said: dict[tuple[str, int], list[str]] = {}
        for passage in (each for reading in facts.readings for each in reading.passages):
            said.setdefault((passage.source, passage.entry), []).append(passage.text)
        nameless = {place: words or tuple(said.get(place, ())) for place, words in nameless.items()}
    return nameless


def _by_log(
    events: Sequence[Event], words: Mapping[tuple[str, int], tuple[str, ...]]
) -> tuple[list[StoryState], list[Event]]:
    """Return the stories that the logs are about, by spec and id: specs number their tasks each for itself.

    `words` are those of the entries without id and title.
    """
    states: dict[tuple[str, str, int], StoryState] = {}
    series = _restarted(events)
    other = []
    times_said = Counter(words.values())
    for event in events:
        spec = (event.spec or "").casefold()
        times = series.get((event.source, event.position), 0)
        keys = [(name, (spec, name.casefold(), times)) for name in event.stories]
        said = words.get((event.source, event.position), event.details)
        title = event.title or ("" if _says_nothing(event, said, times_said[said]) else event.label)
        if not keys and title and event.type in STORY_TYPES:
            keys = [("", ("", normalised(title), 0))]
        known = [key for _, key in keys if key in states]
        if not keys or not (known or _begins_story(event)):
            other.append(event)
            continue
        for name, key in keys:
            state = states.get(key)
            if state is None:
                state = states[key] = StoryState(id=name or None, title=title, status=event.status_of(name))
                state.spec = event.spec
            _tell(state, event, name)
    stories = list(states.values())
    _name_apart(stories)
    return stories, other


def _restarted(events: Sequence[Event]) -> dict[tuple[str, int], int]:
    names = [event.stories[0] for event in events if event.title and len(event.stories) == 1]
    if len(names) == len(set(names)):
        return {}
    from progress_plugin.summary.restarted_ids import restarted  # noqa: PLC0415 - where ids come again

    return restarted(events)


def _begins_story(event: Event) -> bool:
    """Return whether an event makes a story of what it is about: what blocks no task is in nobody's plan."""
    return event.type in STORY_TYPES and (bool(event.stories) or event.type != TYPE_OF_STATUS[Status.BLOCKED])


def _give_blockers(stories: Sequence[StoryState], blockers: Sequence[OpenBlocker]) -> list[OpenBlocker]:
    """Give each blocker to the story it is about, and return those that are about none.

    `open_blockers` has found the stories of a plan; without a plan its entry is one of the story's events.
    """
    planned: dict[str, StoryState] = {}
    told: dict[str, StoryState] = {}
    named: dict[str, StoryState] = {}
    for story in stories:
        if story.planned is not None:
            planned.setdefault(story.planned.id, story)
        else:
            named.setdefault(story.task or "", story)
            for event in story.events:
                told.setdefault(event.entry or "", story)
    told.pop("", None)
    named.pop("", None)
    free: list[OpenBlocker] = []
    for blocker in blockers:
        of_log = named.get(blocker.task or "") if not blocker.id else None  # an agent's log knows no spec
        found = planned.get(blocker.story or "") or told.get(blocker.id) or of_log
        (free if found is None else found.blockers).append(blocker)
    return free


def _says_nothing(event: Event, words: tuple[str, ...], times_said: int) -> bool:
    """Return whether a nameless entry is about no story: it is empty, or has a runner's words."""
    return event.status is not Status.DONE and (not words or times_said >= _OFTEN)


def _tell(state: StoryState, event: Event, name: str) -> None:
    """Add what an event says of the story that it calls so.

    The last one that speaks of the status is believed, and names the story. A note on a story, or what is
    wrong with it, names only one that has no name yet.
    """
    state.events.append(event)
    if event.type in STORY_TYPES:
        state.status = event.status_of(name)
        if event.title and len(event.stories) <= 1 and (event.is_name or not state.is_titled):
            state.title, state.is_titled = event.title, event.is_name


def _name_apart(stories: Sequence[StoryState]) -> None:
    """Put the spec before an id that several specs have."""
    times = Counter((story.id or "").casefold() for story in stories)
    for story in stories:
        if story.id and story.spec and times[story.id.casefold()] > 1:
            story.id = f"{story.spec} {story.id}"


def _unblock(stories: Sequence[StoryState]) -> None:
    """Take a story of no plan for one in progress where our log blocked it last, and that is over."""
    for story in stories:
        if story.planned is not None or story.status is not Status.BLOCKED or story.blockers:
            continue
        last = next((event for event in reversed(story.events) if event.type in STORY_TYPES), None)
        mended = last is not None and any(
            each.type == _MENDING for each in story.events[story.events.index(last) :]
        )
        if last and (mended or STATUS_OF_TYPE.get(last.type) is Status.BLOCKED):
            story.status = Status.ACTIVE
            if story.id and not story.is_titled:
                story.title = ""  # what was in its way is no name of it
