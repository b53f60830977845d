"""Which story of which plan a signal, a person or an agent means."""

import posixpath
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.log.entry import data_of, is_signal, text_of
from progress_plugin.log.events import planned_as
from progress_plugin.model.status import FINISHED, OPEN, Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans import agent_os
from progress_plugin.plans.baseline import LOGGED_STATUSES, Baseline
from progress_plugin.plans.plan_and_story_identity import (
    is_another,
    may_concern,
    names_plan,
    normalised,
    story_key,
    story_named,
    title_mark,
)
from progress_plugin.plans.status_changes import Transition, transitions
from progress_plugin.usecases.summarizing.baselines import Baselines
from progress_plugin.usecases.summarizing.sources import Sources

_NEAR = 2
"""Stories on either side whose titles an entry remembers."""


class StoryTarget(NamedTuple):
    """A story, its plan, and what was last seen of that plan."""

    plan: Plan
    story: Story
    baseline: Baseline

    @property
    def task_id(self) -> str | None:
        """The story's id as its plan spells it; None where the plan gives none."""
        return None if self.story.positional else self.story.id

    @property
    def spec(self) -> str | None:
        """The spec that the plan's ids belong to, where they are numbered for each anew."""
        return agent_os.spec_of(self.plan.path) if self.plan.format == agent_os.FORMAT else None

    def key(self, to: Status) -> str:
        """Return what makes all signals of this turn to done or blocked the same one, as in `data.key`."""
        return key_of(Transition(self.plan.path, self.story, to, self.baseline.nth(self.story, to)))

    def reference(self) -> dict[str, Any]:
        """Return what an entry keeps of the plan, so that it is never taken for another one's."""
        told = {
            "plan": self.plan.path,
            "plan_id": self.baseline.plan_id,
            "branch": self.baseline.branch,
            "title": self.story.title,
            "near": self._near(),
        }
        return {name: value for name, value in told.items() if value}

    def _near(self) -> dict[str, str]:
        """Return marks of the titles around it: one may be put in other words, not all of them at once."""
        stories, place = self.plan.stories, self.story.position
        around = (*stories[max(0, place - _NEAR) : place], *stories[place + 1 : place + 1 + _NEAR])
        return {story.id: title_mark(story.title) for story in around if not story.positional}


def key_of(transition: Transition) -> str:
    """Return a transition's key as `data.key` has it."""
    return "|".join(str(part) for part in transition.key)


def find_target(  # noqa: PLR0913, PLR0917 - what may say which plan is meant
    sources: Sources,
    seen: Baselines,
    named: str,
    spec: str | None = None,
    to: Status | None = None,
    session: str | None = None,
) -> StoryTarget | None:
    """Return the story that a text names by id or title: the leading plan's, else that of one other plan.

    `spec` chooses the plan where it names one. What `session` calls done or blocked now (`to`) is no story
    that was over before: then it is that of the one other plan that has it open.
    """
    found = named_stories(sources, named, spec)
    if not found:
        return None
    plan, story = found[0]
    if plan is not sources.lead and len(found) > 1:
        return None
    if to in LOGGED_STATUSES and not is_chosen(sources, plan) and _was_over(sources, seen, found[0], session):
        left = [each for each in found[1:] if each[1].status in OPEN]
        plan, story = left[0] if len(left) == 1 else found[0]
    return StoryTarget(plan, story, baseline_now(sources, seen, plan))


def named_stories(sources: Sources, named: str, spec: str | None = None) -> list[tuple[Plan, Story]]:
    """Return the stories of all plans that a text names, that of the leading one first."""
    plans = _candidates(sources, spec)
    return [(plan, story) for plan in plans if (story := story_named(plan, named))]


def is_chosen(sources: Sources, plan: Plan) -> bool:
    """Return whether a plan leads by what somebody set, or by its branch, and not by the entries alone."""
    is_set = sources.settings.plan is not None and plan.path == posixpath.normpath(sources.settings.plan)
    return is_set or (plan.branch is not None and plan.branch == sources.branch)


def _was_over(sources: Sources, seen: Baselines, found: tuple[Plan, Story], session: str | None) -> bool:
    """Return whether a story was finished, and told, before this session: nobody finishes it now."""
    plan, story = found
    known = seen.plans.get(plan.path)
    if story.status not in FINISHED or known is None or is_another(known, plan):
        return False
    if known.statuses.get(story_key(story)) not in FINISHED:
        return False  # it has just turned, and no hook has seen that yet
    of_story = [entry for entry in sources.log.stories_logged() if _is_about(entry, plan, story)]
    sessions = {text_of(data_of(entry), "session_id") for entry in of_story if not is_signal(entry)}
    if not sessions:
        return not of_story  # what a signal alone has told waits for somebody's words
    return session is not None and None not in sessions and session not in sessions


def namesakes_of(target: StoryTarget, named: str) -> list[StoryTarget]:
    """Return all stories with the title by which one was named; none where it has that alone."""
    title = normalised(target.story.title)
    if normalised(named) != title:
        return []
    alike = {
        story_key(story): story for story in reversed(target.plan.stories) if normalised(story.title) == title
    }
    return [target._replace(story=story) for story in reversed(alike.values())] if len(alike) > 1 else []


def one_of_title(
    namesakes: Iterable[StoryTarget], sources: Sources, session: str | None, task: object
) -> tuple[StoryTarget, str | None] | None:
    """Return which story of several a task of the client's list has finished, None where none is left open.

    That which was told of this task before; else one that this session has finished otherwise, with the
    entry that says so; else the first that is open.
    """
    left: list[StoryTarget] = []
    otherwise: list[tuple[StoryTarget, str | None]] = []
    for target in namesakes:
        told = [entry for entry in sources.log.stories_logged() if _is_finished_by(entry, target)]
        tasks = [(data_of(entry).get("session_id"), data_of(entry).get("client_task")) for entry in told]
        if (session, task) in tasks:
            return target, None
        if not told and target.story.status in OPEN:
            left.append(target)
        elif told and session is not None and set(tasks) == {(session, None)}:
            otherwise.append((target, text_of(told[0], "id")))
    return otherwise[0] if otherwise else (left[0], None) if left else None


def words_beside(story: Story, subject: str) -> str | None:
    """Return what a subject says behind the story's id, where that is not the title."""
    first, _, words = subject.strip().partition(" ")
    words = words.strip(" :-–—")
    is_of_id = not story.positional and first.strip(":.,-[]()").casefold() == story.id.casefold()
    return words if is_of_id and normalised(words) not in {"", normalised(story.title)} else None


def _is_finished_by(entry: dict[str, Any], target: StoryTarget) -> bool:
    is_done = entry.get("type") == "task_completed" and _is_about(entry, target.plan, target.story)
    return is_done and data_of(entry).get("key") == target.key(Status.DONE)


def _is_about(entry: dict[str, Any], plan: Plan, story: Story) -> bool:
    planned, task = planned_as(entry), text_of(entry, "task_id")
    return planned is not None and planned.path == plan.path and task == story.id


def baseline_now(sources: Sources, seen: Baselines, plan: Plan) -> Baseline:
    """Return the baseline of a plan as it is: another one at its path begins anew."""
    return transitions(seen.plans.get(plan.path), plan, sources.head)[1]


def _candidates(sources: Sources, spec: str | None) -> Iterable[Plan]:
    plans = [plan for plan in sources.plans if may_concern(plan, spec)]
    meant = [plan for plan in plans if spec is not None and names_plan(plan, spec)]
    return sorted(meant or plans, key=lambda plan: plan is not sources.lead)
