"""What is blocked, and why: every output shows and counts what `blocked` returns."""

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.model.event import THIS_CLONE, TYPE_OF_STATUS, Event
from progress_plugin.model.origin import Origin
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.summary_input import Facts, OpenBlocker
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import one_line

RESOLVED = "Resolved: "
"""What stands before how a blocker ended."""


class Blocked(NamedTuple):
    """A blocked story, or an open blocker that belongs to no story of the leading plan."""

    label: str
    title: str
    """Of the story; empty where it is known by its label alone."""
    issue: str
    """Empty where nobody said why."""
    since: str | None
    entry: str | None
    """Id of the entry that says so, the newest of several."""
    waits: bool
    """It only waits for a story that is blocked itself: that one is the blocker."""
    origins: tuple[Origin, ...] = ()
    """The entries that say so, and the story."""
    blockers: tuple[OpenBlocker, ...] = ()
    """The open blockers that it is made from, oldest first; none where the plan alone says so."""
    by: str = ""
    """Which other clones say so; this one beside them is named, too, and alone it is not."""
    spec: str = ""
    """The spec that the story is of, where no plan and no label says so."""

    @property
    def name(self) -> str:
        """The label with the spec before it: the same id is another task in another spec."""
        return f"{self.spec} {self.label}" if self.spec else self.label


def blocked(history: StoryHistory) -> list[Blocked]:
    """Return the blocked stories in the order of the plan, then the blockers of no story, oldest first.

    A story is blocked where its status says so, or an open blocker is about it: one that failed can have
    something in its way, too, and so can one in which something was found once it was finished.
    """
    found = [
        _of_story(story)
        for story in history.stories
        if story.status is Status.BLOCKED or _is_in_the_way(story)
    ]
    return found + [_of_none(blocker) for blocker in history.blockers]


def _is_in_the_way(story: StoryState) -> bool:
    """Return whether an open blocker is about a story; of a finished one only what was logged counts."""
    return any(blocker.id or story.status not in FINISHED for blocker in story.blockers)


def trouble(event: Event, facts: Facts) -> tuple[str, ...]:
    """Return what an entry of ours says is wrong and what might help, and once that is over, how it ended."""
    if event.entry is None:
        return ()
    ended = facts.ended.get(event.entry)
    return (*event.trouble, f"{RESOLVED}{ended.how}") if ended else event.trouble


def is_over(event: Event, facts: Facts) -> bool:
    """Return whether an entry of ours told of a blocker that is no longer in the way."""
    is_blocker = event.type == TYPE_OF_STATUS[Status.BLOCKED]
    return is_blocker and all(blocker.id != event.entry for blocker in facts.blockers)


def count_blockers(items: Sequence[Blocked]) -> int:
    """Return how many things are in the way; what merely waits for one of them is none of its own."""
    return len(in_the_way(items))


def in_the_way(items: Sequence[Blocked]) -> list[Blocked]:
    """Return what is in the way, without what merely waits for one of these."""
    return [item for item in items if not item.waits]


def why_blocked(story: StoryState) -> str:
    """Return what the plan says of a blocked story: its issue, what it waits for, else its notes."""
    planned = story.planned
    if planned is None:
        return ""
    waits = f"waits for {', '.join(planned.waits_for)}" if planned.waits_for else ""
    return planned.issue or waits or planned.notes


def _of_story(story: StoryState) -> Blocked:
    blockers = story.blockers
    reasons = [reason for blocker in blockers if (reason := _reason(blocker))]
    title = story.title if story.id and story.title != story.id else ""
    issue = "; ".join(dict.fromkeys(reasons)) or ("" if blockers else why_blocked(story))
    if not story.planned and one_line(title) in map(one_line, reasons):
        title = ""  # without a plan a story is called by what was said of it
    return Blocked(
        label=story.label,
        title=title,
        issue=issue or (story.planned.issue or "" if story.planned else ""),
        since=min((blocker.when for blocker in blockers if blocker.when), default=None) or _since(story),
        entry=next((blocker.id for blocker in reversed(blockers) if blocker.id), None),
        waits=bool(not blockers and story.planned and story.planned.waits_for),
        origins=(*(blocker.origin or Origin(entry=blocker.id) for blocker in blockers), *story.origins()),
        blockers=tuple(blockers),
        by=_writers(blockers),
        spec="" if story.planned or story.id != story.task else story.spec or "",
    )


def _of_none(blocker: OpenBlocker) -> Blocked:
    reason = _reason(blocker)
    label = f"{blocker.label} ({blocker.plan})" if blocker.plan else blocker.label
    return Blocked(
        label=label,
        title=blocker.title,
        issue="" if reason == blocker.label else reason,
        since=blocker.when,
        entry=blocker.id or None,
        waits=False,
        origins=(blocker.origin or Origin(entry=blocker.id),),
        blockers=(blocker,),
        by=_writers([blocker]),
    )


def _writers(blockers: Sequence[OpenBlocker]) -> str:
    """Return who logged these, the oldest first; nothing where all of them were logged here."""
    names = dict.fromkeys(blocker.writer or THIS_CLONE for blocker in blockers)
    return "" if set(names) <= {THIS_CLONE} else some_of(list(names))


def _reason(blocker: OpenBlocker) -> str:
    told = blocker.issue + (f" (suggested: {blocker.suggestion})" if blocker.suggestion else "")
    return ": ".join(filter(None, (blocker.said_spec, told)))


def _since(story: StoryState) -> str | None:
    """Return when the newest run of entries that call a story blocked began."""
    since = None
    for event in reversed(story.events):
        if event.status is not Status.BLOCKED:
            break
        since = event.when or since
    return since
