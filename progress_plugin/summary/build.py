"""From facts to the full content of a summary, nothing left out yet (S6.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from progress_plugin.model.event import Event
from progress_plugin.model.learning import Kind, Learning
from progress_plugin.model.status import Status
from progress_plugin.model.story import Story, count
from progress_plugin.summary.content import MARKS, Content, Recent, Row, Statement, Work
from progress_plugin.summary.facts import Facts, WorkDocument
from progress_plugin.summary.history import History, StoryState
from progress_plugin.text.shown import cell, item, one_line

_TITLE = 90
_LINE = 220
_SENTENCE = 300
_BULLETS = 8
_FILES = 8
_UNWORKED = (Status.ACTIVE, Status.PENDING)


def build(facts: Facts, history: History, *, recent: int, chosen: Sequence[Learning]) -> Content:
    """Return the whole content; `recent` stories at the end, `chosen` learnings in the order of worth."""
    current = current_story(history)
    return Content(
        name=one_line(facts.name, _TITLE),
        branch=one_line(facts.branch or "", _TITLE),
        started=minute(facts.started),
        updated=last_updated(facts),
        stories=completion(history),
        current=_current_line(current),
        blocked=_blocked_lines(facts, history),
        next=_next_line(facts, history, current),
        notes=_notes(facts),
        work=_work(facts.work),
        rows=[*_earlier_rows(history), *(_row(story) for story in history.stories)],
        patterns=_statements(chosen, Kind.PATTERN),
        gotchas=_statements(chosen, Kind.GOTCHA),
        dependencies=[*_statements(chosen, Kind.DEPENDENCY), *_planned(facts.dependencies)],
        recent=recent_stories(history, recent),
        sources=", ".join(one_line(path) for path in facts.sources) or "the progress log",
    )


def completion(history: History) -> str:
    """Return `12/14 complete (86%)`; skipped stories are no part of it (S5.4)."""
    counts = history.counts()
    done, skipped = counts[Status.DONE], counts[Status.SKIPPED]
    counted = counts.total() - skipped
    if not counts.total():
        return "no stories"
    note = f", {skipped} skipped" if skipped else ""
    return f"{done}/{counted} complete ({_percent(done, counted)}%){note}"


def current_story(history: History) -> StoryState | None:
    """Return the first active story, else the next pending one that waits for nothing (S6.1)."""
    for story in history.stories:
        if story.status is Status.ACTIVE:
            return story
    for story in history.stories:
        if story.status is Status.PENDING and not (story.planned and story.planned.waits_for):
            return story
    return None


def recent_stories(history: History, number: int) -> list[Recent]:
    """Return the stories worked on last, newest first; other work takes one place at most (S6.4, S6.5)."""
    told = [_recent(history.stories[index]) for index in history.order[:number]]
    if len(told) >= number or not history.other:
        return told
    extra = next((event for event in reversed(history.other) if _worth_telling(event)), None)
    if extra is not None:
        label = one_line(extra.title or ", ".join(extra.stories), _TITLE)
        told.append(Recent(label=label, title="", mark=MARKS[extra.status.value], bullets=_bullets([extra])))
    return told


def minute(when: str | None) -> str:
    """Return `YYYY-MM-DD HH:MM` of an ISO 8601 text in UTC, or the bare day where no time is given."""
    found = re.match(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?", when or "")
    if not found:
        return ""
    return f"{found[1]} {found[2]}" if found[2] else found[1]


def last_updated(facts: Facts) -> str:
    """Return the newest date in the data, never the clock's (S6.2)."""
    dates = [event.when for event in facts.events if event.when]
    dates += [date for date in facts.updated if date]
    if facts.lead:
        dates += [story.completed_at for story in facts.lead.stories if story.completed_at]
    return max((minute(date) for date in dates), default="")


def _percent(done: int, counted: int) -> int:
    """Return whole percent; 100 only where all is done."""
    if not counted:
        return 100
    return min(round(100 * done / counted), 99) if done < counted else 100


def _name(story: StoryState) -> str:
    """Return `US-013: title`, or what there is of it."""
    label = item(story.label, _TITLE)
    return f"{label}: {one_line(story.title, _TITLE)}" if story.id and story.title else label


def _current_line(story: StoryState | None) -> str:
    if story is None:
        return ""
    attempt = (story.planned.attempts if story.planned else 0) + 1
    title = f": {one_line(story.title, _TITLE)}" if story.id and story.title else ""
    return f"{one_line(story.label, _TITLE)} (attempt {attempt}){title}"


def _blocked_lines(facts: Facts, history: History) -> list[str]:
    issues = {blocker.label.casefold(): blocker for blocker in facts.blockers}
    lines = []
    for story in history.stories:
        if story.status is not Status.BLOCKED:
            continue
        blocker = issues.pop(story.label.casefold(), None)
        why = blocker.issue if blocker else why_blocked(story)
        lines.append(f"{_name(story)}" + (f" - {one_line(why, _LINE)}" if why else ""))
    for blocker in issues.values():
        since = f" (since {minute(blocker.when)})" if minute(blocker.when) else ""
        lines.append(f"{item(blocker.label, _TITLE)}{since} - {one_line(blocker.issue, _LINE)}")
    return lines


