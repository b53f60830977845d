"""The decided state for recall: passages of the plans, and the current state of stories and blockers."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby

from progress_plugin.model.status import FINISHED, SHOWN_WORDS, Status
from progress_plugin.model.work import Entry, Item
from progress_plugin.plans.documents import LOG_FORMAT
from progress_plugin.plans.status_phrases import without_status
from progress_plugin.recall.index import LEARNINGS, IndexedFile, Passage, stories_in, story_list
from progress_plugin.selection.similarity import Muted
from progress_plugin.state.state import ItemState, PlanState, State, Work
from progress_plugin.summary.shown_text import name_work
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.text.search_terms import terms_of
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recalling.passages import MAX_PASSAGE_CHARS, describe_heading, stored_name

MAX_OPEN_ITEMS = 5  # named in the overview of a plan
MAX_LINE_CHARS = 300
MAX_PLANS = 3  # of one story
OVERVIEW_WORTH, ITEM_WORTH, DETAIL_WORTH = 0.2, 0.25, 0.15


def plan_sources(reading: Reading) -> Iterator[IndexedFile]:
    """Yield the plans that are not part of a log, those of one file together."""
    plans = (state for state in reading.facts.state.plans if state.plan.format != LOG_FORMAT)
    states = sorted(plans, key=lambda state: state.plan.path)
    for path, of_file in groupby(states, key=lambda state: state.plan.path):
        yield IndexedFile(path, _plan_passages(list(of_file), reading.facts.date_of(path)), is_plan=True)


def with_present_state(reading: Reading, sources: Iterable[IndexedFile]) -> Iterator[IndexedFile]:
    """Yield the sources with the present status of each passage's story, and without muted learnings."""
    status_of = lru_cache(maxsize=8192)(partial(_status_of, _known_stories(reading)))
    muted = Muted(reading.facts.own.muted)

    def passages(source: IndexedFile) -> Iterator[Passage]:
        plan = source.path if source.is_plan else ""
        for each in source.passages:
            status = status_of(each.stories, each.title, plan) if each.stories else ""
            yield each._replace(text=_unmuted_text(each, muted), story_status=status)

    for source in sources:
        yield source._replace(passages=passages(source))


def _known_stories(reading: Reading) -> dict[str, list[tuple[frozenset[str], str, str]]]:
    """Map each casefolded id to its stories: title terms, status, path. Our log gives only a status."""
    known = defaultdict[str, list[tuple[frozenset[str], str, str]]](list)
    for plan in reading.facts.state.plans:
        for each in (*plan.items, *plan.groups):
            if each.item.id:
                story = frozenset(terms_of(_safe(each.item.title))), each.status.value, _safe(plan.plan.path)
                known[_safe(each.item.id).casefold()].append(story)
    records = [record for record in reading.facts.own.records if record.status]
    logged = {_safe(each.story).casefold(): [(frozenset[str](), str(each.status), "")] for each in records}
    return {**logged, **known}


def _status_of(
    known: Mapping[str, Sequence[tuple[frozenset[str], str, str]]], stories: str, title: str, of_plan: str
) -> str:
    """Return the status of a passage's story: `done`, or `done in prd.json, pending in TODO.md`.

    A passage of a plan is about the story of that plan. Two plans may use one id: a story whose title has no
    word in common with `title` is another one. Empty if no source states a status.
    """
    names, own = stories_in(stories), frozenset(terms_of(title))
    found = [
        (status, plan)
        for terms, status, plan in known.get(names[0].casefold(), ())
        if of_plan in ("", plan) and not (own and terms and own.isdisjoint(terms))
    ]
    # The second name of an entry of our log is its spec, which may be part of the plan's path.
    found = [each for each in found if any(name in each[1].split("/") for name in names[1:])] or found
    statuses = {status for status, _ in found}
    if len(statuses) <= 1:
        return "".join(statuses)
    return ", ".join(f"{status} in {plan or 'the log'}" for status, plan in found[:MAX_PLANS])


