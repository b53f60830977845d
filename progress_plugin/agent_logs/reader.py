"""Read one Markdown document of an agent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from typing import Any

from progress_plugin.agent_logs import fields
from progress_plugin.agent_logs.entries import FoundEntry, find_entries, oldest_first
from progress_plugin.agent_logs.headings import read_heading
from progress_plugin.agent_logs.learnings import find_learnings
from progress_plugin.agent_logs.noise import is_empty, is_noise, is_report, is_run_mark
from progress_plugin.agent_logs.sections import TEACHING, section_of
from progress_plugin.agent_logs.statements import is_scaffold, read_statements, shape
from progress_plugin.model.work import AgentLog, AgentLogKind, Entry, FoundFile, Source, Statement
from progress_plugin.plans.plan_words import read_field
from progress_plugin.text.labels import plain
from progress_plugin.text.markdown import MAX_CHARS, Document, blocks_of_section, parse
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.patterns import LazyPattern

MAX_TITLE_CHARS = 120
_WORD_OF_NAME = LazyPattern(r"[A-Z]?[^\W_A-Z]+|[A-Z]+")  # `systemPatterns`, `LESSONS_LEARNED`


def read_agent_log(
    path: str,
    text: str,
    plan_ids: Collection[str] = (),
    read_section: Callable[[str], Any] = blocks_of_section,
    file: FoundFile | None = None,
) -> AgentLog:
    """Read a log, a state, hand-off or notes document. Never raises.

    `plan_ids` are the ids of all items of plans: a heading may begin with one, whatever its form.
    `read_section` may be a cached `blocks_of_section`. Outside of entries, steps, blockers and focus without
    a date get that of a field `Last updated`, else of `file`; in the newest entry that of `file`. Notes have
    no entries: their sections are decisions or findings.
    """
    date = file.date if file else None
    is_notes = file is not None and file.kind == "notes"
    document = parse(text, read_section)
    found = [] if is_notes else find_entries(document, plan_ids)
    statements = _with_section_of_file(read_statements(document, found, path), path)
    _read_fields_of_entries(found, statements, plan_ids)
    ordered = oldest_first(found)
    statements = _add_entry_data(statements, found, ordered)
    entries = tuple(_entry(path, document, entry, number) for number, entry in enumerate(ordered, 1))
    starts = [entry.source.line for entry in entries]
    between = range(min(starts, default=0) + 1, max(starts, default=0))  # as old as the entries around it
    outside = [each for each in statements if not (each.entry or each.source.line in between)]
    outside = _add_missing_dates(outside, fields.last_update(outside) or date)
    newest = _add_missing_dates([each for each in statements if entries and each.entry == len(entries)], date)
    telling = [each for each in statements if _says_something(each)]
    is_cut = len(text) > MAX_CHARS
    return AgentLog(
        path,
        "notes" if is_notes else "log" if entries else _kind(path, document, statements),
        entries,
        statements=tuple(shape([each for each in telling if _is_shown(each)])),
        learnings=tuple(find_learnings(telling)),
        focus=fields.find_focus(newest) or fields.find_focus(outside),
        next_steps=fields.find_steps(newest) or fields.find_steps(outside),
        blockers=fields.find_blockers(newest) + fields.find_blockers(outside),
        items=fields.find_boxes(outside or newest),  # one entry may be the whole document
        branch=fields.find_branch(newest) or fields.find_branch(outside) or _branch_of(document.front_matter),
        problems=(f"{path}: only the first {MAX_CHARS:,} characters are read",) if is_cut else (),
    )


def _add_missing_dates(statements: Sequence[Statement], date: dt.date | None) -> list[Statement]:
    """Give a date to the statements that have none."""
    return [each._replace(source=each.source._replace(date=each.source.date or date)) for each in statements]


def _branch_of(front_matter: str) -> str | None:
    values = (read_field(line, "branch_fields") for line in front_matter.split("\n"))
    return next((value.strip("\"'") for value in values if value), None)


def _with_section_of_file(statements: list[Statement], path: str) -> list[Statement]:
    """Put list items and rows into the section of learnings that the file is named after: `gotchas.md`."""
    section = section_of(" ".join(_WORD_OF_NAME.findall(path.rpartition("/")[2].rpartition(".")[0])))
    if section not in TEACHING:
        return statements
    return [
        each._replace(section=each.section or section) if each.form in {"item", "row"} else each
        for each in statements
    ]


def _says_something(statement: Statement) -> bool:
    return not (is_empty(statement.text) if statement.form == "box" else is_noise(statement.text))


def _is_shown(statement: Statement) -> bool:
    if is_scaffold(statement) or (statement.form == "paragraph" and is_run_mark(statement.text)):
        return False
    has_figures = "`" in statement.text or any(map(str.isdigit, statement.text))
    return statement.form == "box" or has_figures or not is_report(statement.text)


def _read_fields_of_entries(
    found: Sequence[FoundEntry], statements: Sequence[Statement], plan_ids: Collection[str]
) -> None:
    """Give each entry its statements, and fill the missing parts of its heading from them."""
    for statement in statements:
        if statement.entry:
            found[statement.entry - 1].statements.append(statement)
    for entry in found:
        has_ids = bool(entry.heading.ids)
        entry.heading = fields.with_fields(entry.heading, entry.statements, plan_ids)
        telling = (each for each in entry.statements if not (is_noise(each.text) or is_report(each.text)))
        first = None if entry.heading.title or has_ids else next(telling, None)
        if first:
            title, line = _first_sentence(first), first.source.line
            entry.heading = entry.heading._replace(title=title, title_line=line)
            named = read_heading(title, plan_ids)
            if named.ids and set(plan_ids).issuperset(named.ids):
                status = entry.heading.status or named.status
                entry.heading = entry.heading._replace(ids=named.ids, title=named.title, status=status)


def _first_sentence(statement: Statement) -> str:
    """Return the first sentence of a paragraph as a title, or an empty text if it cannot be one."""
    if statement.form != "paragraph" or is_scaffold(statement):
        return ""
    sentence = plain(statement.text).split(". ", 1)[0].rstrip(".")
    return sentence if len(sentence) <= MAX_TITLE_CHARS else ""


def _add_entry_data(
    statements: Sequence[Statement], found: Sequence[FoundEntry], ordered: Sequence[FoundEntry]
) -> list[Statement]:
    """Return the statements with the first ids, dates and numbers of their entries; the oldest entry is 1."""
    places = {entry: number for number, entry in enumerate(ordered, 1)}

    def with_entry_data(statement: Statement) -> Statement:
        entry = found[statement.entry - 1]
        source = Source(*statement.source[:3], entry.heading.date)
        story = next(iter(entry.heading.ids), None)
        return statement._replace(entry=places[entry], story=story, source=source)

    return [with_entry_data(each) if each.entry else each for each in statements]


def _entry(path: str, document: Document, found: FoundEntry, number: int) -> Entry:
    heading, blocks = found.heading, document.blocks
    source = Source(path, blocks[found.start].first, blocks[found.stop - 1].last, heading.date)
    files = [file for each in found.statements if each.section == "files" for file in paths_in(each.text)]
    return Entry(
        number,
        heading.title,
        source,
        heading.ids,
        heading.date,
        heading.status,
        tuple(dict.fromkeys(files)),
        tuple(blocker.text for blocker in fields.find_blockers(found.statements)),
        tuple(step.text for step in fields.find_steps(found.statements)),
        heading.title_line,
    )


def _kind(path: str, document: Document, statements: Sequence[Statement]) -> AgentLogKind:
    title = next((block.text for block in document.blocks if block.kind == "heading"), "")
    name = f"{path.rpartition('/')[2]} {title}".casefold().replace("-", "").replace("_", "")
    if "handoff" in name or "handover" in name:
        return "handoff"
    is_state = any(each.section in {"focus", "status", "next"} or each.form == "box" for each in statements)
    return "state" if is_state else "notes"
