"""What is worked on, and what comes next.

Stories come in the order of their plan's priorities (`plans.story_priority`), else of the plan (`_soonest`).

The newest next step of our log is chosen in `usecases.summarizing.logged_next_step`, that of agents' own logs
in `passages.stated_status`; what older entries left open, in `summary.unfinished_ends`.

Every output asks `next_work`.
"""

import math
import re
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.model.event import SCOPE_CHANGE, Event
from progress_plugin.model.origin import Cited, Origin, origins_of
from progress_plugin.model.status import FINISHED, OPEN, Status
from progress_plugin.plans.leading_plan import has_open_stories
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.bounds import some_of
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import item, one_line
from progress_plugin.text.section_names import SectionKind

if TYPE_CHECKING:
    from progress_plugin.model.claim import Claim
    from progress_plugin.summary.summary_input import LoggedCompletion, LoggedStep

_NAMES = LazyPattern(r"[\w.#-]+")
_NUMBER = LazyPattern(r"\d{1,9}(?:\.\d{1,9}){0,3}")
_NUMBERED = LazyPattern(
    r"(?:#|\b(?:task|story|feature|issue|item|phase|step|ticket|part|milestone|sprint|stories|aufgabe|schritt|tâche|tarea|tarefa)"
    rf"s?\s{{1,3}}(?:nos?\.?\s)?#?){_NUMBER.pattern}(?:\s?(?:,|and|or|to|&|[-–])\s?(?:and\s)?#?{_NUMBER.pattern}){{0,20}}"
    rf"|{_NUMBER.pattern}(?=:\s)|^{_NUMBER.pattern}(?=$|\s[-–—]\s)"
)
"""Numbers that a text calls those of stories."""
_GOES_BACK = LazyPattern(r"\bagain\b|\bre-?(?:open|visit|do|check|test|view|work)\b|\bregress", re.IGNORECASE)
"""How a step speaks of work that was finished before."""
_NOT_NEXT = FINISHED | {Status.BLOCKED}
"""A story that failed may be tried again."""
_WORKED_ON = frozenset({Status.DONE, Status.ACTIVE, Status.FAILED})
"""What a part of a story is called once somebody was at it."""
_ORDERS = (SCOPE_CHANGE, "session_started")
"""Types of entries that say what is to be done."""
_SENTENCE = 300
_TITLE = 90
_MINUTE = len("2026-11-23T10:02")
_PARTS = 3
_HELD = 4
"""Stories claimed by others that are named where nothing else is left."""


class NextWork(NamedTuple):
    """The current story, and what follows it."""

    current: StoryState | None
    """The first that is in progress, else the next that can be begun."""
    step: str
    """What the newest entry calls the next step, else what is open of the current story, else empty."""
    story: StoryState | None
    """The story after the current one, in the order of the plan."""
    waits_for: tuple[str, ...]
    """What that story waits for, the current one included."""
    held: tuple[str, ...] = ()
    """The stories that are left where other clones claim all of them."""
    theirs: str = ""
    """What the newest entry, another clone's, calls the next step, and whose that is: no work of this one."""
    begun: bool = False
    """Whether anybody is at the current story or was, as far as plan, logs and sessions tell."""
    is_theirs: bool = False
    """Whether `step` is such a step of another clone's: nothing else is known."""
    beside: str = ""
    """The next open story of another plan, with its file: where the leading plan has none left."""

    @property
    def current_line(self) -> str:
        """The current story, and whether anybody has begun it; empty where there is none."""
        if self.current is None:
            return ""
        return f"{one_line(self.current.label, _TITLE)}{'' if self.begun else ', not begun'}"

    @property
    def line(self) -> str:
        """What comes next, in one line: the step, else the story and what it waits for, else nothing."""
        if self.step:
            return Cited(one_line(self.step, _SENTENCE), *origins_of(self.step))
        if self.story is None:
            return (
                f"none is free: others claim {one_line(some_of(self.held, _HELD))}"
                if self.held
                else self.beside
            )
        label, title = item(self.story.label, _TITLE), one_line(self.story.title, _TITLE)
        name = f"{label}: {title}" if self.story.id and title and title != label else label
        waits = f"(waits for {', '.join(self.waits_for)})" if self.waits_for else ""
        told = (one_line(text) for text in (name, waits) if text)
        return Cited(" ".join(told), *self.story.origins())


