"""Which story of a plan an event of the history is about.

That is for reading; when an entry is written `usecases.recording.stories` decides.

Ids begin again with every plan, so an id alone proves little. Entries of ours say which plan they were
written for: its path, the branch it named, and what it called the story. Plans are told apart by that, story
by story never: a title may be put in other words at any time, but not most titles of a plan at once. Where
they were, one edit after the other, the identity that the plan's baseline has kept says that it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from progress_plugin.model.event import AUTHORED, Event, PlannedAs
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.plan_and_story_identity import (
    are_others,
    may_concern,
    names_plan,
    normalised,
    title_mark,
)

if TYPE_CHECKING:
    from progress_plugin.plans.plans_of_entries import Place

EARLIER_PLAN = "an earlier plan"
"""What a plan is called that is gone, or has another in its place."""


_DETACHED = "HEAD"
"""What clients call the branch where none is checked out."""


class Attribution:
    """Knows which stories of one plan are meant, given all present plans and the whole history."""

    def __init__(
        self,
        plan: Plan,
        plans: Sequence[Plan],
        events: Iterable[Event],
        branch: str | None = None,
        identity: Callable[[], str] | None = None,
    ) -> None:
        """`branch` is checked out: a plan that names it is worked on there and nowhere else.

        `identity` returns what the plan was known as when it was last seen, and is asked only in doubt.
        """
        self._plan = plan
        self._identity = identity
        self._own_branch = branch if branch and branch == plan.branch else None
        self._others = [other for other in plans if other.path != plan.path]
        self._paths = {other.path for other in self._others}
        self._by_id = {story.id.casefold(): story for story in plan.stories if not story.positional}
        self._by_part = {
            part.id.casefold(): story
            for story in plan.stories
            for part in story.subtasks
            if not story.positional and part.id.casefold() not in self._by_id
        }
        self._by_title: dict[str, Story] = {}
        for story in plan.stories:
            if title := normalised(story.title):
                self._by_title.setdefault(title, story)
        # Mismatch, blockers, history and choice all ask about each event. It is kept with its answer, so that
        # no other object gets its number.
        self._concerns: dict[int, tuple[Event, bool]] = {}
        self._found: dict[int, tuple[Event, list[Story]]] = {}
        history = list(events)
        self._foreign = self._foreign_plans(history)
        self._mixed = self._mixed_logs(history)
        self._meant = self._plans_of_entries(history)
        self._history = history
        self._places: dict[str | None, Place] | None = None
        self._written_for = {event.planned for event in history if event.planned}
        self._others_branches: frozenset[str] | None = None
        self._elsewhere: set[str] | None = None
        self._beside: dict[str, frozenset[str]] | None = None
        self._earlier: frozenset[Place] | None = None

    def concerns(self, event: Event) -> bool:
        """Return whether an event can be about this plan: nothing says that it was another one's."""
        known = self._concerns.get(id(event))
        if known is None:
            known = self._concerns[id(event)] = event, self._can_concern(event)
        return known[1]

    def _can_concern(self, event: Event) -> bool:
        if not may_concern(self._plan, event.spec):
            return False
        planned = event.planned
        if planned is None:
            meant = self._meant_plans(event)
            if meant is not None and meant != {self._plan.path}:
                return False
            return not (self._spec_of_another(event.spec) or self._is_of_earlier_plan(event))
        return self.can_be_ours(planned)

    def speaks_of_stories(self, event: Event) -> bool:
        """Return whether the ids in the words of an entry can be those of this plan's stories."""
        is_known = bool(event.stories) or event.planned is not None
        return self.concerns(event) and (is_known or self.can_be_ours(None, event.branch))

    def is_of_plan_beside(self, event: Event) -> bool:
        """Return whether an entry was written for another plan here, on stories that this one has no ids of.

        It may be told beside this one's, as an agent's entry is that only the other plan knows.
        """
        is_beside = event.planned is not None and event.planned.path in self._paths
        return is_beside and self._by_id.keys().isdisjoint(map(str.casefold, event.stories))

    def can_be_ours(self, planned: PlannedAs | None, branch: str | None = None) -> bool:
        """Return whether what was written for a plan, or only on a branch, can be about this one.

        Every question about what is no event comes here: whose a session is, or a claim. A branch proves
        something only where another plan names it, or this one that which is checked out.
        """
        if planned is None:
            is_elsewhere = self._own_branch and branch and branch not in (self._own_branch, _DETACHED)
            return not (is_elsewhere or branch in self._branches_of_others())
        if planned.path in self._paths:
            return False
        if planned.branch and self._plan.branch and planned.branch != self._plan.branch:
            return False
        return _group(planned) not in self._foreign

    def _branches_of_others(self) -> frozenset[str]:
        if self._others_branches is None:
            named = {plan.branch for plan in self._others}
            named |= {planned.branch for planned in self._written_for if not self.can_be_ours(planned)}
            self._others_branches = frozenset(filter(None, named - {self._plan.branch}))
        return self._others_branches

    def other_plan(self, event: Event) -> str | None:
        """Return what the plan is called that an event with ids is about; None where it is this one.

        It is known by its path, one at the same path by the branch that it named.
        """
        if not event.stories:
            return None
        planned = event.planned
        if self.concerns(event):
            return self._only_other(event) if planned is None else None
        if planned is None:
            return self._meant_by(event)
        if planned.path and planned.path != self._plan.path:
            return planned.path
        is_of_branch = planned.branch and planned.branch != self._plan.branch
        return f"branch {planned.branch}" if is_of_branch else EARLIER_PLAN

    def _meant_by(self, event: Event) -> str | None:
        """Return what the plan is called that an entry means which names none; None where nothing says."""
        meant = self._meant_plans(event) or frozenset()
        if len(meant) == 1 and self._paths >= meant:
            return next(iter(meant))
        if len(meant) > 1:
            return None
        named = (other.path for other in self._others if names_plan(other, event.spec or ""))
        return next(named, EARLIER_PLAN)

    def _meant_plans(self, event: Event) -> frozenset[str] | None:
        """Return which plans an entry can mean that names none; one of ours may have been made anew."""
        meant = self._meant.get((event.source, event.position))
        if meant is not None or not self._meant or not event.entry:
            return meant
        if self._places is None:
            self._places = {each.entry: (each.source, each.position) for each in self._history if each.entry}
        return self._meant.get(self._places.get(event.entry, ("", 0)))

    def _only_other(self, event: Event) -> str | None:
        """Return the one other plan that knows the stories of an entry, of which this one knows none."""
        if not self._others:
            return None
        names = {name.casefold() for name in event.stories}
        if self.stories(event) or not names.isdisjoint(self._by_id) or not names.isdisjoint(self._by_part):
            return None
        paths = [path for path, known in self._ids_beside().items() if names <= known]
        return paths[0] if len(paths) == 1 else None

    def stories(self, event: Event) -> list[Story]:
        """Return the stories that an event is about, by its ids, else by its title; none of another plan."""
        known = self._found.get(id(event))
        if known is None:
            known = self._found[id(event)] = event, self._stories(event)
        return known[1]

    def _stories(self, event: Event) -> list[Story]:
        if not self.concerns(event):
            return []
        found = [self._by_id[name.casefold()] for name in event.stories if name.casefold() in self._by_id]
        if not found and event.title and (story := self._by_title.get(normalised(event.title))):
            found = [story]
        return list(dict.fromkeys(found))

    def stories_of_parts(self, event: Event) -> list[Story]:
        """Return the stories of which an event is about a part: it says no status of theirs.

        None where it names a story, or may be about the same part of another plan, here or before this one.
        """
        names = [name.casefold() for name in event.stories]
        if self._by_part.keys().isdisjoint(names) or self.stories(event) or not self.concerns(event):
            return []
        if not self.can_be_ours(event.planned, event.branch):
            return []
        is_ours = event.spec is not None and names_plan(self._plan, event.spec)
        if not is_ours and (self._is_known_beside(names) or self._is_from_before(event)):
            return []
        return list(dict.fromkeys(self._by_part[name] for name in names if name in self._by_part))

    def _is_known_beside(self, names: Iterable[str]) -> bool:
        """Return whether another plan here has a story or a part of one of these ids."""
        return any(not known.isdisjoint(names) for known in self._ids_beside().values())

    def _ids_beside(self) -> dict[str, frozenset[str]]:
        """Return the ids of the stories, and of their parts, of each other plan."""
        if self._beside is None:
            self._beside = {}
            for plan in self._others:
                parts = (part for story in plan.stories for part in story.subtasks)
                self._beside[plan.path] = frozenset(each.id.casefold() for each in (*plan.stories, *parts))
        return self._beside

    def _is_from_before(self, event: Event) -> bool:
        """Return whether an event came before the last one on an earlier plan at this path."""
        if not self._foreign:
            return False
        if self._earlier is None:
            last = 0
            for place, each in enumerate(self._history, 1):
                if (
                    each.planned
                    and each.planned.path == self._plan.path
                    and _group(each.planned) in self._foreign
                ):
                    last = place
            self._earlier = frozenset((each.source, each.position) for each in self._history[:last])
        return (event.source, event.position) in self._earlier

    def unplanned(self, event: Event) -> list[str]:
        """Return the ids of an event on this plan that no plan here has, subtasks counted.

        None of one whose story is found by its title: it only bears another number.
        """
        if not self.concerns(event):
            return []
        if self._elsewhere is None:
            every = [self._plan, *self._others]
            parts = (part.id for plan in every for story in plan.stories for part in story.subtasks)
            self._elsewhere = {*map(str.casefold, parts)}
            self._elsewhere |= {story.id.casefold() for plan in every for story in plan.stories}
        missing = [name for name in event.stories if name.casefold() not in self._elsewhere]
        return [] if len(missing) == len(event.stories) and self.stories(event) else missing

    def _plans_of_entries(self, history: Sequence[Event]) -> dict[Place, frozenset[str]]:
        """Return which plans the entries can mean that name none, earlier ones at this path among them."""
        written_for: dict[Place, str] = {}
        earlier: dict[str, dict[str, str]] = {}
        for event in history:
            if (planned := event.planned) is None:
                continue
            key = planned.path if planned.path in self._paths else self._plan.path
            if key == self._plan.path and not self.can_be_ours(planned):
                key = f"{planned.path} {planned.plan_id}"
                titles = earlier.setdefault(key, {name.casefold(): "" for name, _ in planned.near})
                titles.update((name.casefold(), planned.title) for name in event.stories)
            written_for[event.source, event.position] = key
        if not (self._others or earlier):
            return {}
        from progress_plugin.plans.plans_of_entries import KnownPlan, known_plan, plans_of_entries  # noqa: PLC0415 - where there are several

        here = [known_plan(plan) for plan in (self._plan, *self._others)]
        gone = [KnownPlan(key, titles) for key, titles in earlier.items()]
        return plans_of_entries([*here, *gone], history, written_for)

    def _spec_of_another(self, spec: str | None) -> bool:
        return (
            spec is not None
            and not names_plan(self._plan, spec)
            and any(names_plan(other, spec) for other in self._others)
        )

    def _mixed_logs(self, events: Iterable[Event]) -> set[str]:
        """Return the agents' logs in which most titles beside ids of this plan have no word of its titles."""
        alike: dict[str, list[bool]] = {}
        for event in events:
            if event.planned is None and (same := self._shares_words(event)) is not None:
                alike.setdefault(event.source, []).append(same)
        return {source for source, told in alike.items() if len(told) > 1 and 2 * sum(told) < len(told)}

    def _is_of_earlier_plan(self, event: Event) -> bool:
        return event.source in self._mixed and self._shares_words(event) is False

    def _shares_words(self, event: Event) -> bool | None:
        """Return whether an agent's title and the plan's share a word; None where that decides nothing.

        A heading with several ids has one title for all of them, and many logs have no titles at all.
        """
        if event.type != AUTHORED or not event.title or len(event.stories) != 1 or event.has_plans_title:
            return None
        story = self._by_id.get(event.stories[0].casefold())
        titles = (event.title, story.title if story else "")
        words, planned = (set(normalised(title).split()) for title in titles)
        return bool(words & planned) if words and planned else None

    def _foreign_plans(self, events: Iterable[Event]) -> set[tuple[str, str]]:
        """Return the plans that entries were written for and that are not this one, by path and id."""
        titles: dict[tuple[str, str], dict[str, str]] = {}
        marks: dict[tuple[str, str], dict[str, str]] = {}
        for event in events:
            if event.planned is None or not event.planned.title:
                continue
            group = _group(event.planned)
            own = {name.casefold(): event.planned.title for name in event.stories}
            titles.setdefault(group, {}).update({name: normalised(title) for name, title in own.items()})
            near = {name.casefold(): mark for name, mark in event.planned.near}
            own_marks = {name: title_mark(title) for name, title in own.items()}
            marks.setdefault(group, {}).update(near | own_marks)
        others = {group for group in titles if self._is_foreign(titles[group], marks[group])}
        if self._identity is not None and any(path == self._plan.path for path, _ in others):
            others.discard((self._plan.path, self._identity()))
        return others

    def _is_foreign(self, titles: dict[str, str], marks: dict[str, str]) -> bool:
        if not self._by_id:
            return False
        if len(marks) > 1:
            return are_others(marks, {name: title_mark(story.title) for name, story in self._by_id.items()})
        return are_others(titles, {name: normalised(story.title) for name, story in self._by_id.items()})


def _group(planned: PlannedAs) -> tuple[str, str]:
    return planned.path, planned.plan_id
