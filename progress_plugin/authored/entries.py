"""Find the entries of a log by its headings, else by the lines that take their place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

from progress_plugin.authored.dates import find_date
from progress_plugin.authored.entry import AuthoredEntry, EntryCandidate, section_end
from progress_plugin.authored.heading import Heading, heading_reader, read_heading
from progress_plugin.authored.run_markers import is_phase, is_run_marker, is_runner_marker
from progress_plugin.core.memo import Memo
from progress_plugin.model.status import Status
from progress_plugin.text.labels import plain, split_label
from progress_plugin.text.markdown import RULE, Block, MarkdownDocument
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

_NO_STORIES_BELOW = frozenset({*TEACHING, SectionKind.FILES})
_FIELDS = 3
"""Blocks below a heading among which its status and date are."""
_SECTIONS = 3
"""Other headings of its level, beside which a single entry is one section of several."""
_CLOSED = 0.75
"""Share of the entries that must end with a rule, their only one."""
_TROUBLES = LazyPattern(r"\b(?:issues|bugs|problems|errors|troubles|challenges)\b", re.IGNORECASE)
_ONE_TROUBLE = LazyPattern(r"\W*(?:issue|bug)\s", re.IGNORECASE)
_LOG = LazyPattern(r"\b(?:progress|log|journal|worklog)\b|进度|日志|進捗|прогресс|журнал", re.IGNORECASE)
_ONE_CHANGE = LazyPattern(
    r"(?:(?:bug|hot)?-?fix|feature|improvement|enhancement|implementation|update|change|bug)"
    r"(?: ?\([^)]{1,30}\))?\s?[:：]\s?\w",
    re.IGNORECASE,
)
"""How the title of a single change begins; without what is behind the colon these words head a section."""
_CLOCK = LazyPattern(r"\[?(\d{1,2}:\d{2})(?::\d{2})?\]?\s*(?:[A-Z]{3,4}\b)?[\s:–—-]*")


def find_entries(
    document: MarkdownDocument, known: Mapping[str, str], memo: Memo | None = None
) -> list[AuthoredEntry]:
    """Return the entries in file order; `known` maps the ids of the plan to titles.

    `memo` remembers from one process to the next what headings say.
    """
    blocks = document.blocks
    found = _by_heading(blocks, known, memo or Memo())
    if any(candidate.heading.ids for candidate in found):
        return _with_ends(blocks, found)
    from progress_plugin.authored import headingless_entries  # noqa: PLC0415 - 2 ms; headings name stories in most logs

    items = _outside(blocks, found, headingless_entries.by_item(blocks, known)) if found else []
    found = items or found or headingless_entries.by_anything(blocks, known) or _days(blocks)
    if not found:
        from progress_plugin.authored.version_headings import by_version  # noqa: PLC0415 - where nothing else is an entry

        found = by_version(blocks)
    return _with_ends(blocks, found) if found else headingless_entries.by_rule(blocks)


def _days(blocks: tuple[Block, ...]) -> list[EntryCandidate]:
    """Return the headings that are days and nothing else, if there are several: what was done then."""
    candidates = [
        EntryCandidate(index, block.level, read_heading(block.text, {}))
        for index, block in enumerate(blocks)
        if block.level
    ]
    bare = [
        c
        for c in candidates
        if c.heading.date and not (c.heading.title or c.heading.ids or c.heading.session)
    ]
    return [c for c in bare if c.level == bare[0].level] if len(bare) > 1 else []


def _outside(
    blocks: tuple[Block, ...], found: list[EntryCandidate], items: list[EntryCandidate]
) -> list[EntryCandidate]:
    """Return the items with ids, where most of them are outside of the sections of headings without any."""
    starts = [c.index for c in found]
    ends = list(accumulate((section_end(blocks, c.index, len(blocks), c.level) for c in found), max))
    loose = [
        item for item in items if not (at := bisect_left(starts, item.index)) or ends[at - 1] <= item.index
    ]
    return loose if len(loose) > max(2 * len(found), len(items) // 2) else []


def _with_ends(blocks: tuple[Block, ...], found: list[EntryCandidate]) -> list[AuthoredEntry]:
    """Let each entry reach to the next one, to a heading that is no part of it, or to its closing rule."""
    entries = []
    for number, candidate in enumerate(found):
        limit = found[number + 1].index if number + 1 < len(found) else len(blocks)
        stop = section_end(blocks, candidate.index, limit, candidate.level)
        start = candidate.index
        entries.append(AuthoredEntry(candidate.heading, blocks[start].line, start, stop, start + 1))
    return _up_to_rules(blocks, entries)


def _up_to_rules(blocks: tuple[Block, ...], entries: list[AuthoredEntry]) -> list[AuthoredEntry]:
    """End each entry at its first rule, where nearly all end with their only one.

    What stands between that and the next entry was put there later, and is of no story.
    """
    rules = [index for index, block in enumerate(blocks) if block.kind is RULE]
    closing = [entry for entry in entries if blocks[entry.stop - 1].kind is RULE]
    if len(closing) < max(_SECTIONS, _CLOSED * len(entries)) or len(closing) == len(rules):
        return entries
    inside = [rules[bisect_left(rules, entry.start) : bisect_left(rules, entry.stop)] for entry in entries]
    closed = sum([found == [entry.stop - 1] for entry, found in zip(entries, inside, strict=True)])
    if closed < max(_SECTIONS, _CLOSED * len(entries)):
        return entries
    return [
        entry._replace(stop=found[0] + 1)
        if len(found) > 1 and not any(block.level for block in blocks[found[0] : entry.stop])
        else entry
        for entry, found in zip(entries, inside, strict=True)
    ]


def _by_heading(blocks: tuple[Block, ...], known: Mapping[str, str], memo: Memo) -> list[EntryCandidate]:
    titles = {plain(title).casefold(): id_ for id_, title in known.items() if title}
    ids = {id_.casefold(): id_ for id_ in known}
    found, reported = [], []
    texts = Counter(block.text for block in blocks if block.level)
    day: Block | None = None
    read = heading_reader(known, memo)
    for index, block in enumerate(blocks):
        if block.level:
            heading = _named(read(block.text), titles, ids)
            if day is None or block.level <= day.level:
                day = (
                    block if heading.date and not (heading.title or heading.ids or heading.session) else None
                )
            once = day if texts[block.text] == 1 else None  # what several days have names a part of them
            heading = heading if heading.date else _of_day(heading, once, blocks, block)
            candidate = EntryCandidate(index, block.level, heading)
            if _stands_elsewhere(blocks, block, heading):
                continue
            if _may_be_entry(heading, block.text):
                found.append(candidate)
            elif block.level > 1 and not is_run_marker(heading) and _is_reported(blocks, candidate):
                reported.append(candidate)
    if not found and len(reported) > 1:
        found = reported
    found = _without_tags(blocks, found)
    found = _without_containers(blocks, _without_title(found))
    found = [candidate for candidate in found if not is_runner_marker(blocks, candidate)]
    found = _without_phases(blocks, _without_references(found))
    return [] if len(found) == 1 and _is_one_of_sections(blocks, found[0], known) else found


def _is_one_of_sections(blocks: tuple[Block, ...], only: EntryCandidate, known: Mapping[str, str]) -> bool:
    """Return whether the only entry is a section like those beside it, of a document that tells the state.

    A session, a story of the plan and a heading that begins with its day are entries also when alone.
    """
    heading, text = only.heading, plain(blocks[only.index].text)
    if heading.session or not known.keys().isdisjoint(heading.ids) or text.lstrip("[(")[:1].isdigit():
        return False
    beside = sum(block.level == only.level for block in blocks) - 1
    return beside >= _SECTIONS


def _named(heading: Heading, titles: Mapping[str, str], ids: Mapping[str, str]) -> Heading:
    """Give a heading that is title or id of a planned story, or both (`Phase 2: Tests`), the id of it."""
    if heading.ids or not heading.title:
        return heading
    id_ = titles.get(heading.title.casefold())
    if id_:
        return heading._replace(ids=(id_,))
    name, _, rest = heading.title.partition(":")
    id_ = ids.get(name.strip().casefold())
    return heading._replace(ids=(id_,), title=rest.strip() or None) if id_ else heading


def _may_be_entry(heading: Heading, text: str) -> bool:
    if is_run_marker(heading):
        return False
    if heading.ids or heading.session:
        return True
    if not heading.date or section_of(split_label(text)[0] or text) in {SectionKind.DATE, SectionKind.STATUS}:
        return False
    return bool(heading.title or heading.date.clock)


def _of_day(heading: Heading, day: Block | None, blocks: tuple[Block, ...], block: Block) -> Heading:
    """Give `10:30 - title`, or a title below a bare date, the date of the day it is under.

    A rule between the entries of a day does not end it.
    """
    found = _CLOCK.match(block.text)
    parent = blocks[block.parent] if block.parent >= 0 else None
    own = day or (parent if found else None)
    above = find_date(own.text) if own else None
    if not above:
        return heading
    if not found:
        is_free = section_of(block.text) is None or _ONE_CHANGE.match(block.text)
        titled = heading.title and is_free and (parent is None or parent is day)
        return heading._replace(date=above) if titled else heading
    read = read_heading(block.text[found.end() :], {})
    return read._replace(ids=heading.ids or read.ids, date=above._replace(clock=found[1].zfill(5)))


def _stands_elsewhere(blocks: tuple[Block, ...], block: Block, heading: Heading) -> bool:
    """Return whether a heading is in a section of learnings or plans: nothing has happened there."""
    is_trouble = not (heading.status or heading.date) and _ONE_TROUBLE.match(block.text)
    while block.parent >= 0:
        block = blocks[block.parent]
        if is_trouble and _TROUBLES.search(block.text):
            return True  # `Issue 1` below `Issues and solutions` is the first that came up
        section = section_of(block.text) if block.level > 1 else None
        if section in _NO_STORIES_BELOW or (
            section is SectionKind.NEXT and heading.status is not Status.DONE
        ):
            return True
    return False


def _without_containers(blocks: tuple[Block, ...], found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Keep the entries, not the headings above them (a day, a session, the log) and not their parts."""
    kept: list[EntryCandidate] = []
    ends: list[int] = []  # where the section of each ends
    for candidate in found:
        while kept and ends[-1] > candidate.index and _is_container(kept[-1], candidate):
            kept.pop()
            ends.pop()
        if not kept or ends[-1] <= candidate.index:
            kept.append(candidate)
            ends.append(section_end(blocks, candidate.index, len(blocks), candidate.level))
    return kept


