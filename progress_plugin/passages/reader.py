"""Read every text into passages: whatever its format, nothing that says something is lost.

Which box or mark says that something is blocked is decided here (`_is_marked_blocked`), which row of a
table, in `passages.table_rows` (`blocked_row`), and which label, in `text.section_names` (`section_of`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

from progress_plugin.authored.entry_cache import EntryBlocks
from progress_plugin.authored.reader import AuthoredLog
from progress_plugin.core.memo import Memo
from progress_plugin.model.status import Status, parse_box, parse_mark
from progress_plugin.passages.entry_owners import EntryOwners
from progress_plugin.passages.joined_passages import told_as_one
from progress_plugin.passages.noise import is_count, telling
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.passages.sentences import statements
from progress_plugin.passages.table_rows import blocked_row, row
from progress_plugin.text.blocker_words import is_blocked_box, is_marked_blocked
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import plain, single_spaced, split_label
from progress_plugin.text.markdown import (
    HEADING,
    ITEM,
    LABEL,
    QUOTE,
    ROW,
    RULE,
    TEXT,
    Block,
    cells,
    is_bare_label,
)
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

_LONGEST_LEAD = 70
_LONGEST_LABEL = 80
_FORMS = {HEADING: Form.HEADING, LABEL: Form.LABEL, ITEM: Form.ITEM, ROW: Form.ROW, QUOTE: Form.QUOTE}
_FEWEST_WORDS = 4
"""Words a heading has that states something."""
_LAST = 3
"""Entries whose counts of passed checks still say the state of the work."""
_UNSAID = frozenset({*TEACHING, SectionKind.NOTES, SectionKind.WORK, SectionKind.TASK})
"""Labels that need not be repeated before each of their statements."""


_PLAN = LazyPattern(r"\bplans?\b", re.IGNORECASE)
_FOR_NEXT = LazyPattern(r"\b(?:for|of) (?:the |my |your )?next\b", re.IGNORECASE)
"""`Plan for the next session`: what comes next, and not the name of a plan."""
_FOLLOWING = LazyPattern(r"\W{0,4}the following\b", re.IGNORECASE)
_AND = LazyPattern(r"[&/,+]|\band\b|\bor\b", re.IGNORECASE)
_TITLE = LazyPattern(
    r"\b(?:progress|log|journal|diary|notes|status|state|plan|tasks?|memory|hand-?(?:off|over)|learnings)\b",
    re.IGNORECASE,
)
"""In the heading that a file begins with: it only says what the file is."""
_LISTED = LazyPattern(
    r"`?[\w@.-]*(?:/[\w@.*\[\]{}-]+)+/?`?(?:\s*[(\[][^)\]]{1,60}[)\]])?[;,.]?$|"
    r"`?[\w-]+\.[a-z]{1,5}`?(?:\s*[(\[][^)\]]{1,60}[)\]])?[;,.]?$"
)
"""An item that is a file, with no more than a remark in parentheses."""
_SUBJECT = LazyPattern(r"(\S.{1,58}?)(?: \([^)]{1,20}\))?(?: [—–] |: )")
"""The name that a paragraph begins with: a label, or a file with what was done there."""
_NAMED = LazyPattern(r"`[^`]{0,120}+`|\([^()]{0,200}+\)|(?<!\S)(?=\S{0,200}?[/.]\w)\S++")
"""What names files, and remarks on them."""
_NUMBER = LazyPattern(r"\A\d{1,3}[.)]\s")
"""Of a heading that is one of several."""
_SAYS = LazyPattern(r"[^\W\d_]{2,}")
_FEWEST_SAID = 4
"""Words beside the names of files from which an item tells what was done there."""
_ASIDE = LazyPattern(
    r"\W{0,3}(?:\S*/)?(?:[^\s/]+\.(?:md|mdx|rst|adoc|txt)|(?:tests?|specs?|__tests__|e2e)/\S+|"
    r"test_[^\s/]+|[^\s/]+[._](?:test|spec|e2e)\.\w{1,4}|conftest\.py)(?![^\s`*:,;)])",
    re.IGNORECASE,
)
"""A document or a test at the beginning of an item: what was done there comes with the work."""


_PROSE = frozenset({TEXT, LABEL})
_TELLS_STATE = frozenset({None, SectionKind.STATUS, SectionKind.WORK})
"""Where a paragraph with the mark of what is blocked says that something is."""
_STEP = LazyPattern(
    r"(?<=[.!?] )(?P<step>(?P<name>tomorrow|next(?: (?:steps?|up|time|session))?|"
    r"left to do(?: [\w'-]{1,30}){0,4}|still (?:to do|open)|to-?do): (?:[^.!?]|[.!?](?! ))+[.!?]?) ?",
    re.IGNORECASE,
)
"""A sentence within a paragraph that says what comes next: `… is why. Tomorrow: look at the token.`"""
_OF_THEIR_LABEL = frozenset({SectionKind.BLOCKED, SectionKind.FILES})
"""What a label before a text says it is about, whatever is around it."""
_IN_NAMES = frozenset(
    {
        SectionKind.WORK, SectionKind.CHECKS, SectionKind.OTHER, SectionKind.TASK, SectionKind.STATUS,
        SectionKind.NOTES,
    }
)  # fmt: skip
"""What names of steps seem to announce: below `Next steps`, `Fix the crane:` is no work that was done."""
STANDING = frozenset({SectionKind.NEXT, SectionKind.BLOCKED})
"""Sections that say the state of the work."""


class Scope(NamedTuple):
    """What a block is under, or opens for the blocks below it."""

    section: SectionKind | None
    label: str
    lead: str
    depth: int
    level: int = 0
    """Of a heading; 0 for a label."""


_OUTSIDE = Scope(None, "", "", 0)
_BY_NUMBER = {int(form): form for form in Form}
_BY_VALUE: dict[str, SectionKind | None] = {"": None, **{section.value: section for section in SectionKind}}


def read_passages(log: AuthoredLog, text: str = "", memo: Memo | None = None) -> Reading:
    """Return the passages of an authored log in the order of the file; never raises.

    Where the log has no entries, its sections are counted as such, in their order in the file. Where its
    blocks state nothing (it is all fenced, say), the lines of its `text` are the passages. `memo` remembers
    from one process to the next what the lines say.
    """
    walk = _Walk(log, memo or Memo())
    at = 0
    for entry in log.apart:
        if walk.owners.is_alone(entry.line):
            walk.take(at, entry.start)
            walk.take_entry(entry)
            at = entry.stop
    walk.take(at, len(log.document.blocks))
    walk.join()
    passages = tuple(walk.passages) or tuple(_bare_lines(text, log.source))
    return Reading(passages, walk.owners.entries, frozenset(walk.unblocked))


class _Walk:
    """Goes through the blocks of a log in order, and knows of each what it is under."""

    def __init__(self, log: AuthoredLog, memo: Memo) -> None:
        self.owners = EntryOwners(log)
        self.passages: list[Passage] = []
        self._loose: list[Passage] = []
        """Statements after these, each for itself."""
        self.unblocked: set[int] = set()
        self._log = log
        self._blocks = log.document.blocks
        self._counts: dict[int, int] = {}
        self._scopes: dict[int, Scope] = {}
        self._statements_of = memo.of(telling)
        self._of_entry = memo.of_key(f"{__name__}.entry", worth=10)

    def take(self, start: int, stop: int) -> None:
        """Read some blocks."""
        self._loose += self._read(start, stop)

    def join(self) -> None:
        """Have what was read so far told as one where it is: what follows says something of another entry."""
        self.passages += told_as_one(self._loose)
        self._loose = []

    def take_entry(self, entry: EntryBlocks) -> None:
        """Read the blocks of an entry that stands for itself, as it was read before if it was."""
        place, story, when = self.owners.of(entry.line)
        above = self._scopes.get(self._blocks[entry.start].parent, _OUTSIDE)
        section = above.section.value if above.section else ""
        key = (entry.digest, section, *above[1:], self._is_past(place))
        rows, answers, headings = self._of_entry(key, entry.says, partial(self._plain, entry))
        line, source = entry.line - 1, self._log.source
        if rows:
            self.join()
        self.passages += [
            Passage(
                text, first + line, last + line, source, _BY_NUMBER[form], _BY_VALUE[section], label, lead,
                place, story, when, nth, depth,
            )
            for text, first, last, form, section, label, lead, nth, depth in rows
        ]  # fmt: skip
        if answers:
            self.unblocked.add(place)
        for at, (section, *rest) in headings:
            self._scopes[entry.start + at] = Scope(_BY_VALUE[section], *rest)

    def _plain(self, entry: EntryBlocks) -> tuple[Any, ...]:
        """Return what an entry says in plain values, lines and blocks counted from its beginning."""
        place = self.owners.of(entry.line)[0]
        before, self.unblocked = self.unblocked, set()
        found = list(told_as_one(self._read(entry.start, entry.stop)))
        answers, self.unblocked = place in self.unblocked, before
        line = entry.line - 1
        rows = tuple(
            (
                each.text, each.line - line, each.last - line, int(each.form),
                each.section.value if each.section else "", each.label, each.lead, each.nth, each.depth,
            )
            for each in found
        )  # fmt: skip
        headings = tuple(
            (at - entry.start, (scope.section.value if scope.section else "", *scope[1:]))
            for at in range(entry.start, entry.stop)
            if self._blocks[at].level and (scope := self._scopes.get(at))
        )
        return rows, answers, headings

    def _is_in_entry(self, block: Block) -> bool:
        return bool(self._log.events and self.owners.of(block.line)[0])

    def _is_part_of_work(self, block: Block) -> bool:
        """Return whether a box stands below a status that is complete: `Status: in progress`."""
        is_box = block.text[:1] == "[" and block.text[2:3] == "]" and parse_box(block.text[1]) is not None
        status = self._blocks[block.parent]
        return is_box and status.kind is LABEL and not is_bare_label(status.text)

    def _is_past(self, entry: int) -> bool:
        return 0 < entry <= self.owners.entries - _LAST

    def _read(self, start: int, stop: int) -> Iterator[Passage]:
        """Yield what blocks say, each statement for itself."""
        for block, said, scope, form in self._said(start, stop):
            entry, story, when = self.owners.of(block.line)
            pieces = self._statements_of(said)
            if scope.section is SectionKind.BLOCKED and not pieces:
                self.unblocked.add(entry)  # `None` is no statement, but an answer
            is_past = self._is_past(entry)
            lead = (_subject(said) if len(pieces) > 1 else "") or scope.lead
            for part, piece in enumerate(pieces):
                if is_past and is_count(piece):
                    continue
                nth = self._counts.get(entry, 0)
                self._counts[entry] = nth + 1
                yield Passage(
                    text=piece,
                    line=block.line,
                    last=block.line,
                    source=self._log.source,
                    form=form,
                    section=_section_in(scope, form, piece),
                    label=scope.label,
                    lead=lead if part else scope.lead,
                    entry=entry,
                    story=story,
                    when=when,
                    nth=nth,
                    depth=scope.depth,
                )

    def _said(self, start: int, stop: int) -> Iterator[tuple[Block, str, Scope, Form]]:
        """Yield every block that states something: block, text, what it is under, how it is written."""
        scopes = self._scopes
        header: list[str] = []
        last_row = -2
        for index in range(start, stop):
            block = self._blocks[index]
            kind, text = block.kind, block.text
            if kind is RULE or not text:
                continue
            above = scopes.get(block.parent, _OUTSIDE)
            if kind is ITEM and above.section is SectionKind.STATUS and self._is_part_of_work(block):
                above = scopes.get(self._blocks[block.parent].parent, _OUTSIDE)
            if kind is ROW:
                begins, last_row = last_row != index - 1, index
                if begins:
                    header = cells(text)
                else:
                    columns_ = cells(text)
                    stuck = blocked_row(header, columns_)
                    scope = above._replace(section=SectionKind.BLOCKED) if stuck else above
                    yield block, stuck or row(header, columns_), scope, Form.ROW
                continue
            opened, said = _opened(block, above)
            if _is_marked_blocked(block, above) and (kind is ITEM or self._is_in_entry(block)):
                opened = opened._replace(section=SectionKind.BLOCKED)
            if index == 0 and block.level == 1 and opened.section in STANDING:
                opened = opened._replace(section=None)  # `Handoff for the next agent` is what the file is
            scopes[index] = opened
            is_title = index == 0 and kind is HEADING and _TITLE.search(text)
            if said and not is_title:
                own = said != text or opened.section in _OF_THEIR_LABEL
                scope = opened if own else above
                if kind is ITEM and said == opened.label:
                    scope = opened._replace(
                        lead="", depth=above.depth
                    )  # it names a step, and completes nothing
                form = _form(block, labelled=said != text)
                if kind in _PROSE and ":" in said and scope.section not in TEACHING:
                    for part, its in _with_steps(said, scope):
                        yield block, part, its, form
                else:
                    yield block, said, scope, form


def _with_steps(said: str, scope: Scope) -> Iterator[tuple[str, Scope]]:
    """Yield the parts of a paragraph; a sentence in it that says what comes next is such a statement."""
    at = 0
    for found in _STEP.finditer(said):
        if found.start() > at:
            yield said[at : found.start()].rstrip(), scope
        name = shortened(plain(found["name"]), _LONGEST_LABEL)
        yield found["step"], Scope(SectionKind.NEXT, name, "", scope.depth)
        at = found.end()
    if at < len(said):
        yield said[at:], scope


def _subject(said: str) -> str:
    """Return what a paragraph of several statements begins with and is about; empty where nothing says so."""
    found = _SUBJECT.match(said)
    name = plain(found[1]) if found else ""
    return name.rpartition("/")[2] if " " not in name else name


def _section_in(scope: Scope, form: Form, piece: str) -> SectionKind | None:
    """Return what a statement belongs to: a bare file to the files, what was done in one to the work."""
    if form is Form.ITEM and _LISTED.match(piece):
        return SectionKind.FILES
    if scope.section is SectionKind.FILES and not _ASIDE.match(piece):
        says = len(_SAYS.findall(_NAMED.sub(" ", piece)))
        return SectionKind.WORK if says >= _FEWEST_SAID else scope.section
    return scope.section


def _bare_lines(text: str, source: str) -> Iterator[Passage]:
    nth = 0
    for number, line in enumerate(text.split("\n"), 1):
        if any(map(str.isalnum, line)):
            for piece in statements(single_spaced(line)):
                yield Passage(piece, number, number, source, Form.CODE, None, "", "", 0, None, None, nth, 0)
                nth += 1


def _form(block: Block, *, labelled: bool) -> Form:
    box = parse_box(block.text[1:2]) if block.text[:1] == "[" and block.text[2:3] == "]" else None
    if box is not None:
        return Form.DONE if box is Status.DONE else Form.OPEN
    if block.kind is ITEM:
        return Form.ITEM
    if labelled and block.kind is LABEL:
        return Form.LABEL
    return _FORMS.get(block.kind, Form.TEXT)


def _opened(block: Block, above: Scope) -> tuple[Scope, str]:
    """Return what a block opens for those below it, and what it says itself, empty for nothing."""
    text = block.text
    if block.level:
        section = _heads(_section_of(text))
        if (
            section is None
            and above.section in STANDING
            and above.level > 1
            and not _is_its_other(text, above)
        ):
            section = above.section  # `Short term` below `Next steps`
        if section is SectionKind.NEXT and above.section is section:  # `Priority 1: Oil the crane`
            says = len(text.split()) >= _FEWEST_WORDS
        else:
            says = section is None and _words_in(_NUMBER.sub("", text)) >= _FEWEST_WORDS
        return Scope(
            section, shortened(plain(text), _LONGEST_LABEL), "", 0, block.level
        ), text if says else ""
    depth = above.depth + (block.kind is ITEM)
    is_step = block.kind is ITEM and above.section is SectionKind.NEXT
    if is_bare_label(text) and len(text) <= 2 * _LONGEST_LABEL:
        name = plain(text).rstrip(" :：")
        section = _heads(_section_of(name))
        if section and not (is_step and _is_in_name(section, name)):
            return Scope(section, name, "" if section in _UNSAID else name, depth), ""
        lead = name if len(name) <= _LONGEST_LEAD else ""
        if lead and is_step:
            return Scope(above.section, name, lead, depth), name  # the step itself
        return Scope(above.section, name, lead, depth), "" if lead else text
    name, rest = _labelled(text)
    section = _section_of(name) if name and rest else None
    if section is None or (is_step and section in _IN_NAMES):
        return Scope(above.section, above.label, "", depth), text
    return Scope(section, name, "", depth), rest if section in _UNSAID else text


def _words_in(text: str) -> int:
    """Return how many words a text has, signs alone not counted."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _is_in_name(section: SectionKind, name: str) -> bool:
    """Return whether the name of a step has a word that announces a section elsewhere, and heads none."""
    return section in _IN_NAMES or (section is SectionKind.NEXT and len(name.split()) >= _FEWEST_WORDS)


