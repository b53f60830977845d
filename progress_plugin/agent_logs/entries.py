"""Find the entries of a log by headings, lines, table rows or horizontal rules, and sort them by age."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.headings import Heading, read_heading, split_number
from progress_plugin.agent_logs.noise import is_run_mark
from progress_plugin.agent_logs.sections import TEACHING, section_of
from progress_plugin.model.work import Statement
from progress_plugin.plans.status_phrases import status_of_field
from progress_plugin.text.labels import has_box, plain, split_label, undecorated
from progress_plugin.text.markdown import Block, Document

MIN_ENTRIES = 2
MAX_LEADING_CHARS = 14  # such as `Feature #`, before the id that a line is about
MAX_MARK_BLOCKS = 6  # looked at below a heading that may only say that a run of the agent began or ended
MAX_DATE_CHARS = 12
LINE_LEVEL = 7  # below every heading
MAX_JUMP_DAYS = 200  # a date that is further from both its neighbours is not credible


@dataclass(eq=False, slots=True)
class FoundEntry:
    """One entry: its heading, completed by its fields, its blocks and its statements."""

    heading: Heading
    start: int  # index of the block that begins it
    level: int = LINE_LEVEL
    stop: int = 0  # index after its last block
    statements: list[Statement] = field(default_factory=list)


def find_entries(document: Document, plan_ids: Collection[str] = ()) -> list[FoundEntry]:
    """Return the entries in file order, found by the first strategy that finds several.

    If none finds several, return the single entry found by its heading, else the one found by its line.
    """
    single: list[FoundEntry] = []
    for strategy in (find_by_heading, find_by_line, find_by_table_row, find_by_rule):
        found = strategy(document, plan_ids)
        if len(found) >= MIN_ENTRIES:
            return with_ends(document, found)
        if strategy is find_by_heading or (strategy is find_by_line and not single):
            single = found
    return with_ends(document, single)


def with_ends(document: Document, found: list[FoundEntry]) -> list[FoundEntry]:
    """Set the end of each entry: the next entry, or before that a heading of its level or a higher one."""
    blocks = document.blocks
    limits = [entry.start for entry in found[1:]] + [len(blocks)] * bool(found)
    for entry, limit in zip(found, limits, strict=True):
        after = range(entry.start + 1, limit)
        ends = (at for at in after if blocks[at].kind == "heading" and blocks[at].depth <= entry.level)
        entry.stop = next(ends, limit)
    return found


def find_by_heading(document: Document, plan_ids: Collection[str]) -> list[FoundEntry]:
    """Take headings with an id or a date, and headings of sessions such as `Session 3`."""
    found: list[FoundEntry] = []
    for index, block in enumerate(document.blocks):
        if block.kind != "heading":
            continue
        heading = read_heading(block.text, plan_ids)
        if _is_section(block, heading) or section_of(split_label(block.text)[0]) == "date":
            continue  # `### Date: 2026-01-05` is a field
        if (heading.ids or heading.date or heading.is_session) and not _marks_run(document, index, heading):
            found.append(FoundEntry(heading, index, block.depth))
    return _drop_references(_drop_nested(document, found))


def _is_section(block: Block, heading: Heading) -> bool:
    """Return whether a heading announces or is in a section of learnings or files, so begins no entry.

    The title of a session may contain such a word: `Session 3: Improve gotchas` is an entry.
    """
    own = () if heading.is_session else (block.text,)
    return any(section_of(name) in TEACHING | {"files"} for name in (*block.path[1:], *own))


def _marks_run(document: Document, index: int, heading: Heading) -> bool:
    """Return whether a heading without id only sums up work, marks a run, or is a date with nothing below."""
    if heading.ids:
        return False
    if heading.title:
        return is_run_mark(heading.title)
    body = _body(document, index)
    if not body:
        return not heading.is_session
    has_content = any(block.kind in {"item", "heading", "row"} for block in body)
    is_field = all(split_label(body[0].text))
    return not (has_content or is_field) and is_run_mark(body[0].text)


def _body(document: Document, index: int) -> list[Block]:
    """Return the first blocks below a heading, down to the next heading of its level or a higher one."""
    body = []
    for block in document.blocks[index + 1 : index + 1 + MAX_MARK_BLOCKS]:
        if block.kind == "heading" and block.depth <= document.blocks[index].depth:
            break
        if block.kind != "rule":
            body.append(block)
    return body


def _drop_references(found: list[FoundEntry]) -> list[FoundEntry]:
    """Drop a bare heading `Session 2` if another one has a title or date: the bare one refers to it."""
    named = {entry.heading.number for entry in found if entry.heading.title or entry.heading.date}
    return [
        entry
        for entry in found
        if entry.heading.ids or entry.heading.title or entry.heading.date or entry.heading.number not in named
    ]


def _drop_nested(document: Document, found: list[FoundEntry]) -> list[FoundEntry]:
    """Drop headings that only group entries (a day, a session), and headings inside an entry.

    An entry without a date or number gets that of the heading which groups it.
    """
    kept: list[FoundEntry] = []
    group: FoundEntry | None = None
    for entry in found:
        while kept and _is_inside(document, entry, kept[-1]) and _only_groups(kept[-1], entry):
            group = kept.pop()
        if not (kept and _is_inside(document, entry, kept[-1])):
            if group and _is_inside(document, entry, group):
                own, number = entry.heading, group.heading.number
                date = own.date or group.heading.date
                entry.heading = own._replace(date=date, number=number if own.number is None else own.number)
            kept.append(entry)
    return kept


def _is_inside(document: Document, inner: FoundEntry, outer: FoundEntry) -> bool:
    between = document.blocks[outer.start + 1 : inner.start + 1]
    return all(block.depth > outer.level for block in between if block.kind == "heading")


def _only_groups(outer: FoundEntry, inner: FoundEntry) -> bool:
    if outer.level == 1 and outer.start == 0:
        return True
    is_part = inner.heading.number is not None and inner.heading.number == outer.heading.number
    return not outer.heading.ids and not is_part


def find_by_line(document: Document, plan_ids: Collection[str]) -> list[FoundEntry]:
    """Take lines that begin with a date, or with an id and its status, and lines `[US-1 Title]`.

    A list item that begins with an id of the plan needs no status. A check-box is no entry. If only one line
    is found, and it is a list item without a date, it is no entry.
    """
    found = []
    for index, block in enumerate(document.blocks):
        if block.kind not in {"paragraph", "item"} or block.depth > 1 or _is_in_other_section(block):
            continue
        line = block.text[: _end_of_first_sentence(block.text)]  # only a first sentence can be a title
        is_bracketed = line[:1] == "[" and line[-1:] == "]"
        heading = read_heading(line[1:-1] if is_bracketed else line, plan_ids)
        is_dated = _is_dated(line) and bool(heading.ids or heading.title)
        is_planned = block.kind == "item" and any(id_ in plan_ids for id_ in heading.ids)
        is_line = (is_planned or heading.status is not None or is_bracketed) and not has_box(block.text)
        is_named = bool(heading.ids) and is_line and _is_subject(line, heading.ids[0])
        if (is_dated or is_named) and section_of(split_label(heading.title)[0]) is None:
            found.append(FoundEntry(heading, index))
    lone = found[0] if len(found) == 1 else None
    is_remark = lone and lone.heading.date is None and document.blocks[lone.start].kind == "item"
    return [] if is_remark else found


def _is_dated(text: str) -> bool:
    date = find_date(plain(text[: MAX_LEADING_CHARS + MAX_DATE_CHARS]))
    return date is not None and date.start <= 1


def find_by_table_row(document: Document, plan_ids: Collection[str]) -> list[FoundEntry]:
    """Take the table rows that have a date, and an id or a status; rows without a date are a list of work."""
    found = []
    for index, block in enumerate(document.blocks):
        if block.kind != "row" or block.info == "header" or _is_in_other_section(block):
            continue
        cells = [plain(cell) for cell in block.text.split("\t")]
        date = next((date.day for cell in cells if (date := find_date(cell))), None)
        status = next((status for cell in cells if (status := status_of_field(cell))), None)
        names = [cell for cell in cells if cell and not status_of_field(cell) and not find_date(cell)]
        heading = read_heading(names[0], plan_ids) if names else Heading()
        if date and (heading.ids or status) and names:
            title = heading.title or next(iter(names[1:]), "")
            heading = heading._replace(title=title, status=status, date=date)
            found.append(FoundEntry(heading, index))
    return found


def find_by_rule(document: Document, plan_ids: Collection[str]) -> list[FoundEntry]:
    """Take the parts between horizontal rules that begin with a paragraph, if the log has no headings."""
    blocks = document.blocks
    if any(block.kind == "heading" for block in blocks) or not any(block.kind == "rule" for block in blocks):
        return []
    found = []
    for index, block in enumerate(blocks):
        if block.kind == "paragraph" and (index == 0 or blocks[index - 1].kind == "rule"):
            heading = read_heading(block.text, plan_ids)
            name, value = split_label(block.text)
            is_field = bool(value) and section_of(name) is not None
            found.append(FoundEntry(Heading(date=heading.date) if is_field else heading, index))
    return found


def _is_in_other_section(block: Block) -> bool:
    """Return whether a line is in a section of learnings, decisions or plans: no entry begins there."""
    return any(section_of(name) not in {None, "work", "status", "focus"} for name in block.path[1:])


def _is_subject(text: str, id_: str) -> bool:
    """Return whether an id begins a line, or follows its date: a line only refers to an id further on."""
    words = undecorated(plain(text))
    date = find_date(words[: MAX_LEADING_CHARS + MAX_DATE_CHARS])
    start = date.end if date and date.start <= 1 else 0
    return 0 <= words.find(id_, start) - start <= MAX_LEADING_CHARS


def after_first_sentence(text: str) -> str:
    """Return the text of a line behind its title."""
    return text[_end_of_first_sentence(text) :].lstrip(".。 ")


def _end_of_first_sentence(text: str) -> int:
    return min((at for at in (text.find(". "), text.find("。")) if at > 0), default=len(text))


def oldest_first(entries: Sequence[FoundEntry]) -> list[FoundEntry]:
    """Return the entries sorted by day, those of one day in the order of the file.

    If dates or numbers mostly fall in the file, its order is reversed first. An entry without a credible date
    stays behind the entry before it.
    """
    ordered = list(entries)
    steps = sum(_step(before, after) for before, after in itertools.pairwise(ordered))
    if steps < 0:
        ordered.reverse()
    days = _credible_days([entry.heading.date for entry in ordered])
    places = sorted(range(len(ordered)), key=lambda place: (days[place], place))
    return [ordered[place] for place in places]


def _step(before: FoundEntry, after: FoundEntry) -> int:
    """Return 1 if the second entry is later by its date, else by its number; -1 if it is earlier."""
    for one, other in zip(_places(before.heading), _places(after.heading), strict=True):
        if one is not None and other is not None and one != other:
            return 1 if other > one else -1
    return 0


def _places(heading: Heading) -> tuple[int | None, ...]:
    """Return the day of an entry, the number of its session and the number in its id."""
    parts = split_number(heading.ids[0]) if heading.ids else None
    day = heading.date.toordinal() if heading.date else None
    return day, heading.number, parts[1] if parts else None


def _credible_days(dates: Sequence[dt.date | None]) -> list[int]:
    """Return a day for each entry; if its date is missing or not credible, that of the entry before it."""
    known = [(place, date.toordinal()) for place, date in enumerate(dates) if date]
    days = dict(known)
    for (_, before), (place, day), (_, after) in zip(known, known[1:], known[2:], strict=False):
        if min(abs(day - before), abs(day - after)) > MAX_JUMP_DAYS:
            del days[place]
    found: list[int] = []
    first = next((days[place] for place in range(len(dates)) if place in days), 0)
    for place in range(len(dates)):
        found.append(days.get(place, found[-1] if found else first))
    return found
