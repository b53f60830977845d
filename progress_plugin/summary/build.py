"""From facts to the full content of a summary, nothing left out yet."""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.logged_learnings import CURED_BY
from progress_plugin.model.learning import Learning
from progress_plugin.model.origin import DOCUMENT, Cited, Origin, origins_of
from progress_plugin.model.status import Status
from progress_plugin.model.story import counts_of
from progress_plugin.passages.noise import telling_of_field
from progress_plugin.summary.asked_for import asked_for, changed_since
from progress_plugin.summary.merged_story_status import StoryHistory
from progress_plugin.summary.next_work import NextWork, claimed_by, finished_by, next_work, steps_taken_up
from progress_plugin.summary.optional_statements import find_candidates
from progress_plugin.summary.recent_stories import FIXED, recent_work
from progress_plugin.summary.shown_blockers import Blocked, blocked
from progress_plugin.summary.story_table import earlier_rows, rows_of
from progress_plugin.summary.summary_candidate import SummaryCandidate
from progress_plugin.summary.summary_input import Facts, WorkDocument
from progress_plugin.summary.unfinished_ends import unfinished_ends
from progress_plugin.summary.view_model import Content, RecentStory, Statement, WorkState
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import item, one_line

# Characters of what is shown in one line, by what it is.
_TITLE = 90
"""Longest title, label or name in a summary."""
_LINE = 220
_SENTENCE = 300
"""Longest sentence in a summary, such as the reason of a blocker."""
_FAULT = 320
_MINUTE = LazyPattern(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?")
_SHARE = LazyPattern(r" \(\d+%\)| so far")
_SOURCES = 8
"""Files named in head and foot: a project may have a plan for each of a hundred features."""


def build(  # noqa: PLR0913 - what may be told, each by name
    facts: Facts,
    history: StoryHistory,
    *,
    recent: int,
    chosen: Sequence[Learning],
    tells_learnings: bool = True,
    memo: Memo | None = None,
    work: NextWork | None = None,
) -> tuple[Content, list[SummaryCandidate]]:
    """Return what is always in it, with `recent` stories at the end, and what may be shown besides.

    `chosen` are the learnings that may be shown, in the order of worth, `tells_learnings` is whether any may,
    `memo` as in `find_candidates`, and `work` what `next_work` says, where the caller has asked.
    """
    work = work or next_work(facts, history)
    stuck = blocked(history)
    worked = recent_work(facts, history, recent)
    faults = [f"Not read: {one_line(text, _FAULT)}" for text in facts.problems]
    content = Content(
        name=one_line(facts.name, _TITLE),
        branch=branch_line(facts),
        started=Cited(minute(facts.started), *origins_of(facts.started)),
        updated=last_updated(facts),
        stories=_with_count(completion(history, more_is_open=bool(work.step)), facts.counted),
        current=_current_line(work),
        asks=asked_for(work.current, facts.lead),
        asked_since=changed_since(work.current),
        blocked=[_blocked_line(each) for each in stuck] or _waits(facts),
        blocked_in_all=len(stuck),
        next=work.line,
        notes=[*_notes(facts, work), *faults],
        faults=len(faults),
        work=_work(facts.work),
        rows=[*earlier_rows(history), *rows_of(history, memo)],
        dependencies=_planned(facts.dependencies) if tells_learnings else [],
        learnings_in_all=len(facts.learnings),
        learnings_switched_off=not tells_learnings,
        recent=[each for each, _ in worked],
        sources=some_of([one_line(path, _TITLE) for path in facts.sources], _SOURCES),
    )
    known = _told_above(content, facts, history, work, stuck)
    ends = unfinished_ends(facts, history)
    offers = find_candidates(
        facts, [events for _, events in worked], chosen, known, memo, ends.open, ends.over
    )
    return content, _with_names(offers, facts, content.recent)


def _told_above(
    content: Content, facts: Facts, history: StoryHistory, work: NextWork, stuck: Sequence[Blocked]
) -> list[str]:
    """Return what stands in the head of a summary or below its recent stories, and so nowhere else."""
    step = facts.entry_step
    return [
        content.next,
        *content.next.split("; "),  # how a list of steps is joined
        *_of_others(facts, work),
        *(text for each in stuck for text in (each.label, each.issue)),
        *facts.stated,
        *(step.statements if step and work.step == step.text else ()),
        *steps_taken_up(facts, history),
        *(
            piece
            for each in content.recent
            for text in each.bullets
            for piece in (text, text.removeprefix(FIXED), *text.split(CURED_BY), *telling_of_field(text))
        ),
        *(each.heading_words for each in content.recent),
    ]


def _with_names(
    offers: list[SummaryCandidate], facts: Facts, recent: Sequence[RecentStory]
) -> list[SummaryCandidate]:
    """Return the candidates with the writer or branch that a line has to name, where there are several."""
    if any(event.writer for event in facts.events):
        from progress_plugin.summary.statement_writers import with_writers  # noqa: PLC0415 - in teams

        offers = with_writers(offers, facts, recent)
    if any(event.branch not in (None, facts.branch) for event in facts.events):
        from progress_plugin.summary.statement_writers import with_branches  # noqa: PLC0415 - of several branches

        offers = with_branches(offers, facts)
    return offers


def _of_others(facts: Facts, work: NextWork) -> list[str]:
    """Return the next step of another clone as it was logged, where it is told in one line or the other."""
    step = facts.next_step
    if step is None or not step.writer or not (work.theirs or work.is_theirs):
        return []
    return [step.text, *telling_of_field(step.text)]


def _waits(facts: Facts) -> list[str]:
    """Return what a log says in a sentence to be in the way, where nothing is listed as a blocker."""
    if facts.waits is None:
        return []
    return [Cited(one_line(facts.waits, _SENTENCE), *origins_of(facts.waits))]


def branch_line(facts: Facts) -> str:
    """Return what is checked out, and which branch plan or log name where that is another."""
    here, named = one_line(facts.branch or "", _TITLE), one_line(facts.named_branch or "", _TITLE)
    place = next((origin.source for origin in origins_of(facts.named_branch) if origin.source), "")
    by = place if place and not (facts.lead and facts.lead.path == place) else "plan"
    if not named or named == here:
        return Cited(here, *origins_of(facts.branch), *origins_of(facts.named_branch))
    told = f"{here} ({by}: {named})" if here else f"{named} (named by {place or 'the plan'})"
    return Cited(one_line(told), *origins_of(facts.named_branch), *origins_of(facts.branch))


def completion(history: StoryHistory, *, more_is_open: bool = False) -> str:
    """Return `12/14 complete (86%)`; skipped stories are no part of it.

    Without a plan only what was logged is counted, and the text says so: nobody knows how much is left.
    `more_is_open` is whether a log says what comes next: then `3/3 complete so far`, since it is not all.
    """
    counts = history.counts()
    broken = some_of([one_line(path, _TITLE) for path in history.broken_plans], _SOURCES)
    unread = f", {broken} not read" if broken else ""
    if not counts.total():
        entries = history.unnamed
        return (f"none named, {counted(entries, 'entry')}" if entries else "no stories") + unread
    percent, skipped = history.percent(), counts[Status.SKIPPED]
    share = f" ({percent:.0f}%)" if percent is not None else ""
    note = f", {skipped} skipped" if skipped else ""
    is_planned = any(story.planned for story in history.stories)
    if unread and not is_planned:
        return f"{counts.done} complete in the log{note}{unread}"
    source = "" if is_planned else ", no plan"
    if source and more_is_open and counts.done == counts.counted:
        share = " so far"
    ahead = history.finished_ahead()
    team = f", {ahead} more finished and open in the plan here" if ahead else ""
    return f"{counts.done}/{counts.counted} complete{share}{note}{source}{team}{unread}"


def _with_count(completed: str, counted_: Cited | None) -> str:
    """Return the completion with the log's own count, beside which a share of ours would contradict it."""
    share = counted_.partition(" ")[0] if counted_ else ""
    if counted_ is None or completed.startswith(f"{share} "):
        return completed
    bare = _SHARE.sub("", completed, count=1)
    return Cited(f"{bare}; the log counts {one_line(counted_, _TITLE)} complete", *counted_.origins)


def minute(when: str | None) -> str:
    """Return `YYYY-MM-DD HH:MM` of an ISO 8601 text in UTC, or the bare day where no time is given."""
    found = _MINUTE.match(when or "")
    if not found:
        return ""
    return f"{found[1]} {found[2]}" if found[2] else found[1]


def last_updated(facts: Facts) -> str:
    """Return the newest date in the data, never the clock's."""
    dates = [event.when for event in facts.events if event.when]
    dates += [date for date in facts.updated if date]
    if facts.lead:
        dates += [story.completed_at for story in facts.lead.stories if story.completed_at]
    return max((minute(date) for date in dates), default="")


def _current_line(work: NextWork) -> str:
    """Return the line on the current story, with the number of the attempt that it is at."""
    story = work.current
    if story is None:
        return ""
    attempt = (story.planned.attempts if story.planned else 0) + 1
    title = f": {one_line(story.title, _TITLE)}" if story.id and story.title else ""
    begun = "" if work.begun else ", not begun"
    return Cited(f"{one_line(story.label, _TITLE)} (attempt {attempt}){title}{begun}", *story.origins())


def _blocked_line(each: Blocked) -> str:
    longest = _TITLE if each.title or each.issue else _SENTENCE
    name = item(each.name, longest) + (f": {one_line(each.title, _TITLE)}" if each.title else "")
    since = f"since {minute(each.since)}" if each.entry and minute(each.since) else ""
    told = ", ".join(filter(None, (f"by {one_line(each.by, _TITLE)}" if each.by else "", since)))
    return Cited(
        name
        + (f" ({told})" if told else "")
        + (f" - {one_line(each.issue, _SENTENCE)}" if each.issue else ""),
        *each.origins,
    )


def _notes(facts: Facts, work: NextWork) -> list[str]:
    share = facts.counted.partition(" ")[0] if facts.counted else ""
    is_told = bool(share and facts.focus and facts.focus.startswith(f"{share} "))
    notes = [_focus(facts.focus)] if facts.focus and not is_told else []
    notes += [f"{one_line(each.story, _TITLE)}: {one_line(claimed_by(each))}" for each in facts.claims]
    notes += [
        Cited(f"{one_line(each.story, _TITLE)}: {one_line(finished_by(each))}", Origin(entry=each.entry))
        for each in facts.finished_in_log
    ]
    for plan in facts.other_plans:
        counts = counts_of(plan.stories)
        title = f"{one_line(plan.name, _TITLE)} ({one_line(plan.path)})" if plan.name else one_line(plan.path)
        told = f"Another plan: {title}, {counts.done}/{counts.counted} complete"
        notes.append(Cited(told, Origin(plan.path)))
    if work.theirs:
        notes.append(Cited(f"Theirs: {work.theirs}", *origins_of(work.theirs)))
    notes += [f"Elsewhere: {one_line(text, _SENTENCE)}" for text in facts.elsewhere]
    notes += [f"Mismatch: {one_line(text, _SENTENCE)}" for text in facts.drift]
    return notes


def _focus(focus: Cited) -> str:
    place = next((origin.source for origin in focus.origins if origin.source), "")
    said_by = f" ({one_line(place)})" if place else ""
    return Cited(f"Focus: {one_line(focus, _SENTENCE)}{said_by}", *focus.origins)


def _planned(dependencies: Sequence[Learning]) -> list[Statement]:
    return [
        Statement(Cited(item(each.text, _SENTENCE), *origins_of(each.text)), each) for each in dependencies
    ]


def _work(document: WorkDocument | None) -> WorkState | None:
    if document is None:
        return None
    day = minute(document.updated)
    by = f" by {one_line(document.by, _TITLE)}" if document.by else ""
    if document.foreign_plan:
        plan = one_line(document.foreign_plan, _TITLE)
        return WorkState(note=Cited(f"A progress document of another plan is kept ({plan}, {day})", DOCUMENT))
    if document.outdated:
        goal = f": {one_line(document.goal, _LINE)}" if document.goal else ""
        return WorkState(
            note=Cited(f"A progress document of {day}{by} is older than log and plan{goal}", DOCUMENT)
        )
    return WorkState(
        note=Cited(f"Last written{by}, {day}", DOCUMENT) if by else "",
        goal=Cited(one_line(document.goal or "", _SENTENCE), DOCUMENT),
        completed=[Cited(item(text, _LINE), DOCUMENT) for text in document.completed],
        next_steps=[Cited(item(text, _LINE), DOCUMENT) for text in document.next_steps],
        other=Cited(one_line(document.other or "", _SENTENCE), DOCUMENT),
    )
