"""What is worked on and what comes next: every output asks `next_work` (S6.1)."""

import re
from typing import NamedTuple

from progress_plugin.model.origin import Cited, origins_of
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.summary.facts import Facts
from progress_plugin.summary.story_states import StoryHistory, StoryState
from progress_plugin.text.safe_output import item, one_line

_NAMES = re.compile(r"[\w.#-]+")
_NOT_NEXT = FINISHED | {Status.BLOCKED}
"""A story that failed may be tried again."""
_SENTENCE = 300
_TITLE = 90
_PARTS = 3


class NextWork(NamedTuple):
    """The current story, and what follows it."""

    current: StoryState | None
    """The first that is in progress, else the next that can be begun."""
    step: str
    """What the newest entry calls the next step, else what is open of the current story, else empty."""
    story: StoryState | None
    """The story after the current one."""
    waits_for: tuple[str, ...]
    """What that story waits for besides the current one."""

    @property
    def begun(self) -> bool:
        """Whether anybody is at the current story, or was."""
        current = self.current
        return current is not None and (current.status is Status.ACTIVE or bool(current.events))

    @property
    def line(self) -> str:
        """What comes next, in one line: the step, else the story and what it waits for, else nothing."""
        if self.step:
            return Cited(one_line(self.step, _SENTENCE), *origins_of(self.step))
        if self.story is None:
            return ""
        label, title = item(self.story.label, _TITLE), one_line(self.story.title, _TITLE)
        name = f"{label}: {title}" if self.story.id and title and title != label else label
        waits = f" (waits for {', '.join(self.waits_for)})" if self.waits_for else ""
        return Cited(name + one_line(waits), *self.story.origins())


def next_work(facts: Facts, history: StoryHistory) -> NextWork:
    """Return what is current and what comes next."""
    current = _current_story(history)
    story = _following(history, current)
    waits = tuple(name for name in _waits_for(story) if current is None or name != current.id)
    stated = (step for step in (facts.next_step, facts.stated_next) if step and not _cannot_be(step, history))
    return NextWork(current, next(stated, "") or _open_parts(current), story, waits)


def _open_parts(current: StoryState | None) -> str:
    """Return the first open parts of the story that is in progress; they come before the next story."""
    if current is None or current.status is not Status.ACTIVE or current.planned is None:
        return ""
    parts = [part.title for part in current.planned.subtasks if part.title and part.status not in _NOT_NEXT]
    return Cited("; ".join(parts[:_PARTS]), *current.origins()) if parts else ""


def _cannot_be(step: str, history: StoryHistory) -> bool:
    """Return whether a next step names stories, and each of them is done or blocked by now."""
    words = {word.strip(".-#") for word in _NAMES.findall(step.casefold())}
    named = [story for story in history.stories if story.id and story.id.casefold().strip(".-#") in words]
    return bool(named) and all(story.status in _NOT_NEXT for story in named)


def _current_story(history: StoryHistory) -> StoryState | None:
    """Return the first active story, else the next pending one that waits for nothing (S6.1)."""
    for story in history.stories:
        if story.status is Status.ACTIVE:
            return story
    for story in history.stories:
        if story.status is Status.PENDING and not _waits_for(story):
            return story
    return None


def _following(history: StoryHistory, current: StoryState | None) -> StoryState | None:
    """Return the next story: once the current one is finished it must wait for nothing, if there is such."""
    left = [
        story
        for story in history.stories
        if story.status in (Status.ACTIVE, Status.PENDING) and story is not current
    ]
    done_then = {current.id} if current else set()
    free = (story for story in left if done_then.issuperset(_waits_for(story)))
    return next(free, left[0] if left else None)


def _waits_for(story: StoryState | None) -> tuple[str, ...]:
    return story.planned.waits_for if story is not None and story.planned else ()
