"""The passages of our log, its archive, agents' logs and plans: safe text without secrets."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import Any

from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.files import content_digest
from progress_plugin.core.project import Project
from progress_plugin.log import archive
from progress_plugin.log.entry import is_claim, text_of, writer_of
from progress_plugin.log.merge import effective
from progress_plugin.log.store import LOG_FILE
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.status import FINISHED, SHOWN_WORDS, Status
from progress_plugin.model.work import AgentLog, Entry, Item, Statement
from progress_plugin.model.work import Source as Place
from progress_plugin.plans.status_phrases import without_status
from progress_plugin.recall.index import LEARNINGS, Passage, Source, story_list
from progress_plugin.selection.merge import is_correction
from progress_plugin.selection.model import score_statements
from progress_plugin.state.state import ItemState, PlanState
from progress_plugin.summary.own_log import read_entries
from progress_plugin.summary.shown_text import titles_by_id
from progress_plugin.text.bounds import head
from progress_plugin.text.safe_output import one_line, stored_line
from progress_plugin.usecases.reading import Reading

MAX_PASSAGE_CHARS = 2000
MAX_ABOUT_CHARS = 300
MAX_NAME_CHARS = 200
MAX_STORIES = 20  # stored with each passage of an entry
MAX_OPEN_ITEMS = 5  # named in the overview of a plan
HEADING_WORTH = 0.0  # a reader needs what is below a heading
KIND_OF_SECTION = {
    "pattern": "pattern",
    "gotcha": "gotcha",
    "dependency": "dependency",
    "blocked": "blocker",
    "next": "next",
    "deferred": "next",
    "status": "status",
    "focus": "status",
    "task": "story",
    "work": "work",
    "files": "files",
    "checks": "checks",
    "notes": "notes",
}
_ID = re.compile(rb'"id": ?"((?:entry|[A-Za-z])[\w.-]{0,200})"')


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What is known of an entry besides its statements."""

    heading: str = ""
    title: str = ""
    stories: tuple[str, ...] = ()  # as they are stored, like the title
    at: str = ""
    line: int = 0
    files: tuple[str, ...] = ()
    blocker: str = ""  # id of our entry, if it states a blocker
    writer: str = ""  # the other clone that wrote it


def sources_of(reading: Reading) -> Iterator[Source]:
    """Yield the sources of a project's history that are files."""
    yield from _own_sources(reading)
    yield from _log_sources(reading)
    yield from _plan_sources(reading)


def stored_name(text: str) -> str:
    """Return an id or title as it is stored and looked for."""
    return stored_line(text)[:MAX_NAME_CHARS]


@lru_cache(maxsize=8192)
def safe(text: str) -> str:
    """Return a text of a plan as one line without secrets; the state asks for the same ids and titles."""
    return one_line(text)


def _own_sources(reading: Reading) -> Iterator[Source]:
    """Yield our log, then the months of the archive, the newest first."""
    log, project = reading.log, reading.project
    index = log.index
    hidden = ",".join(sorted(index.hidden)).encode("utf-8", "replace")
    later = len(log.entries)
    if log.log.raw:
        state = content_digest(log.log.raw + b"\0" + hidden)
        read = partial(_of_entries, log.entries, log.log.raw)
        yield Source(_path(project, LOG_FILE), state, read, later)
    for name in sorted(index.months, reverse=True):
        month = index.months[name]
        state = content_digest(b"%d %d " % (month.size, month.mtime) + hidden)
        path = _path(project, f"{archive.ARCHIVE_FOLDER}/{name}")
        yield Source(path, state, partial(_of_month, reading, name), month.total, later)
        later += month.total


def _path(project: Project, name: str) -> str:
    """Return the path of a file beside our log, which a linked worktree has in the main one."""
    if project.log_directory == project.directory:
        return f"{DATA_DIRECTORY}/{name}"
    return os.path.join(project.log_directory, *name.split("/"))


def _of_month(reading: Reading, name: str) -> Iterable[Passage]:
    index = reading.log.index
    month = archive.read_month(reading.project.log_directory, name)
    return _of_entries(effective(month.entries, index.hidden), month.raw or b"")


def _of_entries(entries: Sequence[dict[str, Any]], raw: bytes) -> Iterator[Passage]:
    """Return what the entries that count say; the line of a passage is that of its entry's id."""
    lines: dict[str, int] = {}
    for number, text in enumerate(raw.split(b"\n"), 1):
        for name in _ID.findall(text):
            lines.setdefault(name.decode(), number)
    kept = [entry for entry in entries if not is_claim(entry)]
    log = read_entries(kept)
    facts = {
        shown.number: _own_facts(entry, shown, lines.get(text_of(entry, "id") or "", 0))
        for entry, shown in zip(kept, log.entries, strict=True)
    }
    statements = [
        each._replace(source=each.source._replace(line=facts[each.entry].line, last=0))
        for each in log.statements
    ]
    return _passages(statements, facts)


