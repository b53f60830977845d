"""What was worked on last: which stories are shown as recent, and what is told below each."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from progress_plugin.core.git import is_compiled
from progress_plugin.learnings.logged_learnings import CURED_BY
from progress_plugin.learnings.merge import Muted
from progress_plugin.model.event import AUTHORED, SCOPE_CHANGE, THIS_CLONE, TYPE_OF_STATUS, Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.passages.passage import Passage
from progress_plugin.passages.sentences import statements
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.plan_and_story_identity import brief, ids_named, normalised
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.shown_blockers import is_over
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.view_model import OTHER_WORK, RecentStory
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import item, one_line

_TITLE = 90
_LINE = 220
_LONGEST = 1500
_BULLETS = 12
"""Most items under one recent story."""
_FILES = 8
"""Most files under one recent story."""
_NAMED = 3
"""Most ids that are named before a statement."""
_LONG_FOLDER = 12
"""Characters from which a folder's name is not said again for each of its files."""
_WAS_BLOCKED = "Was blocked, no longer: "
"""What stands before the words of a blocker that is over."""
FIXED = "Fixed: "
"""What stands before the words of a mended bug: they say what was wrong, mostly, as if it still were."""
_MENDED = "debug_resolved"
_SAYS_FIXED = LazyPattern(r"\W*(?:fix(?:ed|es)?|(?:re)?solved)\b", re.IGNORECASE)
_SCOPE_CHANGED = "Scope changed"
"""Heading of a change of scope that is about no story here: what it says is one statement below it."""


def recent_work(facts: Facts, history: StoryHistory, number: int) -> list[tuple[RecentStory, list[Event]]]:
    """Return what was worked on last, newest first, with its events.

    An entry that covers several stories is one item, and so are all entries of one story; work on no story
    takes one place at most. Of what was done only the sentences are shown with which somebody logged it.
    """
    groups: list[list[StoryState]] = []
    for index in history.order:
        story = history.stories[index]
        if groups and story.newest is groups[-1][-1].newest:
            groups[-1].append(story)
        elif len(groups) < number:
            groups.append([story])
        else:
            break
    found = [_recent(facts, stories) for stories in groups]
    if len(found) < number:
        extra = next((event for event in reversed(history.other) if _worth_telling(event)), None)
        if extra is not None:
            place = {id(event): number for number, event in enumerate(facts.events)}
            older = (
                at
                for at, (_, events) in enumerate(found)
                if max((place.get(id(event), -1) for event in events), default=-1) < place.get(id(extra), -1)
            )
            found.insert(next(older, len(found)), (_other_work(facts, extra), [extra]))
    return found


def _recent(facts: Facts, stories: Sequence[StoryState]) -> tuple[RecentStory, list[Event]]:
    first, *more = stories
    events = sorted({id(event): event for story in stories for event in story.told}.values(), key=_order)
    label, title = first.label, first.title if first.id else ""
    if more:
        label, title = ", ".join(story.label for story in reversed(stories)), ""
    marks = dict.fromkeys(story.shown_mark for story in stories)
    label, title = one_line(label, 2 * _TITLE), one_line(title, _TITLE)
    newest = [first.newest.origin] if first.newest else []
    by = one_line(first.finished_by.by, _TITLE) if first.finished_by else _by(first.newest)
    origins = dict.fromkeys([*(origin for story in stories for origin in story.origins()), *newest])
    item_ = RecentStory(
        label=Cited(label, *origins),
        title=Cited(title, *origins),
        mark="".join(marks),
        bullets=_sentences(facts, events, title or label, by) or _from_plan(first),
        by=by,
        evidence=_evidence(facts, done := [each for each in stories if each.status is Status.DONE]),
        finished=len(done),
    )
    return item_, events


def _other_work(facts: Facts, event: Event) -> RecentStory:
    names = ", ".join(event.stories)
    is_of_none = event.type == SCOPE_CHANGE and not event.planned
    label, title = _SCOPE_CHANGED if is_of_none else one_line(event.title or names, _TITLE), ""
    plan = facts.attribution.other_plan(event) if facts.attribution else None
    # A story of another plan has its id there; the id of a task that no plan knows says nothing more.
    if names and event.title and (plan or event.planned):
        label, title = one_line(names, _TITLE), label
    if plan:
        label = f"{label} ({one_line(plan, _TITLE)})"
    return RecentStory(
        label=Cited(label, event.origin),
        title=Cited(title, event.origin) if title else "",
        mark=OTHER_WORK if event.status is Status.ACTIVE else SHOWN_MARKS[event.status.value],
        bullets=_sentences(facts, [event], title or label, _by(event)),
        by=_by(event),
        evidence=one_line(dict(facts.evidence).get(event.entry or "", ""), _LINE),
    )


