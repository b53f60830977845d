"""What of a project is indexed: every passage of log, archive, agents' logs, plans and sessions.

What is stored is safe text without secrets.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.files import content_digest
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import archive
from progress_plugin.log.entry import data_of, is_claim, text_of, texts_of, writer_of
from progress_plugin.log.merge import effective
from progress_plugin.log.store import LOG_FILE
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.work import AgentLog, Entry, Source, Statement
from progress_plugin.recall.index import LEARNINGS, IndexedPassage, IndexedSource, stored_name
from progress_plugin.recall.still_holds import PresentState
from progress_plugin.selection.merge import is_correction
from progress_plugin.selection.model import score_statements
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.summary.shown_text import name_entry, titles_by_id
from progress_plugin.text.bounds import head
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.recalling.entry_lines import EntryLines
from progress_plugin.usecases.recalling.plan_passages import describe_plans
from progress_plugin.usecases.recalling.present_state import present_state
from progress_plugin.usecases.recalling.session_passages import sessions_of

MAX_PASSAGE_CHARS = 2000
MAX_ABOUT_CHARS = 300
MAX_STORIES = 20  # stored with each passage of an entry
HEADING_WORTH = 0.0  # a reader needs what stands below a heading
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
Texts: TypeAlias = Mapping[bytes, str]
"""Texts of a source that are safe already, by the digests of what was written."""
Read: TypeAlias = Callable[[Texts], Iterable[IndexedPassage]]


@dataclass(frozen=True, slots=True)
class ProjectHistory:
    """The files of a project's history, each with what reads its passages, and what hides parts of it."""

    sources: list[tuple[IndexedSource, Read]]
    muted: tuple[str, ...]
    present: PresentState


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What is known of an entry besides its passages."""

    heading: str
    title: str
    stories: tuple[str, ...]
    when: str
    line: int = 0
    last: int = 0
    files: tuple[str, ...] = ()
    blocker: str = ""  # id of our entry, if it states a blocker
    writer: str = ""  # the other clone that wrote it


def history_of(project: Project, inputs: InputSnapshot) -> ProjectHistory:
    """Return the files of a project's history as they are now."""
    reading = read_project(project, inputs)
    found = [*_own(reading), *_logs(reading), *_plans(reading), *sessions_of(project, inputs)]
    return ProjectHistory(found, reading.facts.own.muted, present_state(reading))


def _own(reading: Reading) -> Iterator[tuple[IndexedSource, Read]]:
    """Yield our log, then the months of the archive, the newest first."""
    log, project = reading.log, reading.project
    index = log.index
    hidden = ",".join(sorted(index.hidden)).encode("utf-8", "replace")
    later = len(log.entries)
    if log.log.raw:
        path, state = _path(project, LOG_FILE), content_digest(log.log.raw + b"\0" + hidden)
        yield (
            IndexedSource(path, state, later, 0),
            partial(_of_entries, log.entries, log.log.entries, log.log.raw),
        )
    for name in sorted(index.months, reverse=True):
        month = index.months[name]
        state = content_digest(b"%d %d " % (month.size, month.mtime) + hidden)
        path = _path(project, f"{archive.ARCHIVE_FOLDER}/{name}")
        yield IndexedSource(path, state, month.count, later), partial(_of_month, reading, name)
        later += month.count


def _path(project: Project, name: str) -> str:
    """Return the path of a file beside our log; in a linked worktree the log is in the main one."""
    if project.log_directory == project.directory:
        return f"{DATA_DIRECTORY}/{name}"
    return os.path.join(project.log_directory, *name.split("/"))


def _of_month(reading: Reading, name: str, texts: Texts) -> Iterable[IndexedPassage]:
    index = reading.log.index
    month = archive.read_month(index.directory, name)
    return _of_entries(effective(month.entries, index.hidden), month.entries, month.raw or b"", texts)


def _of_entries(
    entries: Sequence[dict[str, Any]], items: Iterable[dict[str, Any]], raw: bytes, texts: Texts
) -> Iterable[IndexedPassage]:
    """Yield what the entries that count say, each statement with its line; `items` are all of the file."""
    kept = [entry for entry in entries if not is_claim(entry)]
    log, lines = read_own_log(kept).log, EntryLines(raw)
    parts = _ids_of_parts(items)
    ids = [parts.get(text_of(entry, "id") or "", []) for entry in kept]
    known = zip(kept, log.entries, ids, strict=True)
    facts = {shown.number: _own_facts(entry, shown, lines.find(names, "")) for entry, shown, names in known}
    placed = {
        (each.entry, each.nth): line
        for each in reversed(log.statements)
        if (line := lines.find(ids[each.entry - 1], each.text))
    }
    for passage, said in _indexed(log.statements, facts, texts):
        line = placed.get((said.entry, said.nth)) or facts[said.entry].line
        yield passage._replace(line=line, last=line)