def _own_facts(entry: dict[str, Any], shown: Entry, line: int) -> EntryFacts:
    when = moment(text_of(entry, "timestamp"))
    is_blocker = text_of(entry, "type") == "task_blocked"
    named = (text_of(entry, "task_id"), text_of(entry, "spec"))
    return EntryFacts(
        heading=_heading(shown, {}),
        title=stored_name(shown.title),
        stories=tuple(stored_name(name) for name in named if name),
        at=written(when) if when else "",
        line=line,
        files=shown.files,
        blocker=(text_of(entry, "id") or "") if is_blocker else "",
        writer=writer_of(entry) or "",
    )


def _log_sources(reading: Reading) -> Iterator[Source]:
    """Yield the logs that agents keep."""
    state, titles = reading.facts.state, titles_by_id(reading.facts.state)
    paths = {file.path for file in reading.facts.files}
    open_ = {(work.source.path, work.source.line) for work in state.blocked}
    stories = {work.item.id for work in state.blocked if work.item}
    for log in reading.facts.inputs.logs:
        if log.path not in paths:
            continue
        blockers = (each for each in log.statements if each.section == "blocked")
        ended = {each.source.line for each in blockers if each.entry and each.story not in stories}
        ended -= {line for path, line in open_ if path == log.path}
        facts = {each.number: _facts_of(each, _heading(each, titles)) for each in log.entries}
        known = repr((list(facts.values()), sorted(ended))).encode("utf-8", "replace")
        digest = content_digest((reading.inputs.read(log.path) or b"") + known)
        read = partial(_passages, log.statements, facts, ended)
        yield Source(log.path, digest, read, len(log.entries))


def _plan_sources(reading: Reading) -> Iterator[Source]:
    """Yield the plans that are not part of a log, those of one file together."""
    logs = {log.path for log in reading.facts.inputs.logs}
    states = sorted(reading.facts.state.plans, key=lambda state: state.plan.path)
    for path, of_file in groupby(states, key=lambda state: state.plan.path):
        if path not in logs:
            date = reading.facts.date_of(path)
            log = _describe_plans(path, list(of_file))
            facts = {each.number: _facts_of(each, "", date) for each in log.entries}
            yield Source.of(path, list(_passages(log.statements, facts)), is_plan=True)


def _facts_of(entry: Entry, heading: str, of_file: dt.date | None = None) -> EntryFacts:
    """Return what is known of an entry; the date of the whole file says nothing about it."""
    when = str(entry.date) if entry.date and entry.date != of_file else ""
    stories = tuple(map(stored_name, entry.ids[:MAX_STORIES]))
    return EntryFacts(heading, stored_name(entry.title), stories, when, entry.source.line, entry.files)


def _heading(entry: Entry, titles: Mapping[str, str]) -> str:
    """Return date, ids and title of an entry, else the title of its story in a plan."""
    ids = ", ".join(entry.ids)
    planned = next(filter(None, (titles.get(each.casefold()) for each in entry.ids)), "")
    title = entry.title or safe(planned)
    name = title if title.casefold().startswith(ids.casefold()) else f"{ids}: {title}" if title else ids
    return f"{entry.date or ''} {name}".strip()


def _passages(
    statements: Sequence[Statement], entries: Mapping[int, EntryFacts], ended: Collection[int] = ()
) -> Iterator[Passage]:
    """Yield the passages of a document. `ended` are the lines of blockers that are over."""
    for statement, worth in _with_headings(statements, entries):
        facts = entries.get(statement.entry, EntryFacts())
        text, kind = _safe_text(statement), _kind(statement)
        if not text:
            continue
        names = facts.stories or ((stored_name(statement.story),) if statement.story else ())
        yield Passage(
            kind,
            worth,
            text,
            line=statement.source.line,
            last=statement.source.last or statement.source.line,
            entry=statement.entry,
            stories=story_list(names),
            at=facts.at,
            about=" ".join((*names, facts.title, statement.label, facts.at[:10]))[:MAX_ABOUT_CHARS],
            title=facts.title,
            blocker=facts.blocker if kind == "blocker" else "",
            is_over=kind == "blocker" and statement.source.line in ended,
            is_heading=statement.form == "heading",
            corrects=kind in LEARNINGS and (is_correction(text) or any(map(str.isdigit, text))),
            writer=stored_name(facts.writer),
        )