def _is_container(outer: EntryCandidate, inner: EntryCandidate) -> bool:
    """Return whether a heading only holds the entry below it."""
    if outer.level == 1 and outer.index == 0:
        return True
    if _is_part(outer.heading, inner.heading):
        return False
    return not outer.heading.ids and (
        bool(inner.heading.ids) or bool(inner.heading.date) or inner.heading.session
    )


def _is_part(outer: Heading, inner: Heading) -> bool:
    """Return whether a heading such as `Session 3 features` is a part of session 3, which is around it."""
    same = inner.number is not None and inner.number == outer.number
    return same and not (inner.ids or inner.date)


def _without_title(found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Drop the name of the log itself: its one heading of the first level, with such a word."""
    top = [c for c in found if c.level == 1]
    named = len(top) == 1 and top[0] is found[0] and _LOG.search(found[0].heading.title or "")
    return found[1:] if named else found


def _without_tags(blocks: tuple[Block, ...], found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Take `(N5)` for no id where several titles end so: it says of what kind they are."""
    last = [c for c in found if _ends_with_id(blocks[c.index].text, c.heading)]
    times = Counter(c.heading.ids for c in last)
    tagged = {c for c in last if times[c.heading.ids] > 2}  # noqa: PLR2004 - a story may have two entries
    for candidate in tagged:
        candidate.heading = candidate.heading._replace(ids=())
    return [c for c in found if c not in tagged or _may_be_entry(c.heading, blocks[c.index].text)]


def _ends_with_id(text: str, heading: Heading) -> bool:
    return bool(heading.ids and heading.title) and text.find(heading.ids[0]) > text.find(heading.title or "")


def _without_references(found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Drop `Session 2` where a session of that number has title or date: it refers to that one."""
    told = {c.heading.number for c in found if c.heading.session and (c.heading.title or c.heading.date)}
    return [
        c for c in found if c.heading.ids or c.heading.title or c.heading.date or c.heading.number not in told
    ]


def _without_phases(blocks: tuple[Block, ...], found: list[EntryCandidate]) -> list[EntryCandidate]:
    """Drop what reports on the phases of one plan: those are no stories."""
    free = [c for c in found if not c.heading.ids]
    phases = [c for c in free if is_phase(c.heading.title) and not _is_reported(blocks, c)]
    if 2 * len(phases) > len(free):
        return [c for c in found if c.heading.ids]
    return [c for c in found if c.heading.ids or c.heading.title or not _holds_phases(blocks, c)]


def _is_reported(blocks: tuple[Block, ...], candidate: EntryCandidate) -> bool:
    """Return whether a heading says, or has fields that say, its status and when that was."""
    below = blocks[candidate.index + 1 : candidate.index + 1 + _FIELDS]
    told = {section_of(split_label(block.text)[0]) for block in below}
    dated = candidate.heading.date is not None or SectionKind.DATE in told
    return dated and (candidate.heading.status is not None or SectionKind.STATUS in told)


def _holds_phases(blocks: tuple[Block, ...], candidate: EntryCandidate) -> bool:
    end = section_end(blocks, candidate.index, len(blocks), candidate.level)
    below = (block for block in blocks[candidate.index + 1 : end] if block.level)
    return any(is_phase(block.text) for block in below)