def why_blocked(story: StoryState) -> str:
    """Return what the plan says of a blocked story: its issue, what it waits for, else its notes."""
    planned = story.planned
    if planned is None:
        return ""
    waits = f"waits for {', '.join(planned.waits_for)}" if planned.waits_for else ""
    return planned.issue or waits or planned.notes


def _next_line(facts: Facts, history: History, current: StoryState | None) -> str:
    if facts.next_step:
        return one_line(facts.next_step, _SENTENCE)
    following = [
        story
        for story in history.stories
        if story.status in _UNWORKED
        and story is not current
        and not (story.planned and story.planned.waits_for)
    ]
    if following:
        return _name(following[0])
    waiting = [story for story in history.stories if story.status is Status.PENDING and story is not current]
    if waiting and waiting[0].planned:
        return f"{_name(waiting[0])} (waits for {', '.join(waiting[0].planned.waits_for)})"
    return _name(current) if current else ""


def _notes(facts: Facts) -> list[str]:
    notes = []
    for plan in facts.other_plans:
        counts = count(plan.stories)
        title = f"{one_line(plan.name, _TITLE)} ({one_line(plan.path)})" if plan.name else one_line(plan.path)
        total = len(plan.stories) - counts["skipped"]
        notes.append(f"Another plan: {title}, {counts['done']}/{total} complete")
    notes += [f"Drift: {one_line(text, _SENTENCE)}" for text in facts.drift]
    notes += [f"Not read: {one_line(text, _SENTENCE)}" for text in facts.problems]
    return notes


def _earlier_rows(history: History) -> list[Row]:
    """Return a row for all the stories that stand alike and of which only the number is known."""
    return [
        Row(
            id="earlier",
            title=f"{number} stories",
            mark=MARKS[status.value],
            finished=status is Status.DONE,
            stories=number,
        )
        for status, number in history.earlier
    ]


def _row(story: StoryState) -> Row:
    planned: Story | None = story.planned
    title = cell(story.title, _TITLE)
    if planned and planned.waits_for and story.status is Status.PENDING:
        title += " " + cell(f"(waits for {', '.join(planned.waits_for)})", _TITLE)
    return Row(
        id=cell(story.id or "", _TITLE),
        title=title,
        mark=MARKS[story.status.value],
        agent=cell((planned.agent if planned else None) or "", 40),
        attempts=str(planned.attempts) if planned and planned.attempts else "",
        finished=story.status in (Status.DONE, Status.SKIPPED),
    )


def _statements(chosen: Sequence[Learning], kind: Kind) -> list[Statement]:
    return [
        Statement(item(learning.text, _SENTENCE), learning)
        for learning in chosen
        if learning.kind is kind and item(learning.text)
    ]


def _planned(dependencies: Sequence[Learning]) -> list[Statement]:
    return [Statement(item(learning.text, _SENTENCE), learning, counted=False) for learning in dependencies]


def _recent(story: StoryState) -> Recent:
    return Recent(
        label=one_line(story.label, _TITLE),
        title=one_line(story.title, _TITLE) if story.id else "",
        mark=MARKS[story.status.value],
        bullets=_bullets(story.events) or _from_plan(story.planned),
        files=_files(story.events),
    )


def _bullets(events: Sequence[Event]) -> list[str]:
    """Return what was done, newest entry first, each statement once however many logs repeat it."""
    seen: dict[str, str] = {}
    for event in reversed(events):
        for detail in event.details:
            text = item(detail, _LINE)
            if text:
                seen.setdefault(text.casefold(), text)
            if len(seen) == _BULLETS:
                return list(seen.values())
    return list(seen.values())


def _from_plan(story: Story | None) -> list[str]:
    notes = item(story.notes, _LINE) if story else ""
    return [notes] if notes else []


def _files(events: Sequence[Event]) -> list[str]:
    names = dict.fromkeys(one_line(name, 120) for event in reversed(events) for name in event.files)
    shown = list(names)[:_FILES]
    return [*shown, f"{len(names) - _FILES} more"] if len(names) > _FILES else shown


def _worth_telling(event: Event) -> bool:
    return bool(event.title or event.stories) and event.type not in ("session_started", "session_ended")


def _work(document: WorkDocument | None) -> Work | None:
    if document is None:
        return None
    day = minute(document.updated)
    if document.foreign_plan:
        plan = one_line(document.foreign_plan, _TITLE)
        return Work(note=f"A progress document of another plan is kept ({plan}, {day})")
    if document.outdated:
        goal = f": {one_line(document.goal, _LINE)}" if document.goal else ""
        return Work(note=f"A progress document of {day} is older than log and plan{goal}")
    return Work(
        goal=one_line(document.goal or "", _SENTENCE),
        completed=[item(text, _LINE) for text in document.completed],
        next_steps=[item(text, _LINE) for text in document.next_steps],
        blockers=[item(text, _LINE) for text in document.blockers],
        other=one_line(document.other or "", _SENTENCE),
    )