def _safe_text(statement: Statement) -> str:
    """Return what a statement says. Each line of a log was redacted when it was read or written.

    Several lines, or the cells of a row, may show a secret only when they are put together.
    """
    text = head(statement.text, MAX_PASSAGE_CHARS)
    is_one_line = statement.form != "row" and statement.source.last in {0, statement.source.line}
    return stored_line(text) if is_one_line else one_line(text)


def _with_headings(
    statements: Sequence[Statement], entries: Mapping[int, EntryFacts]
) -> Iterator[tuple[Statement, float]]:
    """Yield statements with their worth to a reader, those of an entry below its heading and its files."""
    worths = iter(score_statements(statements))
    left = dict(entries)
    for number, of_entry in groupby(statements, key=lambda each: each.entry):
        if number in left:
            yield from _headings(number, left.pop(number))
        yield from ((each, next(worths)) for each in of_entry)
    for number, facts in left.items():
        yield from _headings(number, facts)


def _headings(number: int, facts: EntryFacts) -> Iterator[tuple[Statement, float]]:
    place = Place("", facts.line, facts.line)
    if facts.heading:
        yield Statement(facts.heading, place, "task", form="heading", entry=number, nth=-1), HEADING_WORTH
    if facts.files:
        text = f"Files: {', '.join(facts.files)}"
        yield Statement(text, place, "files", entry=number, nth=-1), HEADING_WORTH


def _kind(statement: Statement) -> str:
    if statement.section == "learned":
        return kind_of(statement).value
    if statement.form == "box" and statement.text.startswith("[ ]"):
        return "next"
    return KIND_OF_SECTION.get(statement.section or "", "other")


def _describe_plans(path: str, states: Sequence[PlanState]) -> AgentLog:
    """Return the plans of one file as a log with an entry for each item. Plans were not redacted before."""
    items = [each for state in states for each in (*state.groups, *state.items)]
    items.sort(key=lambda each: each.item.source.line)
    entries = tuple(_plan_entry(number, each.item) for number, each in enumerate(items, 1))
    statements = [each for state in states for each in _overview(state)]
    statements += [each for entry, item in zip(entries, items, strict=True) for each in _of_item(entry, item)]
    return AgentLog(path, "state", entries, tuple(statements))


def _plan_entry(number: int, item: Item) -> Entry:
    ids = (safe(item.id),) if item.id else ()
    return Entry(
        number, safe(item.title), item.source, ids, item.source.date, files=(*map(safe, item.files),)
    )


def _name(item: Item) -> str:
    return _heading(_plan_entry(0, item)._replace(date=None), {})


def _name_with_status(state: ItemState) -> str:
    return f"{_name(state.item)} ({SHOWN_WORDS[state.status]})"


def _overview(state: PlanState) -> Iterator[Statement]:
    """Yield how far a plan is: what is done, what was done last, what is open."""
    done = [each for each in state.items if each.status is Status.DONE]
    open_ = [each for each in state.items if each.status not in FINISHED]
    first = state.items[0].item.source if state.items else Place(state.plan.path)
    counts = f"{state.done} of {state.total} stories done, {len(open_) or 'none'} open"
    yield Statement(counts, first, "status")
    if done:
        last = max(reversed(done), key=lambda each: each.item.source.date or dt.date.min)
        yield Statement(f"Last finished: {_name(last.item)}", last.item.source, "status")
    if open_:
        named = [_name_with_status(each) for each in open_[:MAX_OPEN_ITEMS]]
        more = [f"{len(open_) - MAX_OPEN_ITEMS} more"] if len(open_) > MAX_OPEN_ITEMS else []
        yield Statement(f"Next and open: {'; '.join([*named, *more])}", open_[0].item.source, "status")


def _of_item(entry: Entry, state: ItemState) -> Iterator[Statement]:
    """Yield what an item asks for; what a finished item asked for is not to be done any more."""
    item, is_over = state.item, state.status in FINISHED
    reasons = [each.text for each in state.reports if each.is_plan and each.status is Status.BLOCKED]
    texts = [("task", _name_with_status(state))]
    texts += [("task" if is_over else "blocked", f"Blocked by: {without_status(text)}") for text in reasons]
    texts += [("task" if is_over else "next", item.description), ("notes", item.notes)]
    texts += [("notes", f"Acceptance criterion: {text}") for text in item.criteria]
    for nth, (section, text) in enumerate(texts):
        if text:
            safe, story = one_line(text), entry.ids[0] if entry.ids else None
            yield Statement(safe, item.source, section, form="item", entry=entry.number, nth=nth, story=story)
