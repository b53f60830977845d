"""Which of several plans an entry means that names none, where more than one knows its id.

Agents write an id into their log and no plan, and ids begin again with every plan. What an entry says itself
goes first: its title, its files, that the story was finished, its date. Then come the entries around it: work
goes on in one plan until it goes on in another. Where nothing decides, the entry is no plan's.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from progress_plugin.model.event import Event
from progress_plugin.model.status import OPEN, Status
from progress_plugin.model.story import Plan
from progress_plugin.plans.plan_and_story_identity import may_concern, names_plan, normalised

_DAY = len("2026-01-01")

Place = tuple[str, int]
"""Source and position of an event."""


class KnownPlan(NamedTuple):
    """A plan that entries can mean: one that is there, or one of which only entries of ours tell."""

    key: str
    """Its path, or what else tells it from all others."""
    titles: Mapping[str, str]
    """Of its stories, by id in small letters; empty where it is not known."""
    open: frozenset[str] = frozenset()
    """The ids of the stories that it calls unfinished."""
    plan: Plan | None = None
    """None of one that is not there."""


def known_plan(plan: Plan) -> KnownPlan:
    """Return a plan that is there as one that entries can mean; positions are no ids."""
    named = [story for story in plan.stories if not story.positional]
    return KnownPlan(
        plan.path,
        {story.id.casefold(): story.title for story in named},
        frozenset(story.id.casefold() for story in named if story.status in OPEN),
        plan,
    )


def plans_of_entries(
    plans: Sequence[KnownPlan], events: Sequence[Event], written_for: Mapping[Place, str]
) -> dict[Place, frozenset[str]]:
    """Return the keys of the plans that each entry can mean which names none; most mean one.

    Only entries are there whose ids several plans know. `events` come oldest first, and `written_for` has
    the key of the plan of those that name one.
    """
    shared = _known_to_several(plans)
    if not shared:
        return {}
    return _Deciding(plans, events, written_for, shared).decided()


def _known_to_several(plans: Iterable[KnownPlan]) -> set[str]:
    once: set[str] = set()
    shared: set[str] = set()
    for each in plans:
        shared |= once & each.titles.keys()
        once |= each.titles.keys()
    return shared


def _names(event: Event) -> frozenset[str]:
    return frozenset(map(str.casefold, event.stories))


class _Deciding:
    def __init__(
        self,
        plans: Sequence[KnownPlan],
        events: Sequence[Event],
        written_for: Mapping[Place, str],
        shared: set[str],
    ) -> None:
        self._plans = plans
        self._shared = shared
        self._open = {each.key: each.open for each in plans}
        self._events = [event for event in events if event.stories]
        self._named = [written_for.get((event.source, event.position)) for event in self._events]
        self._files: dict[tuple[str, str], set[str]] = {}
        """What entries that name a plan touched, by plan and story."""
        self._touched: dict[tuple[str, str], set[str]] = {}
        """The same of all entries so far whose plan is known."""
        self._finished: dict[str, set[str]] = {}
        """What these have finished, by plan."""
        for event, key in zip(self._events, self._named, strict=True):
            for name in _names(event) if key and event.files else ():
                self._files.setdefault((key or "", name), set()).update(event.files)

    def decided(self) -> dict[Place, frozenset[str]]:
        """Return what each entry on a story of several plans can mean."""
        meant = [
            frozenset({key}) if key else self._by_itself(event)
            for event, key in zip(self._events, self._named, strict=True)
        ]
        found: dict[Place, frozenset[str]] = {}
        following = self._following(meant)
        last: dict[str, int] = {}
        for at, event in enumerate(self._events):
            names, keys = _names(event), meant[at]
            if len(keys) > 1:
                told = {
                    key for key in keys if event.status is Status.DONE and self._is_told(event, names, key)
                }
                ready = {key for key in keys if key in last or names.isdisjoint(self._open[key])}
                before = max(keys & last.keys(), key=lambda key: last[key], default=None)
                keys = _by_neighbours(keys, before, following.get(at), told, ready)
                keys = self._by_folder(event, keys) if len(keys) > 1 else keys
            if len(keys) == 1:
                key = next(iter(keys))
                last[key] = at
                self._note(event, names, key)
            if event.planned is None and not self._shared.isdisjoint(names):
                found[event.source, event.position] = keys
        return found

    def _note(self, event: Event, names: frozenset[str], key: str) -> None:
        """Remember what an entry says of the plan that it means, for those after it."""
        if event.status is Status.DONE:
            self._finished.setdefault(key, set()).update(names)
        for name in names if event.files else ():
            self._touched.setdefault((key, name), set()).update(event.files)

    def _is_told(self, event: Event, names: frozenset[str], key: str) -> bool:
        """Return whether an earlier entry finished these stories of a plan, with none of the same files.

        Work on the same files is told once more, such as a review.
        """
        if not names <= self._finished.get(key, set()):
            return False
        return all(self._touched.get((key, name), set()).isdisjoint(event.files) for name in names)

    def _following(self, meant: Sequence[frozenset[str]]) -> dict[int, str]:
        """Return for each entry that can mean several plans which of them comes next for certain."""
        found: dict[int, str] = {}
        soonest: dict[str, int] = {}
        for at in reversed(range(len(meant))):
            if len(meant[at]) == 1:
                soonest[next(iter(meant[at]))] = at
            elif near := meant[at] & soonest.keys():
                found[at] = min(near, key=lambda key: soonest[key])
        return found

    def _by_itself(self, event: Event) -> frozenset[str]:
        """Return the plans that an entry can mean by what it says itself."""
        names = _names(event)
        left = [each for each in self._plans if _can_mean(each, event, names)]
        if len(left) > 1:
            for speaks_for in self._proofs(event, names):
                left = [each for each in left if speaks_for(each)] or left
        return frozenset(each.key for each in left)

    def _proofs(self, event: Event, names: frozenset[str]) -> Iterator[Callable[[KnownPlan], bool]]:
        """Yield what speaks for a plan, the strongest proof first."""
        spec, touched = event.spec, frozenset(event.files)
        if spec is not None:
            yield lambda each: each.plan is not None and names_plan(each.plan, spec)
        if event.branch is not None:
            yield lambda each: each.plan is not None and each.plan.branch == event.branch
        yield lambda each: names <= each.titles.keys()
        if most := max(_likeness(event, each.titles, names) for each in self._plans):
            yield lambda each: _likeness(event, each.titles, names) == most
        if touched:
            yield lambda each: any(touched & self._files.get((each.key, name), set()) for name in names)
        yield lambda each: not _is_older(event, each)
        if event.status is Status.DONE:
            yield lambda each: names.isdisjoint(each.open)

    def _by_folder(self, event: Event, keys: frozenset[str]) -> frozenset[str]:
        """Return the one plan beside which the log is, where nothing else speaks for any."""
        folder = posixpath.dirname(event.source)
        beside = [
            each.key
            for each in self._plans
            if each.plan and each.key in keys and posixpath.dirname(each.plan.path) == folder
        ]
        return frozenset(beside) if len(beside) == 1 else keys


def _can_mean(each: KnownPlan, event: Event, names: frozenset[str]) -> bool:
    if names.isdisjoint(each.titles):
        return False
    return each.plan is None or may_concern(each.plan, event.spec)


def _by_neighbours(
    keys: frozenset[str],
    before: str | None,
    after: str | None,
    told: Container[str],
    ready: Collection[str],
) -> frozenset[str]:
    """Return what the entries around one say that can mean several plans.

    `before` is the last of these plans that was at work, `after` the next, `told` are those that have
    finished these stories already, and `ready` those that have been at work or call these stories finished.
    """
    if before is None or after is None:
        found = before or after
        if found is not None and found == before and found in told and any(key != found for key in ready):
            # It was finished for the plan that the work went on to.
            return keys - {found} if len(keys) == 2 else keys  # noqa: PLR2004 - one other
    elif before == after:
        found = before
    else:
        found = after if before in told else None
    return frozenset({found}) if found is not None else keys


def _likeness(event: Event, titles: Mapping[str, str], names: frozenset[str]) -> int:
    """Return how many words a title and the plan's share; a heading of several ids has one for all."""
    if not event.title or event.has_plans_title or len(names) != 1:
        return 0
    words = set(normalised(event.title).split())
    return len(words & set(normalised(titles.get(next(iter(names)), "")).split()))


def _is_older(event: Event, each: KnownPlan) -> bool:
    started = each.plan.started if each.plan else None
    return bool(started and event.when and event.when[:_DAY] < started[:_DAY])