def _sentences(facts: Facts, events: Sequence[Event], heading: str, by: str) -> list[str]:
    """Return the sentences with which a story was logged, newest first, but not its heading once more.

    Who said it is named where that is another clone than `by`, which the heading names.
    What was in its way and is no longer is said to be so: beside what mended it, it would contradict that.
    """
    known = {normalised(text) for text in (*facts.muted, heading)}
    muted = Muted(facts.muted) if facts.muted else None  # hardly ever
    cured, own = _cured(facts), {event.entry for event in events}
    endings = {
        name: f" ({item(each.how, _LINE)})"
        for name, each in facts.ended.items()
        if not (each.issue or each.by in own)
    }
    found: dict[str, str] = {}
    for event in reversed(events):
        for text in _troubles_ended(facts, event, own):
            if normalised(text) not in known:
                line = with_name(_WAS_BLOCKED + item(text, _LINE), name_of(event, by))
                found.setdefault(text.casefold(), Cited(line, event.origin))
        for sentence in event.details[: event.said]:
            if normalised(sentence) in known:
                continue
            for piece in statements(one_line(sentence, _LONGEST)):
                if muted and muted.hides(Learning(kind=LearningKind.GOTCHA, text=piece, source=event.source)):
                    continue
                told = cured.get(normalised(piece)) or as_fixed(piece, event)
                if text := item(told, _LONGEST):
                    told = _WAS_BLOCKED + text if is_over(event, facts) else text
                    told += endings.pop(event.entry or "", "")
                    line = with_name(told, name_of(event, by))
                    found.setdefault(text.casefold(), Cited(line, event.origin))
    return list(found.values())[:_BULLETS]


def _troubles_ended(facts: Facts, event: Event, own: Container[str | None]) -> Iterator[str]:
    """Yield what was wrong, by its own `issue`, where this entry told of that, or ended it elsewhere.

    `own` are the entries that are told at the same place: what one of them says of the end is told by itself.
    """
    ended = facts.ended.get(event.entry or "")
    if ended is not None and ended.issue:
        yield ended.issue if ended.by in own else f"{ended.issue} ({ended.how})"
    for name, each in facts.ended.items() if event.entry else ():
        if each.by == event.entry and name not in own and (told := each.issue or each.said):
            yield told


def as_fixed(text: str, event: Event | None) -> str:
    """Return what somebody said of a bug, as of one that is mended where the entry says so."""
    if event is None or event.type != _MENDED or _SAYS_FIXED.match(text):
        return text
    return FIXED + text


def _cured(facts: Facts) -> dict[str, str]:
    """Return each cause of a mended bug with its cure: logged as a sentence, too, it is told once."""
    return {
        normalised(each.text.partition(CURED_BY)[0]): each.text
        for each in facts.learnings
        if CURED_BY in each.text
    }


def _from_plan(story: StoryState) -> list[str]:
    """Return the plan's notes, but not of what a log tells as finished: they say how it was before."""
    if story.status is Status.DONE and story.told:
        return []
    notes = item(story.planned.notes, _LINE) if story.planned else ""
    return [Cited(notes, *story.origins())] if notes else []


def _evidence(facts: Facts, finished: Sequence[StoryState]) -> str:
    """Return what transcripts prove of the newest completion of each of these stories."""
    known = dict(facts.evidence)
    told = []
    for story in finished if known else ():
        done = (event for event in reversed(story.events) if event.status is Status.DONE and event.entry)
        newest = next(done, None)
        told.append(known.get((newest.entry or "") if newest else "", ""))
    return one_line("; ".join(dict.fromkeys(filter(None, told))), _LINE)


def _by(event: Event | None) -> str:
    return one_line(event.writer, _TITLE) if event and event.writer else ""


def _order(event: Event) -> tuple[str, int]:
    return event.when or "", event.position


