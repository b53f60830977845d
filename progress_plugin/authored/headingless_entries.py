"""Find the entries of logs that have no headings for them: lines, items, table rows, sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from progress_plugin.authored.dates import find_date
from progress_plugin.authored.entry import LOWEST, AuthoredEntry, EntryCandidate
from progress_plugin.authored.heading import Heading, read_heading, status_of
from progress_plugin.authored.run_markers import is_run_marker
from progress_plugin.model.status import Status, parse_box
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.markdown import Block, BlockKind, cells
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, section_of

_LONGEST_LINE = 400
_LEAD = 14
"""Characters such as `Feature #` that may precede the id a line is about."""
_BOX = LazyPattern(r"\[([^\]\w]|[xX])\]\s")
_BOLD_NAME = LazyPattern(r"(?:\[.\]\s+)?\*\*[^*]+\*\*(?=\s*[-–—:(])")
_SENTENCE_END = LazyPattern(r"\. |(?<=[!?]) (?=[A-Z])|(?<=[。！？])")
"""Where the first sentence of a paragraph ends: no more of it is a title."""
_REMARK = LazyPattern(r"(?:（(.+)）|\(([^()]+)\))\s*[:：]?\s*$")
_NAMES_STORY = LazyPattern(
    r"(?:story|task|feature|ticket|issue|item)(?: ?id)?|id|#|任务|故事|tarea|historia|aufgabe"
)
_NAMES_STATUS = LazyPattern(r"status|state|result|done|状态|状態|进度|結果|estado|statut|статус|状況|상태")
_NAMES_TITLE = LazyPattern(
    r"title|name|description|summary|notes?|task|what|任务|任務|タスク|작업|задача|标题|名称|タイトル|内容|제목|название|título|titolo|titel|titre"
)
_NAMES_DATE = LazyPattern(
    r"date|when|time|(?:completed|finished|done)(?: at| on)?|日期|时间|日付|日時|날짜|дата|когда|fecha|"
    r"cuándo|datum|wann|data|quando|quand"
)


def by_anything(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[EntryCandidate]:
    """Return the lines, fields, items or rows that are entries; none where nothing looks like one."""
    found = _more(by_line(blocks, known), by_field(blocks, known))
    return found or _more(by_item(blocks, known), by_dated_item(blocks, known)) or by_row(blocks, known)


def _more(one: list[EntryCandidate], other: list[EntryCandidate]) -> list[EntryCandidate]:
    return other if len(other) > len(one) else one


def by_line(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[EntryCandidate]:
    """Take lines at the margin that begin with a date or an id: `[2026-01-05 09:10] Task 4 - title`."""
    found = []
    for index, block in enumerate(blocks):
        if block.kind not in {BlockKind.TEXT, BlockKind.LABEL} or block.indent:
            continue
        line = block.text
        if len(line) > _LONGEST_LINE:
            line = _stamped_name(line)
        heading = read_heading(line, known)
        titled = heading.session or (heading.title and not _is_label(heading.title))
        dated = titled and heading.date and heading.date.start <= 1
        numbered = bool(heading.ids) and (heading.ids[0] in known or _is_sure(heading))
        if (dated or numbered) and not is_run_marker(heading):
            sentence = _SENTENCE_END.split(heading.title, maxsplit=1)[0] if heading.title else None
            found.append(EntryCandidate(index, LOWEST, heading._replace(title=sentence)))
    found = _without_remarks(blocks, found)
    return _without_starts(found) if len(found) > 1 or any(_is_stamped(blocks, c) for c in found) else []


def _stamped_name(line: str) -> str:
    """Return the first sentence of a paragraph if that is a time and a name with its status, else nothing.

    `2026-01-05T10:30Z — crane-oiling — PASSED. What was done…`
    """
    first = shortened(line, _LONGEST_LINE).split(". ", 1)[0]
    read = read_heading(first, {}) if first[:1].isdigit() or first[:1] == "[" else None
    return first if read and read.date and read.date.clock and read.status and read.ids else ""


def _without_remarks(blocks: tuple[Block, ...], found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Drop dated lines that only remark on a run, without id or text, where most others begin with ids."""
    named = [candidate for candidate in found if candidate.heading.ids]
    starts = {candidate.index for candidate in found}
    last = len(blocks) - 1
    ids = {c.heading.ids[0] for c in named if not c.heading.ids[0].isdigit()}
    told = [
        c
        for c in found
        if c.heading.ids
        or not (c.index + 1 in starts or c.index == last or _speaks_of(c.heading.title or "", ids))
    ]
    return told if len(named) > len(told) - len(named) else found