def _unmuted_text(passage: Passage, muted: Muted) -> str:
    """Return the text of a passage without muted learnings; a `; ` may join several of them."""
    if passage.kind not in LEARNINGS:
        return passage.text
    parts = [part for part in passage.text.split("; ") if not muted.hides(part)]
    return "" if muted.hides(passage.text) else "; ".join(parts)


@lru_cache(maxsize=8192)
def _safe(text: str) -> str:
    """Return a text of a plan as one line without secrets; plans were not redacted when they were read."""
    return one_line(text)


def _plan_passages(states: Sequence[PlanState], file_date: dt.date | None) -> Iterator[Passage]:
    """Yield the passages of the plans of one file. The date of an item is left out if it is `file_date`."""
    for state in states:
        yield from _overview(state)
    items = sorted(
        (each for state in states for each in (*state.groups, *state.items)),
        key=lambda each: each.item.source.line,
    )
    for number, each in enumerate(items, 1):
        yield from _item_passages(number, each, file_date)


def _overview(state: PlanState) -> Iterator[Passage]:
    """Yield the progress of a plan: its done, last done and open items."""
    done = [each.item for each in state.items if each.status is Status.DONE]
    open_ = [each for each in state.items if each.status not in FINISHED]
    first = state.items[0].item.source.line if state.items else 0
    counts = f"{state.done} of {counted(state.total, 'story')} done, {len(open_) or 'none'} open"
    lines = [(counts, first)]
    if done:
        last = max(reversed(done), key=lambda item: item.source.date or dt.date.min)
        lines.append((f"Last finished: {_name(last)}", last.source.line))
    if open_:
        named = [_name_with_status(each) for each in open_[:MAX_OPEN_ITEMS]]
        more = [f"{len(open_) - MAX_OPEN_ITEMS} more"] if len(open_) > MAX_OPEN_ITEMS else []
        lines.append((f"Next and open: {'; '.join([*named, *more])}", open_[0].item.source.line))
    for text, line in lines:
        yield Passage("status", OVERVIEW_WORTH, text, line)


def _item_passages(number: int, state: ItemState, file_date: dt.date | None) -> Iterator[Passage]:
    """Yield the passages of an item. Those of a finished item are neither `next` nor `blocker`."""
    item, is_over = state.item, state.status in FINISHED
    date = item.source.date
    story = Passage(
        "story",
        ITEM_WORTH,
        _name_with_status(state),
        item.source.line,
        entry=number,
        stories=story_list([stored_name(_safe(item.id))] if item.id else ()),
        at=str(date) if date and date != file_date else "",
        title=stored_name(_safe(item.title)),
    )
    yield from story.with_files(map(_safe, item.files))
    reasons = [each.text for each in state.reports if each.is_plan and each.status is Status.BLOCKED]
    texts = [("story" if is_over else "blocker", f"Blocked by: {without_status(text)}") for text in reasons]
    texts += [("story" if is_over else "next", item.description), ("notes", item.notes)]
    texts += [("notes", f"Acceptance criterion: {text}") for text in item.criteria]
    for kind, text in texts:
        if text:
            yield story._replace(kind=kind, worth=DETAIL_WORTH, text=one_line(text)[:MAX_PASSAGE_CHARS])


def _name(item: Item) -> str:
    return describe_heading(Entry(0, _safe(item.title), item.source, (_safe(item.id),) if item.id else ()))


def _name_with_status(state: ItemState) -> str:
    return f"{_name(state.item)} ({SHOWN_WORDS[state.status]})"


def answers(state: State) -> dict[str, tuple[str, ...]]:
    """Return the lines that answer each topic from the state; none if nothing is known."""
    ahead = [("Current", state.current), ("Next", state.next), *(("Next step", step) for step in state.steps)]
    steps = [f"{label}: {_line(work)}" for label, work in ahead if work is not None]
    if not steps and state.is_complete:
        steps = [f"{state.done} of {counted(state.total or 0, 'story')} done, nothing open is known"]
    return {
        "blocker": tuple(f"Blocked: {_line(work)}" for work in state.blocked),
        "next": tuple(dict.fromkeys(steps)),
    }


def _line(work: Work) -> str:
    return one_line(f"{name_work(work)}: {work.reason}" if work.reason else name_work(work), MAX_LINE_CHARS)