def _worth_telling(event: Event) -> bool:
    if event.type == TYPE_OF_STATUS[Status.BLOCKED]:
        return False  # it is told with what is blocked, or no longer true
    marks_only = event.type in ("session_started", "session_ended") and not event.said
    return bool(event.title or event.stories) and not marks_only


def files_of(events: Sequence[Event], sources: Sequence[str]) -> list[str]:
    """Return the files that these entries name, the newest entry's first, and how many more there are.

    Plan and logs are left out, since whoever finishes a story edits them, and what Python compiled. What an
    agent's own log lists of the work goes before the files of the commit: that may have taken along what else
    lay about.
    """
    names: dict[str, Origin] = {}
    listed = max((_day(event) for event in events if event.type == AUTHORED and event.files), default=None)
    for event in reversed(events):
        if event.is_committed and listed is not None and _day(event) <= listed:
            continue
        for name in event.files:
            if name not in sources and not is_compiled(name):
                names.setdefault(one_line(name, 120), event.origin)
    shown = _by_folder([Cited(name, origin) for name, origin in list(names.items())[:_FILES]])
    return [*shown, f"{len(names) - _FILES} more"] if len(names) > _FILES else shown


def _day(event: Event) -> str:
    """Return the day of an entry: agents' logs often have no more."""
    return (event.when or "")[: len("2026-11-23")]


def _by_folder(names: Sequence[Cited]) -> list[str]:
    """Return the files, those of one folder beside each other, so that its name is said once.

    Joined by commas they read `folder/{a.py, b.py}`; each stays a text that knows where it is named.
    """
    folders: dict[str, list[Cited]] = {}
    for name in names:
        folder = name.rpartition("/")[0]
        folders.setdefault(folder if len(folder) >= _LONG_FOLDER else name, []).append(name)
    return [shown for folder, inside in folders.items() for shown in _inside(folder, inside)]


def _inside(folder: str, names: Sequence[Cited]) -> list[str]:
    if len(names) == 1:
        return [*names]
    texts = [name.rpartition("/")[2] for name in names]
    texts[0], texts[-1] = f"{folder}/{{{texts[0]}", f"{texts[-1]}}}"
    return [Cited(text, *name.origins) for text, name in zip(texts, names, strict=True)]


def name_of(event: Event | None, heading: str = "") -> str:
    """Return who said something, where that is another than its heading names; empty for the same one.

    `heading` is empty where that names nobody: then what was written here needs no name.
    """
    writer = event.writer if event is not None else None
    name = one_line(writer, _TITLE) if writer else THIS_CLONE if heading else ""
    return "" if name == heading else name


def with_name(text: str, name: str) -> str:
    """Return `text (by host-b)`, or the text alone where nobody has to be named."""
    return f"{text} (by {name})" if name else text


def _joined(names: Sequence[str]) -> str:
    """Return ids as they stand before a statement that is about all of them."""
    shown = ", ".join(map(brief, names[:_NAMED]))
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown


class StoryNames:
    """What stories are called before statements that stand for themselves.

    `events` are those of all logs, by source and position.
    """

    def __init__(self, attribution: Attribution | None, events: Mapping[tuple[str, int], Event]) -> None:
        self._attribution = attribution
        self._events = events
        self._specs: dict[str, set[str]] | None = None

    def of(self, passage: Passage) -> str:
        """Return the id, with the plan where another one is meant, with the spec where several have it.

        Empty for a statement that is about no story.
        """
        if not passage.story:
            return ""
        name = brief(passage.story)
        event = self._events.get((passage.source, passage.entry))
        if event is None:
            return name
        if event.stories[1:]:
            name = _joined(ids_named(f"{passage.label} {passage.lead}", event.stories) or event.stories)
        if self._attribution is not None:
            plan = self._attribution.other_plan(event)
            return f"{name} ({one_line(plan, _TITLE)})" if plan else name
        is_of_several = event.spec and len(self._specs_of(passage.story)) > 1
        return f"{one_line(event.spec or '', _TITLE)} {name}" if is_of_several else name

    def _specs_of(self, story: str) -> set[str]:
        if self._specs is None:
            self._specs = {}
            for event in self._events.values():
                for name in event.stories:
                    self._specs.setdefault(name.casefold(), set()).add((event.spec or "").casefold())
        return self._specs.get(story.casefold(), set())
