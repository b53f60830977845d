"""Find the entries of an authored log by headings, else by dated lines, items or rules (S5.2, S6.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from progress_plugin.authored.heading import Heading, read_heading
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.markdown import Block, Document, Kind
from progress_plugin.text.sections import TEACHING, Section, section_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log, from its heading to the next one."""

    heading: Heading
    line: int
    start: int
    """Index of the block that is its heading."""
    stop: int
    """Index behind its last block."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    level: int
    heading: Heading


# Titles of headings that mark the course of a run or sum it up; none is a piece of work (S6.5).
_NO_STORY = re.compile(
    r"(?:context (?:was )?(?:compacted|compaction|reset|rotation|cleared|summary)|story analysis|analysis|"
    r"(?:previous )?iteration review.*|(?:(?:the )?(?:project|mission|prd|epic|run|loop|iteration|session|"
    r"phase|sprint|"
    r"all stories|all tasks|all features|everything|final|overall|current|progress)\s*)"
    r"(?:is |are |was )?[:–—-]?\s*(?:\(.*\)\s*)?(?:status|complete[d]?|done|finished|summary|timeout|timed "
    r"out|started|"
    r"ended|start|end|log|history|overview|report|state|progress)\b(?:.{0,24}|\s*[:–—-]\s.*)|"
    r"(?:status|summary|overview|log|history|timeout|changelog|progress|next steps?|notes?|blockers?|metrics|"
    r"statistics|milestones?|checkpoint)|complete[d]?|date|time|started|created|updated|last updated|"
    r"timestamp|"
    r"(?:final|status|epic|progress|project) (?:status|summary|report|update)\b.*|compacted|auto-?compact\w*|"
    r"(?:epic|prd|sprint) (?:summary|status)\b.*)[.!]*$",
    re.IGNORECASE,
)
_PHASE = re.compile(
    r"(?:phase|mission|milestone|stage|fase|阶段|フェーズ)\s*(?:\d|[ivx]+\b|complete)", re.IGNORECASE
)
_RUNNER = re.compile(
    r"\W*(?:session|iteration|run|agent|loop)\b.{0,16}\b(?:start|end|timeout|timed out|terminat|rotat|stopp|"
    r"resum)|"
    r"\W*(?:reason\W+)?timeout reached|\W*context (?:compact|rotat|reset)",
    re.IGNORECASE,
)
_RUNNER_BLOCKS = 4
_NO_STORIES_BELOW = frozenset({*TEACHING, Section.NEXT, Section.FILES})
_LEAD = 14
"""Characters such as `[Feature #` that may stand before the id a line is about."""
_MARKED_ITEM = re.compile(r"\[[ xX~!-]\]\s|[✅❌✓✔🔄⏳🚧☑⬜]")
_REMARK = re.compile(r"(?:（(.+)）|\(([^()]+)\))\s*[:：]?\s*$")


def find_entries(document: Document, known: Mapping[str, str]) -> list[Entry]:
    """Return the entries in file order; `known` maps the ids of the plan to titles."""
    blocks = document.blocks
    found = _by_heading(blocks, known)
    if not found:
        found = _by_line(blocks, known) or _by_item(blocks, known)
    if not found:
        return _by_rule(blocks)
    return _with_ends(blocks, found)


def _with_ends(blocks: tuple[Block, ...], found: list[_Candidate]) -> list[Entry]:
    """Let each entry reach to the next one, or to a heading that is not part of it."""
    entries = []
    for number, candidate in enumerate(found):
        limit = found[number + 1].index if number + 1 < len(found) else len(blocks)
        stop = _section_end(blocks, candidate.index, limit, candidate.level)
        entries.append(Entry(candidate.heading, blocks[candidate.index].line, candidate.index, stop))
    return entries


def _section_end(blocks: tuple[Block, ...], index: int, limit: int, level: int) -> int:
    for at in range(index + 1, limit):
        if blocks[at].kind is Kind.HEADING and blocks[at].level <= level:
            return at
    return limit


def _by_heading(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[_Candidate]:
    titles = {plain(title).casefold(): id_ for id_, title in known.items() if title}
    found = []
    for index, block in enumerate(blocks):
        if block.kind is not Kind.HEADING:
            continue
        heading = read_heading(block.text, known)
        named = titles.get((heading.title or "").casefold())
        if named and not heading.ids:
            heading = Heading((named,), heading.title, heading.date, heading.status, heading.session)
        if _may_be_entry(heading, block.text) and not _stands_elsewhere(blocks, block):
            found.append(_Candidate(index, block.level, heading))
    found = _without_containers(blocks, found)
    return _without_phases(blocks, [c for c in found if not _is_runner_mark(blocks, c)])


def _stands_elsewhere(blocks: tuple[Block, ...], block: Block) -> bool:
    """Tell whether a heading stands in a section of learnings or plans: nothing has happened there."""
    while block.parent >= 0:
        block = blocks[block.parent]
        if block.level > 1 and section_of(block.text) in _NO_STORIES_BELOW:
            return True
    return False


def _may_be_entry(heading: Heading, text: str) -> bool:
    if heading.title and _NO_STORY.match(heading.title):
        return False
    if heading.ids or heading.session:
        return True
    if not heading.date or section_of(text) in {Section.DATE, Section.STATUS}:
        return False
    return bool(heading.title or heading.date.clock)


def _without_containers(blocks: tuple[Block, ...], found: list[_Candidate]) -> list[_Candidate]:
    """Keep the entries, not the headings above them (a day, a session, the log) and not their parts."""
    kept: list[_Candidate] = []
    for candidate in found:
        while kept and kept[-1].level < candidate.level and _is_container(blocks, kept[-1], candidate):
            kept.pop()
        last = kept[-1] if kept else None
        end = _section_end(blocks, last.index, candidate.index + 1, last.level) if last else 0
        if last and last.level < candidate.level and end > candidate.index:
            continue
        kept.append(candidate)
    return kept


def _is_container(blocks: tuple[Block, ...], outer: _Candidate, inner: _Candidate) -> bool:
    """Tell whether a heading only holds the entry below it."""
    if _section_end(blocks, outer.index, inner.index + 1, outer.level) <= inner.index:
        return False
    if outer.level == 1 and outer.index == 0:
        return True
    return not outer.heading.ids and (
        bool(inner.heading.ids) or bool(inner.heading.date) or inner.heading.session
    )


def _is_runner_mark(blocks: tuple[Block, ...], candidate: _Candidate) -> bool:
    """Tell whether an entry without id only says that a session began, ended or was cut off."""
    if candidate.heading.ids:
        return False
    body = []
    for block in blocks[candidate.index + 1 : candidate.index + 2 + _RUNNER_BLOCKS]:
        if block.kind is Kind.HEADING:
            break
        if block.kind is not Kind.RULE:
            body.append(block)
    if not body:
        return not candidate.heading.title
    return len(body) <= _RUNNER_BLOCKS and bool(_RUNNER.match(undecorated(plain(body[0].text))))


def _without_phases(blocks: tuple[Block, ...], found: list[_Candidate]) -> list[_Candidate]:
    """Drop what reports on the phases of one plan: those are no stories."""
    found = _without_references(found)
    free = [c for c in found if not c.heading.ids]
    phases = [c for c in free if c.heading.title and _PHASE.match(c.heading.title)]
    if 2 * len(phases) > len(free):
        return [c for c in found if c.heading.ids]
    return [c for c in found if c.heading.ids or c.heading.title or not _holds_phases(blocks, c)]


def _without_references(found: list[_Candidate]) -> list[_Candidate]:
    """Drop `Session 2` where other sessions have title or date: it refers to one of them."""
    bare = [c for c in found if not (c.heading.ids or c.heading.title or c.heading.date)]
    named = any(c.heading.session and (c.heading.title or c.heading.date) for c in found)
    return [c for c in found if c not in bare] if bare and named else found


def _holds_phases(blocks: tuple[Block, ...], candidate: _Candidate) -> bool:
    end = _section_end(blocks, candidate.index, len(blocks), candidate.level)
    below = (block for block in blocks[candidate.index + 1 : end] if block.kind is Kind.HEADING)
    return any(_PHASE.match(block.text) for block in below)


def _by_line(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[_Candidate]:
    """Take lines at the margin that begin with a date or an id: `[2026-01-05 09:10] Task 4 - title`."""
    found = []
    for index, block in enumerate(blocks):
        if block.kind not in {Kind.TEXT, Kind.LABEL} or block.indent or len(block.text) > 400:  # noqa: PLR2004
            continue
        heading = read_heading(block.text, known)
        dated = heading.date and heading.date.start <= 1 and heading.title
        numbered = heading.ids and (heading.ids[0] in known or heading.ids[0][-1].isdigit())
        if (dated or numbered) and not (heading.title and _NO_STORY.match(heading.title)):
            found.append(_Candidate(index, 6, heading))
    return found if len(found) > 1 else []


def _by_item(blocks: tuple[Block, ...], known: Mapping[str, str]) -> list[_Candidate]:
    """Take list items and table rows that name an id and say how it stands, or an id of the plan."""
    found = []
    for index, block in enumerate(blocks):
        if block.kind is not Kind.ITEM or block.indent:
            continue
        heading = read_heading(block.text, known)
        marked = bool(_MARKED_ITEM.match(block.text)) or heading.date or heading.status
        planned = any(id_ in known for id_ in heading.ids)
        if planned or (heading.ids and marked and _leads(block.text, heading.ids[0])):
            found.append(_Candidate(index, 6, heading))
    return found if len(found) > 1 else []


def _leads(text: str, id_: str) -> bool:
    """Tell whether a line is about an id, and does not only refer to it."""
    return 0 <= undecorated(plain(text)).find(id_) <= _LEAD


def _by_rule(blocks: tuple[Block, ...]) -> list[Entry]:
    """Take the sections between rules of a log without headings, where each begins with a line of text."""
    if any(block.kind is Kind.HEADING for block in blocks):
        return []
    rules = [index for index, block in enumerate(blocks) if block.kind is Kind.RULE]
    starts = [0, *(index + 1 for index in rules)]
    starts = [at for at in starts if at < len(blocks) and blocks[at].kind in {Kind.TEXT, Kind.LABEL}]
    if len(starts) < 2:  # noqa: PLR2004 - one section is no log
        return []
    ends = [*starts[1:], len(blocks)]
    return [
        Entry(_section_heading(blocks[start].text), blocks[start].line, start, end)
        for start, end in zip(starts, ends, strict=True)
    ]


def _section_heading(text: str) -> Heading:
    heading = read_heading(text, {})
    remark = _REMARK.search(text)
    title = (remark[1] or remark[2]).strip() if remark else heading.title
    return Heading(heading.ids, title, heading.date, heading.status, session=True)