def next_work(facts: Facts, history: StoryHistory) -> NextWork:
    """Return what is current and what comes next."""
    taken = {claim.key for claim in facts.claims if claim.writer is not None}
    ours = {claim.key for claim in facts.claims if claim.writer is None}
    current = _current_story(history, taken, ours)
    story = _following(history, current, taken)
    logged = facts.next_step
    foreign = logged if logged and logged.writer else None
    holds = logged is not None and not (
        _cannot_be(logged.text, history, taken, logged.since) or _was_done_since(logged, facts)
    )
    steps = [logged.text] if logged and holds and not foreign else []
    if facts.stated_next and not _cannot_be(facts.stated_next, history, taken):
        steps.append(facts.stated_next)
    own = _step_of_entry(facts, current, story)
    if own is not None and not _cannot_be(own, history, taken):
        steps.append(own)
    theirs = _of_others(foreign) if foreign and holds else ""
    held = [each.label for each in _left(history, current) if _is_taken(each, taken)] if story is None else []
    step = steps[0] if steps else _open_parts(current)
    is_theirs = False
    if theirs and not step and story is None and not held:
        step, theirs, is_theirs = theirs, "", True  # nothing else is known
    waits = story.waits_for if story else ()
    begun = current is not None and _is_begun(current, facts, history)
    is_left = bool(current or story or held)
    beside = "" if is_left or facts.lead is None or has_open_stories(facts.lead) else _of_plan_beside(facts)
    return NextWork(current, step, story, waits, tuple(held), theirs, begun, is_theirs, beside)


def _of_plan_beside(facts: Facts) -> str:
    """Return `AU-2: Close an auction (plans/prd.json)`, the first story left in another plan."""
    for plan in facts.other_plans:
        left = [story for story in plan.stories if story.status in OPEN and not story.waits_for]
        left.sort(key=lambda story: math.inf if story.priority is None else story.priority)
        for story in left[:1]:
            name = item(story.title if story.positional else f"{story.id}: {story.title}", _TITLE)
            return Cited(
                f"{name} ({one_line(plan.path)})", Origin(plan.path, story.line or 0, story=story.id)
            )
    return ""


def _step_of_entry(facts: Facts, current: StoryState | None, following: StoryState | None) -> str | None:
    """Return what the newest entry of an agent's log calls next, where that comes before the plan's stories.

    It does where the entry is about the current story, and where no other story is left.
    """
    step = facts.entry_step
    if step is None or current is None:
        return None
    told = ((event.source, event.position) for event in current.told)
    return step.text if following is None or (step.source, step.position) in told else None


def claimed_by(claim: "Claim") -> str:
    """Return `claimed by host-b since 2026-11-23 10:02, until 2026-11-23 12:02`."""
    since, until = (when[:_MINUTE].replace("T", " ") for when in (claim.since, claim.until))
    return f"claimed by {claim.by} since {since}, until {until} UTC"


def finished_by(completion: "LoggedCompletion") -> str:
    """Return `finished by host-b on 2026-11-23 10:02 UTC, on branch x; the plan here does not say so yet`."""
    when = f" on {completion.when[:_MINUTE].replace('T', ' ')} UTC" if completion.when else ""
    branch = f", on branch {completion.branch}" if completion.branch else ""
    return f"finished by {completion.by}{when}{branch}; the plan here does not say so yet"


def _of_others(step: "LoggedStep") -> str:
    """Return `Write the tests (next of host-b)`."""
    told = f"{one_line(step.text, _SENTENCE)} (next of {one_line(step.writer or '', _TITLE)})"
    return Cited(told, *origins_of(step.text))


