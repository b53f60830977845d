"""Read one Markdown document of an agent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

from progress_plugin.agent_logs.document import MAX_CHARS, Document, blocks_of_section, parse
from progress_plugin.agent_logs.entries import FoundEntry, find_entries, oldest_first
from progress_plugin.agent_logs.fields import Fields, read_fields, read_stated
from progress_plugin.agent_logs.learnings import find_learnings
from progress_plugin.agent_logs.noise import is_empty, is_noise, is_report, is_run_mark
from progress_plugin.agent_logs.sections import TEACHING, section_of
from progress_plugin.agent_logs.statements import is_scaffold, read_statements, shape
from progress_plugin.model.work import AgentLog, Entry, Source, Statement
from progress_plugin.text.labels import plain
from progress_plugin.text.patterns import LazyPattern

MAX_TITLE_CHARS = 120
_WORD_OF_NAME = LazyPattern(r"[A-Z]?[^\W_A-Z]+|[A-Z]+")  # `systemPatterns`, `LESSONS_LEARNED`

Kind = Literal["log", "state", "handoff", "notes"]


def read_agent_log(
    path: str,
    text: str,
    plan_ids: Collection[str] = (),
    read_section: Callable[[str], Any] = blocks_of_section,
) -> AgentLog:
    """Read a log, a state, hand-off or notes document. Never raises.

    `plan_ids` are the ids that the plans of the project use; headings name them in any shape.
    `read_section` may be a cached `blocks_of_section`.
    """
    document = parse(text, read_section)
    found = find_entries(document, plan_ids)
    statements = _with_section_of_file(read_statements(document, found, path), path)
    fields = _fields_of_entries(found, statements, plan_ids)
    found = [_with_fields(entry, fields[entry.start]) for entry in found]
    ordered = oldest_first(found)
    statements = _numbered(statements, found, ordered)
    entries = tuple(
        _entry(path, document, entry, number, fields[entry.start]) for number, entry in enumerate(ordered, 1)
    )
    stated = read_stated(statements, len(entries))
    shown = [each for each in statements if _is_shown(each)]
    is_cut = len(text) > MAX_CHARS
    return AgentLog(
        path,
        "log" if entries else _kind(path, document, statements),
        entries,
        statements=tuple(shape(shown)),
        learnings=tuple(find_learnings(statements)),
        focus=stated.focus,
        next_steps=stated.next_steps,
        blockers=stated.blockers,
        items=stated.items,
        branch=stated.branch or document.front_matter.get("branch"),
        problems=(f"{path}: only the first {MAX_CHARS:,} characters are read",) if is_cut else (),
    )


def _with_section_of_file(statements: list[Statement], path: str) -> list[Statement]:
    """Return the list items of a file that is called like learnings, e.g. `guardrails.md`, as learnings."""
    section = section_of(" ".join(_WORD_OF_NAME.findall(path.rpartition("/")[2].rpartition(".")[0])))
    if section not in TEACHING:
        return statements
    return [
        each._replace(section=each.section or section) if each.form in {"item", "row"} else each
        for each in statements
    ]


def _is_shown(statement: Statement) -> bool:
    if is_scaffold(statement) or (statement.form == "paragraph" and is_run_mark(statement.text)):
        return False
    if statement.form == "box":
        return not is_empty(statement.text)
    has_figures = "`" in statement.text or any(map(str.isdigit, statement.text))
    return not (is_noise(statement.text) or (not has_figures and is_report(statement.text)))


def _fields_of_entries(
    found: Sequence[FoundEntry], statements: Sequence[Statement], plan_ids: Collection[str]
) -> dict[int, Fields]:
    """Return the fields of each entry, by the index of its first block."""
    of_entry: dict[int, list[Statement]] = defaultdict(list)
    for statement in statements:
        of_entry[statement.entry].append(statement)
    fields = {}
    for number, entry in enumerate(found, 1):
        fields[entry.start] = read_fields(of_entry[number], plan_ids)
        if not fields[entry.start].title and not entry.heading.ids:
            fields[entry.start].title = _first_sentence(of_entry[number])
            fields[entry.start].title_line = of_entry[number][0].source.line if of_entry[number] else 0
    return fields


def _first_sentence(statements: Sequence[Statement]) -> str:
    """Return the first sentence of an entry whose heading and fields name no work."""
    if not statements or statements[0].form != "paragraph" or is_scaffold(statements[0]):
        return ""
    sentence = plain(statements[0].text).split(". ", 1)[0].rstrip(".")
    return sentence if len(sentence) <= MAX_TITLE_CHARS else ""


def _with_fields(entry: FoundEntry, fields: Fields) -> FoundEntry:
    """Return an entry whose heading has what only its fields say."""
    heading = entry.heading
    return entry._replace(
        heading=heading._replace(
            ids=heading.ids or fields.ids,
            title=heading.title or fields.title,
            date=heading.date or fields.date,
            status=heading.status or fields.status,
        ),
    )


def _numbered(
    statements: Sequence[Statement], found: Sequence[FoundEntry], ordered: Sequence[FoundEntry]
) -> list[Statement]:
    """Return the statements with the numbers, ids and dates of their entries, the oldest entry first."""
    places = {entry.start: number for number, entry in enumerate(ordered, 1)}
    numbered = []
    for statement in statements:
        if not statement.entry:
            numbered.append(statement)
            continue
        entry = found[statement.entry - 1]
        story = entry.heading.ids[0] if entry.heading.ids else None
        source = statement.source._replace(date=entry.heading.date)
        numbered.append(statement._replace(entry=places[entry.start], story=story, source=source))
    return numbered


def _entry(path: str, document: Document, found: FoundEntry, number: int, fields: Fields) -> Entry:
    heading = found.heading
    first, last = document.blocks[found.start], document.blocks[found.stop - 1]
    return Entry(
        number,
        heading.title,
        Source(path, first.first, last.last, heading.date),
        heading.ids,
        heading.date,
        heading.status,
        tuple(fields.files),
        tuple(fields.blockers),
        tuple(fields.next_steps),
        fields.title_line,
    )


def _kind(path: str, document: Document, statements: Sequence[Statement]) -> Kind:
    title = next((block.text for block in document.blocks if block.kind == "heading"), "")
    name = f"{path.rpartition('/')[2]} {title}".casefold().replace("-", "").replace("_", "")
    if "handoff" in name or "handover" in name:
        return "handoff"
    is_state = any(each.section in {"focus", "status", "next"} or each.form == "box" for each in statements)
    return "state" if is_state else "notes"