def _speaks_of(title: str, ids: set[str]) -> bool:
    """Return whether a line is about a story that others begin with: `Started worker for task-4`."""
    return bool(ids) and not ids.isdisjoint(word.strip("():,.") for word in title.split())


def _is_stamped(blocks: tuple[Block, ...], candidate: EntryCandidate) -> bool:
    """Return whether a line is an entry even if it is the only one: a timed session, `[2026-01-05] title`."""
    heading = candidate.heading
    if not heading.date:
        return False
    bracketed = heading.date.start == 0 and blocks[candidate.index].text.startswith("[")
    return bracketed or bool(heading.session and heading.date.clock)


def _is_sure(heading: Heading) -> bool:
    """Return whether an id is one even in a plain line: `A-1` is, `S3` only with status or date beside it."""
    id_ = heading.ids[0]
    if heading.status is not None and heading.date is not None:
        return True
    told = heading.status is not None or heading.date is not None
    return id_[-1].isdigit() and (told or "-" in id_)


def _is_label(title: str) -> bool:
    """Return whether a dated line carries a learning or a note, and begins no entry."""
    return section_of(split_label(title)[0]) is not None


def _without_starts(found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Drop the line that says a story was begun where a later one says how it ended."""
    last = {candidate.heading.ids: candidate.index for candidate in found if candidate.heading.ids}
    return [
        candidate
        for candidate in found
        if candidate.heading.status is not Status.ACTIVE
        or last.get(candidate.heading.ids, candidate.index) == candidate.index
    ]


def by_item(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[EntryCandidate]:
    """Take list items that begin with an id and say a status or a time, or with an id of the plan."""
    found = []
    for index, block in enumerate(blocks):
        if block.kind is not BlockKind.ITEM or block.indent:
            continue
        heading = read_heading(_name_of(block.text), known)
        box = _BOX.match(block.text)
        boxed = parse_box(box[1]) if box else None
        marked = bool(boxed or heading.date or heading.status)
        planned = any(id_ in known for id_ in heading.ids)
        if heading.ids and (planned or marked) and _leads(block.text, heading):
            found.append(EntryCandidate(index, LOWEST, heading._replace(status=heading.status or boxed)))
    return found if len(found) > 1 else []


def by_field(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[EntryCandidate]:
    """Take the fields `Story: MILL-7`, each with another field below, of a log that is a row of forms."""
    found = []
    for index, block in enumerate(blocks[:-1]):
        name, rest = _field(block)
        if rest and section_of(name) is SectionKind.TICKET and _field(blocks[index + 1])[1]:
            found.append(EntryCandidate(index, LOWEST, read_heading(rest, known)))
    return found if len(found) > 1 else []


def _field(block: Block) -> tuple[str, str]:
    """Return name and value of a field at the margin; both are empty where there is none."""
    told = block.kind in {BlockKind.LABEL, BlockKind.ITEM} and not block.indent
    name, rest = split_label(block.text) if told else ("", "")
    return (name, rest) if name else ("", "")


def by_dated_item(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[EntryCandidate]:
    """Take list items that begin with a date, where most of their list do: `- 2026-01-05 09:10 title`."""
    lists: Counter[tuple[int, int]] = Counter()
    dated: dict[tuple[int, int], list[EntryCandidate]] = {}
    for index, block in enumerate(blocks):
        if block.kind is not BlockKind.ITEM:
            continue
        lists[block.parent, block.indent] += 1
        heading = read_heading(block.text, known)
        begins = heading.date is not None and heading.date.start <= 1 and not is_run_marker(heading)
        if begins and (heading.ids or heading.title) and _may_list_work(blocks, block):
            sentence = _SENTENCE_END.split(heading.title, maxsplit=1)[0] if heading.title else None
            candidate = EntryCandidate(index, LOWEST, heading._replace(title=sentence))
            dated.setdefault((block.parent, block.indent), []).append(candidate)
    found = [candidate for key, part in dated.items() if 2 * len(part) > lists[key] for candidate in part]
    return found if len(found) > 1 else []


def _may_list_work(blocks: tuple[Block, ...], block: Block) -> bool:
    """Return whether what an item is under means nothing else than work: no plans, learnings, decisions."""
    while block.parent >= 0:
        block = blocks[block.parent]
        if block.level != 1 and section_of(block.text) not in {None, SectionKind.WORK, SectionKind.STATUS}:
            return False
    return True


def _name_of(text: str) -> str:
    """Return the bold name an item begins with, without what follows it; else the whole text."""
    found = _BOLD_NAME.match(text)
    return found[0] if found else text


def _leads(text: str, heading: Heading) -> bool:
    """Return whether a line is about an id, and does not only refer to it."""
    words = undecorated(plain(text))
    start = heading.date.end if heading.date and heading.date.start <= 1 else 0
    return 0 <= words.find(heading.ids[0], start) - start <= _LEAD


def by_row(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[EntryCandidate]:
    """Take the rows of tables with a column of stories and one of status or dates."""
    found = []
    header: list[str] = []
    last = -2
    for index, block in enumerate(blocks):
        if block.kind is not BlockKind.ROW:
            continue
        columns = [plain(cell) for cell in cells(block.text)]
        if last == index - 1:
            heading = _row_heading(header, columns, known)
            if heading:
                found.append(EntryCandidate(index, LOWEST, heading))
        else:
            header = [column.casefold() for column in columns]
        last = index
    return found if len(found) > 1 else []


def _row_heading(header: list[str], columns: list[str], known: Mapping[str, str]) -> Heading | None:
    named = _column(header, columns, _NAMES_STORY)
    story = named or columns[0]
    status = _column(header, columns, _NAMES_STATUS)
    when = _column(header, columns, _NAMES_DATE)
    read = read_heading(story, known)
    if not read.ids or not (status or when) or (read.title and not named):
        return None
    others = ["" if column == story else column for column in columns]  # `Task` heads ids as often as titles
    title = read.title or _column(header, others, _NAMES_TITLE) or None
    return read._replace(title=title, date=read_heading(when, {}).date, status=status_of(status))


def _column(header: list[str], columns: list[str], names: LazyPattern) -> str:
    for name, column in zip(header, columns, strict=False):
        if names.fullmatch(name) and column:
            return column
    return ""


def by_rule(blocks: tuple[Block, ...]) -> list[AuthoredEntry]:
    """Take the sections between rules of a log without headings, where each begins with a line of text."""
    if any(block.kind is BlockKind.HEADING for block in blocks):
        return []
    rules = [index for index, block in enumerate(blocks) if block.kind is BlockKind.RULE]
    starts = [at for at in (0, *(index + 1 for index in rules)) if at < len(blocks)]
    starts = [at for at in starts if blocks[at].kind in {BlockKind.TEXT, BlockKind.LABEL}]
    if len(starts) > 2 and starts[0] == 0 and rules[0] == 1:  # noqa: PLR2004 - a line, then the log
        del starts[0]
    if len(starts) < 2:  # noqa: PLR2004 - one section is no log, unless it is dated
        starts = _date_fields(blocks)
    if not starts:
        return []
    ends = [*starts[1:], len(blocks)]
    return [_section(blocks, start, end) for start, end in zip(starts, ends, strict=True)]


def _date_fields(blocks: tuple[Block, ...]) -> list[int]:
    """Return the places of the date fields, where one begins the log: each begins an entry."""
    fields = [
        index
        for index, block in enumerate(blocks)
        if block.kind is BlockKind.LABEL
        and not block.indent
        and section_of(split_label(block.text)[0]) is SectionKind.DATE
        and find_date(block.text)
    ]
    return fields if fields[:1] == [0] else []


def _section(blocks: tuple[Block, ...], start: int, end: int) -> AuthoredEntry:
    """Return the section as an entry; a field such as `Date: …` in its first line is part of the body."""
    text = blocks[start].text
    heading = read_heading(text, {})
    name, rest = split_label(text)
    if rest and section_of(name) is not None and section_of(name) is not SectionKind.WORK:
        return AuthoredEntry(
            heading._replace(ids=(), title=None, session=True), blocks[start].line, start, end, start
        )
    remark = _REMARK.search(text, max(0, len(text) - _LONGEST_LINE))
    title = (remark[1] or remark[2]).strip() if remark else heading.title
    return AuthoredEntry(
        heading._replace(title=title, session=True), blocks[start].line, start, end, start + 1
    )