def _is_its_other(text: str, above: Scope) -> bool:
    """Return whether a heading names the other of two things: `Known risks` below `Blockers and risks`."""
    others = {word for name in _AND.split(above.label)[1:] for word in name.casefold().split()}
    return bool(others) and not others.isdisjoint(plain(text).casefold().split())


def _section_of(name: str) -> SectionKind | None:
    """Return what a name announces; `Plan 06-02` and `Plan for the quay` name work, not what comes next."""
    if _FOLLOWING.match(name):
        return None  # it announces a list, of whatever it is under
    section = section_of(name)
    if section is SectionKind.NEXT and _PLAN.search(name) and not _FOR_NEXT.search(name):
        return None if len(name.split()) > 1 else section
    return section


def _heads(section: SectionKind | None) -> SectionKind | None:
    """Return what a name without a text behind it announces: `Completed` above a list names work, no day."""
    return SectionKind.WORK if section is SectionKind.DATE else section


@lru_cache(maxsize=4096)
def _labelled(text: str) -> tuple[str, str]:
    """Return label and rest of a text that may have one."""
    if text[:2] not in {"**", "__"} and ":" not in text[:60] and "：" not in text[:60] and text[0] != "【":
        return "", text
    return split_label(text)


def _is_marked_blocked(block: Block, above: Scope) -> bool:
    """Return whether an item has the box of what is blocked, or its mark in a list of states.

    Elsewhere the mark is as often a prohibition.
    """
    text = block.text
    if block.kind in _PROSE and above.section in _TELLS_STATE:
        return is_marked_blocked(text) and not is_bare_label(text)
    if block.kind is not ITEM:
        return False
    if text[:1] == "[" and text[2:3] == "]":
        return is_blocked_box(text)
    return above.section is SectionKind.STATUS and parse_mark(text) is Status.BLOCKED
