"""What is blocked, and why: one answer for summary, status, report and the lines that people see (S4)."""

from typing import NamedTuple

from progress_plugin.model.origin import Origin, origins_of
from progress_plugin.model.status import Status
from progress_plugin.summary.facts import Facts, OpenBlocker
from progress_plugin.summary.history import History, StoryState


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


def blocked(facts: Facts, history: History) -> list[Blocked]:
    """Return the blocked stories in the order of the plan, then the blockers of no story, oldest first."""
    of_story: dict[str, list[OpenBlocker]] = {}
    free = []
    story_of = _Stories(history)
    for blocker in facts.blockers:
        story = story_of(blocker)
        if story is None:
            free.append(blocker)
        else:
            of_story.setdefault(story.label, []).append(blocker)
    found = [
        _of_story(story, of_story.get(story.label, []))
        for story in history.stories
        if story.status is Status.BLOCKED
    ]
    return found + [_of_none(blocker) for blocker in free]


def count_blockers(items: list[Blocked]) -> int:
    """Return how many things are in the way; what merely waits for one of them is none of its own."""
    return sum(not item.waits for item in items)


def why_blocked(story: StoryState) -> str:
    """Return what the plan says of a blocked story: its issue, what it waits for, else its notes."""
    planned = story.planned
    if planned is None:
        return ""
    waits = f"waits for {', '.join(planned.waits_for)}" if planned.waits_for else ""
    return planned.issue or waits or planned.notes


class _Stories:
    """Knows which story a blocker is of: the first that bears its name, or that its entry tells of."""

    def __init__(self, history: History) -> None:
        self._stories = history.stories
        self._named: dict[str, int] = {}
        self._told: dict[str, int] = {}
        for place, story in enumerate(history.stories):
            self._named.setdefault(story.label, place)
            for event in story.events if story.planned is None else ():
                if event.entry is not None:
                    self._told.setdefault(event.entry, place)

    def __call__(self, blocker: OpenBlocker) -> StoryState | None:
        found = (self._named.get(blocker.story or ""), self._told.get(blocker.id or ""))
        places = [place for place in found if place is not None]
        return self._stories[min(places)] if places else None


def _of_story(story: StoryState, blockers: list[OpenBlocker]) -> Blocked:
    reasons = [reason for blocker in blockers if (reason := _reason(blocker))]
    title = story.title if story.id and story.title != story.id else ""
    issue = "; ".join(dict.fromkeys(reasons)) or ("" if blockers else why_blocked(story))
    if not story.planned and title in reasons:
        title = ""  # without a plan a story is called by what was said of it
    return Blocked(
        label=story.label,
        title=title,
        issue=issue or (story.planned.issue or "" if story.planned else ""),
        since=min((blocker.when for blocker in blockers if blocker.when), default=None) or _since(story),
        entry=blockers[-1].id if blockers else None,
        waits=bool(not blockers and story.planned and story.planned.waits_for),
        origins=(*(Origin(entry=blocker.id) for blocker in blockers), *story.origins()),
    )


def _of_none(blocker: OpenBlocker) -> Blocked:
    reason = _reason(blocker)
    label = f"{blocker.label} ({blocker.plan})" if blocker.plan else blocker.label
    return Blocked(
        label=label,
        title="",
        issue="" if reason == blocker.label else reason,
        since=blocker.when,
        entry=blocker.id or None,
        waits=False,
        origins=(Origin(entry=blocker.id),) if blocker.id else origins_of(blocker.issue),
    )


def _reason(blocker: OpenBlocker) -> str:
    return blocker.issue + (f" (suggested: {blocker.suggestion})" if blocker.suggestion else "")


def _since(story: StoryState) -> str | None:
    """Return when the newest run of entries that call a story blocked began."""
    since = None
    for event in reversed(story.events):
        if event.status is not Status.BLOCKED:
            break
        since = event.when or since
    return since