def _ids_of_parts(items: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Return for each entry its id and those of its supplements."""
    owners: dict[str, str] = {}
    parts: dict[str, list[str]] = defaultdict(list)
    for item in items:
        name = text_of(item, "id") or ""
        supplemented = (owners[each] for each in texts_of(data_of(item), "supplements") if each in owners)
        owners.setdefault(name, next(supplemented, name))
        parts[owners[name]].append(name)
    return parts


def _own_facts(entry: dict[str, Any], shown: Entry, line: int) -> EntryFacts:
    when = moment(text_of(entry, "timestamp"))
    named = (text_of(entry, "task_id"), text_of(entry, "spec"))
    is_blocker = text_of(entry, "type") == "task_blocked"
    return EntryFacts(
        heading=name_entry(shown, {}),
        title=shown.title,
        stories=tuple(name for name in named if name),
        when=written(when) if when else "",
        line=line,
        files=shown.files,
        blocker=text_of(entry, "id") or "" if is_blocker else "",
        writer=writer_of(entry) or "",
    )


def _logs(reading: Reading) -> Iterator[tuple[IndexedSource, Read]]:
    """Yield the logs that agents keep."""
    state, titles = reading.facts.state, titles_by_id(reading.facts.state)
    paths = {file.path for file in reading.facts.files}
    open_ = {(work.source.path, work.source.line) for work in state.blocked}
    stories = {work.item.id for work in state.blocked if work.item}
    for log in reading.facts.inputs.logs:
        if log.path not in paths:
            continue
        ended = {
            each.source.line
            for each in log.statements
            if each.section == "blocked" and each.entry and each.story not in stories
        } - {line for path, line in open_ if path == log.path}
        facts = {entry.number: _facts_of(entry, name_entry(entry, titles)) for entry in log.entries}
        yield _source(log, facts, ended), partial(_of_log, log, facts, ended)


def _facts_of(entry: Entry, heading: str, of_file: dt.date | None = None) -> EntryFacts:
    """Return what is known of an entry; the date of the whole file says nothing about it."""
    when = str(entry.date) if entry.date and entry.date != of_file else ""
    line, last = entry.source.line, entry.source.line
    return EntryFacts(heading, entry.title, entry.ids, when, line, last, entry.files)


def _source(
    log: AgentLog, facts: Mapping[int, EntryFacts], ended: Collection[int] = (), *, is_plan: bool = False
) -> IndexedSource:
    known = repr((log.statements, list(facts.values()), sorted(ended)))
    state = content_digest(known.encode("utf-8", "replace"))
    return IndexedSource(log.path, state, len(facts), 0, is_plan=is_plan)


def _of_log(
    log: AgentLog, facts: Mapping[int, EntryFacts], ended: Collection[int], texts: Texts
) -> Iterator[IndexedPassage]:
    yield from (passage for passage, _ in _indexed(log.statements, facts, texts, ended))


def _plans(reading: Reading) -> Iterator[tuple[IndexedSource, Read]]:
    """Yield the plans that are not part of a log, those of one file together."""
    logs = {log.path for log in reading.facts.inputs.logs}
    states = sorted(reading.facts.state.plans, key=lambda state: state.plan.path)
    for path, of_file in groupby(states, key=lambda state: state.plan.path):
        if path not in logs:
            date = reading.facts.date_of(path)
            log = describe_plans(path, list(of_file))
            facts = {each.number: _facts_of(each, "", date) for each in log.entries}
            yield _source(log, facts, is_plan=True), partial(_of_log, log, facts, ())


def _indexed(
    statements: Sequence[Statement],
    entries: Mapping[int, EntryFacts],
    texts: Texts,
    ended: Collection[int] = (),
) -> Iterator[tuple[IndexedPassage, Statement]]:
    """Yield the passages of a source. `ended` are the lines of blockers that no longer hold."""
    for statement, worth in _with_headings(statements, entries):
        facts = entries.get(statement.entry)
        stories = facts.stories if facts and facts.stories else (statement.story,) if statement.story else ()
        names = tuple(stored_name(name) for name in stories[:MAX_STORIES])
        when = facts.when if facts else ""
        title = facts.title if facts else ""
        about = " ".join(filter(None, (*names, title, statement.label, when[:10])))
        plain = head(statement.text, MAX_PASSAGE_CHARS)
        digest = content_digest(f"{plain}\0{about}".encode("utf-8", "replace"))
        text, kind = texts.get(digest) or one_line(plain), _kind(statement)
        if not text:
            continue
        passage = IndexedPassage(
            text=text,
            line=statement.source.line,
            last=statement.source.last or statement.source.line,
            entry=statement.entry,
            stories=names,
            when=when,
            kind=kind,
            worth=worth,
            about=one_line(about, MAX_ABOUT_CHARS),
            title=stored_name(title),
            blocker=stored_name(facts.blocker) if facts and kind == "blocker" else "",
            is_over=kind == "blocker" and statement.source.line in ended,
            is_heading=statement.form == "heading",
            corrects=kind in LEARNINGS and (is_correction(text) or any(map(str.isdigit, text))),
            writer=stored_name(facts.writer) if facts else "",
            digest=digest,
        )
        yield passage, statement


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
    source = Source("", facts.line, facts.last)
    if facts.heading:
        yield Statement(facts.heading, source, "task", form="heading", entry=number, nth=-1), HEADING_WORTH
    if facts.files:
        yield (
            Statement(f"Files: {', '.join(facts.files)}", source, "files", entry=number, nth=-1),
            HEADING_WORTH,
        )


def _kind(statement: Statement) -> str:
    if statement.section == "learned":
        return kind_of(statement).value
    if statement.form == "box" and statement.text.startswith("[ ]"):
        return "next"
    return KIND_OF_SECTION.get(statement.section or "", "other")