def _is_begun(story: StoryState, facts: Facts, history: StoryHistory) -> bool:
    """Return whether anything tells of work on a story: an attempt, an entry, a claim, a session at it."""
    planned, id_ = story.planned, (story.id or "").casefold()
    if story.status is Status.ACTIVE or story.told or (planned and planned.attempts):
        return True
    if _is_begun_in_part(story):
        return True
    if story.id in facts.at_work or any(claim.key == id_ for claim in facts.claims):
        return True
    return bool(id_) and any(
        _sets_to_work(event, id_.strip(".-#")) for event in history.other if _can_be_meant(event, facts)
    )


def _can_be_meant(event: Event, facts: Facts) -> bool:
    """Return whether an entry can speak of the stories here: ids begin again with every plan."""
    return facts.attribution is None or facts.attribution.speaks_of_stories(event)


def _sets_to_work(event: Event, id_: str) -> bool:
    """Return whether an entry that says what a session is to do names a story."""
    return event.type in _ORDERS and any(
        id_ in names_in(text) for text in (event.title or "", *event.details)
    )


def _open_parts(current: StoryState | None) -> str:
    """Return the first open parts of the story that is in progress; they come before the next story."""
    if current is None or current.planned is None:
        return ""
    if current.status is not Status.ACTIVE and not _is_begun_in_part(current):
        return ""
    parts = [part.title for part in current.planned.subtasks if part.title and part.status not in _NOT_NEXT]
    return Cited("; ".join(parts[:_PARTS]), *current.origins()) if parts else ""


def _has_part(story: StoryState, statuses: Container[Status]) -> bool:
    """Return whether the plan gives one of these statuses to a part of a story."""
    return story.planned is not None and any(part.status in statuses for part in story.planned.subtasks)


def _is_begun_in_part(story: StoryState) -> bool:
    return story.is_told_in_parts or _has_part(story, _WORKED_ON)


def _cannot_be(step: str, history: StoryHistory, taken: Container[str], since: str | None = None) -> bool:
    """Return whether a next step names stories, and each of them is done, blocked or somebody else's by now.

    What was so when the step was logged, at `since`, cannot have taken it up: whoever logged it knew. The one
    whose own entry it was logged with does not count either: what comes after it may well name it.
    """
    if since and _GOES_BACK.search(step):
        return False
    words = names_in(step)
    named = [story for story in history.stories if story.id and story.id.casefold().strip(".-#") in words]
    said_by = {origin.entry for origin in origins_of(step) if origin.entry}
    named = [story for story in named if not _was_settled_by(story, said_by)]
    over = [_is_taken(story, taken) or _is_over(story, since) for story in named]
    over += [status in FINISHED for name, status in _parts(history) if name in words]
    return bool(over) and all(over)


def _was_done_since(step: "LoggedStep", facts: Facts) -> bool:
    """Return whether a later entry of our log says in ordinary words that the step is done."""
    if "; " in step.text:  # of a list nobody knows what is left
        return False
    said_by = {origin.entry for origin in origins_of(step.text) if origin.entry}
    logged = [at for at, event in enumerate(facts.events) if event.entry in said_by]
    later = [event for event in facts.events[logged[-1] + 1 :] if event.entry] if logged else []
    if not later:  # nearly always: the newest entry says what comes next
        return False
    from progress_plugin.summary.named_completions import NamedStep  # noqa: PLC0415 - where a step is older

    named = NamedStep(step.text)
    return any(
        named.is_done_by(said) and (event.status is Status.DONE or named.is_told_done(said))
        for event in later
        if (said := event.title or next(iter(event.details), ""))
    )


def steps_taken_up(facts: Facts, history: StoryHistory) -> Iterator[str]:
    """Yield what older entries of agents' logs call next and was taken up since: it tells nothing now."""
    ours = {event.source for event in facts.events if event.entry}
    for reading in facts.readings:
        for passage in reading.passages:
            if (
                passage.section is SectionKind.NEXT
                and passage.source not in ours
                and 0 < passage.entry < reading.entries
                and _cannot_be(passage.text, history, (), passage.when)
            ):
                yield passage.text


