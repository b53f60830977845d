"""Which blockers of agents' own logs are still open, and which story each is about.

What such a log itself says of them is read in `passages.stated_status`; here it is told what our own log and
the entry that a blocker is in say of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of
from progress_plugin.log.supplements import EARLIER, SUPPLEMENTED_BY
from progress_plugin.model.event import Event
from progress_plugin.model.origin import Cited
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.story import Story
from progress_plugin.passages.passage import Reading
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.baseline import own_status
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.summary.summary_input import OpenBlocker
from progress_plugin.text.section_names import SectionKind
from progress_plugin.usecases.summarizing.sources import Sources

_DAY = len("2026-01-01")
_REASONS = ("issue", "description")


def stated_blockers(
    stated: Iterable[Cited],
    sources: Sources,
    attribution: Attribution | None,
    ours: Sequence[OpenBlocker],
    readings: Iterable[Reading],
) -> list[OpenBlocker]:
    """Return what agents' logs call blockers, less what our log has resolved since; `ours` are open.

    An entry that is blocked and calls nothing a blocker is one by what it says, for as long as it is the last
    word of its log on the story.
    """
    ended = _Ended(sources, ours)
    owners = [(text, _owner(text, sources)) for text in stated]
    known = {name.casefold() for each in ours if (name := each.story or each.task)}
    for event in _blocked_entries(sources, readings):
        planned = attribution.stories(event) if attribution else []
        # Where the plan calls it blocked, too, the plan says why.
        is_new = attribution is None or any(own_status(story) is not Status.BLOCKED for story in planned)
        if is_new and event.stories[0].casefold() not in known:
            owners.append((Cited("; ".join(event.trouble), event.origin), event))
    found = []
    for text, owner in owners:
        others = _in_other_plans(owner, sources, attribution) if owner is not None else []
        is_over = bool(others) and all(story.status in FINISHED for story in others)
        if not is_over and not ended.includes(text, owner):
            found.append(_blocker(text, owner, attribution, is_elsewhere=bool(others)))
    return found


def _in_other_plans(event: Event, sources: Sources, attribution: Attribution | None) -> list[Story]:
    """Return the stories of other plans that an entry names, where the leading plan has none of them."""
    if not event.stories or attribution is None or attribution.stories(event):
        return []
    named = event.stories[0].casefold()
    others = (plan for plan in sources.plans if plan is not sources.lead)
    return [story for plan in others for story in plan.stories if story.id.casefold() == named]


def _blocked_entries(sources: Sources, readings: Iterable[Reading]) -> list[Event]:
    """Return the blocked entries without a list of blockers that are their log's last on a story."""
    found = []
    for log in sources.logs:
        last = {event.stories[0].casefold(): event for event in log.events if event.stories}
        found += [each for each in last.values() if each.status is Status.BLOCKED]
    if not found:
        return []
    listed = {
        (each.source, each.entry)
        for reading in readings
        for each in reading.passages
        if each.section is SectionKind.BLOCKED
    }
    return [event for event in found if (event.source, event.position) not in listed]


def _owner(text: Cited, sources: Sources) -> Event | None:
    """Return the entry of an agent's log that a statement is in; None of one outside of entries."""
    at = text.origins[0]
    log = next((log for log in sources.logs if log.source == at.source), None)
    position = log.owner_of_line(at.line)[1] if log else 0
    return log.events[position - 1] if log and position else None


def _blocker(
    text: Cited, event: Event | None, attribution: Attribution | None, *, is_elsewhere: bool
) -> OpenBlocker:
    """Return a statement as a blocker, of the story of an entry that is blocked; else it is about none."""
    origin = text.origins[0]
    if event is not None and (event.status is Status.BLOCKED or is_elsewhere):
        planned = attribution.stories(event) if attribution else []
        name = planned[0].id if planned else next(iter(event.stories), None)
        if name is not None and (planned or is_elsewhere or attribution is None):
            issue = text.removeprefix(f"{name}: ")
            return OpenBlocker(
                id="", label=name, issue=issue, when=event.when, task=name, origin=origin,
                story=name if planned else None,
            )  # fmt: skip
    return OpenBlocker(id="", label=text, issue="", origin=origin)


class _Ended:
    """What our own log has resolved: tasks and reasons, each with the day of its end."""

    def __init__(self, sources: Sources, ours: Iterable[OpenBlocker]) -> None:
        entries = sources.log.entries
        still_open = {blocker.id for blocker in ours}
        self._tasks: dict[str, str] = {}
        self._reasons: dict[str, str] = {}
        blockers = {
            name: entry for entry in entries if entry.get("type") == "task_blocked" for name in _names(entry)
        }
        for entry in entries:
            day = (text_of(entry, "timestamp") or "")[:_DAY]
            if entry.get("type") == "debug_resolved" and (task := text_of(entry, "task_id")):
                self._tasks[task.casefold()] = day
            for name in texts_of(data_of(entry), "resolves"):
                if name in blockers and text_of(blockers[name], "id") not in still_open:
                    self._reasons |= dict.fromkeys(_reasons(blockers[name]), day)
        for blocker in ours:
            self._tasks.pop((blocker.story or blocker.task or "").casefold(), None)

    def includes(self, text: Cited, event: Event | None) -> bool:
        """Return whether a statement in this entry of an agent's log is over: nothing newer says it again."""
        written = (event.when or "")[:_DAY] if event else ""
        names = [name.casefold() for name in event.stories] if event else []
        said = [
            normalised(text),
            *(normalised(text.removeprefix(f"{name}: ")) for name in (event.stories if event else ())),
        ]
        days = [self._tasks.get(name, "") for name in names] + [self._reasons.get(each, "") for each in said]
        return any(day and day >= written for day in days)


def _names(entry: dict[str, Any]) -> list[str]:
    return [*texts_of(entry, "id"), *texts_of(entry, SUPPLEMENTED_BY)]


def _reasons(entry: dict[str, Any]) -> Iterator[str]:
    data = data_of(entry)
    for text in [*(text_of(data, name) for name in _REASONS), *texts_of(data, EARLIER)]:
        if text:
            yield normalised(text)