def _parts(history: StoryHistory) -> Iterator[tuple[str, Status]]:
    """Yield the id of every part of a story with its status."""
    for story in history.stories:
        for part in story.planned.subtasks if story.planned else ():
            yield part.id.casefold(), part.status


def _is_over(story: StoryState, since: str | None) -> bool:
    """Return whether a story is done, blocked or finished by others, and became so after `since`."""
    if story.finished_by:
        when = story.finished_by.when
    elif story.status in _NOT_NEXT:
        events = [event for event in story.events if event.status is story.status]
        if not events:
            return True  # by the plan alone, and nobody knows since when
        when = events[-1].when
    else:
        return False
    return not since or not when or when >= since[: len(when)]


def _was_settled_by(story: StoryState, entries: Container[str | None]) -> bool:
    return any(event.status is story.status and event.entry in entries for event in story.events)


def _current_story(history: StoryHistory, taken: Container[str], ours: Container[str]) -> StoryState | None:
    """Return the first active story, else the next pending one that waits for nothing.

    One with a part in progress, in the plan or by what was logged, comes before those without, whatever word
    the plan has for the whole.

    What another clone claims is current there, not here, and what any has finished is so nowhere.
    What this clone claims comes before all else, whatever it waits for: somebody here is at it.
    """
    here = [story for story in _soonest(history) if not _is_taken(story, taken) and not story.finished_by]
    claimed = [story for story in here if _is_taken(story, ours) and story.status not in _NOT_NEXT]
    active = next((story for story in claimed or here if story.status is Status.ACTIVE), None)
    free = [story for story in here if story.status is Status.PENDING and not story.waits_for]
    in_part = (story for story in free if story.is_told_in_parts or _has_part(story, {Status.ACTIVE}))
    return active or next(iter(claimed), None) or next(in_part, None) or next(iter(free), None)


def _following(history: StoryHistory, current: StoryState | None, taken: Container[str]) -> StoryState | None:
    """Return the story after the current one: the first that can be begun once that is done, else any.

    None is next that another clone claims or has finished.
    """
    left = [story for story in _left(history, current) if not _is_taken(story, taken)]
    done_then = {current.id} if current else set()
    after = (story for story in left if done_then.issuperset(story.waits_for))
    return next(after, left[0] if left else None)


def _left(history: StoryHistory, current: StoryState | None) -> list[StoryState]:
    """Return the stories that are left to do besides the current one, whoever claims them."""
    return [
        story
        for story in _soonest(history)
        if story.status in (Status.ACTIVE, Status.PENDING) and story is not current and not story.finished_by
    ]


def _soonest(history: StoryHistory) -> list[StoryState]:
    """Return the stories in the order in which they are to be begun, those of no priority last."""
    return sorted(history.stories, key=_priority)


def _priority(story: StoryState) -> float:
    priority = story.planned.priority if story.planned else None
    return math.inf if priority is None else priority


def _is_taken(story: StoryState, taken: Container[str]) -> bool:
    """Return whether a story is claimed; `taken` are the keys of the claims that are asked about."""
    return (story.id or "").casefold() in taken


def names_in(text: str) -> set[str]:
    """Return the words of a text that may be ids of stories, in small letters.

    A bare number is one only where the text says so: `task 2`, `#2`, `tasks 2 and 3`, `2: …`.
    """
    said = text.casefold()
    names = {word.strip(".-#") for word in _NAMES.findall(said)}
    numbers = {name for name in names if _NUMBER.fullmatch(name)}
    if numbers:
        names -= numbers.difference(*(_NUMBER.findall(found.group()) for found in _NUMBERED.finditer(said)))
    return names


def concern(work: NextWork) -> str:
    """Return the words of the current and the next story: what speaks of them is worth more."""
    stories = [story.planned for story in (work.current, work.story) if story is not None and story.planned]
    return " ".join(f"{story.title} {story.description}" for story in stories)
