"""Turn the blocks of a document into statements: units of text that can be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from progress_plugin.agent_logs.document import MAX_LABEL_CHARS, Block, Document, is_bare_label
from progress_plugin.agent_logs.entries import FoundEntry
from progress_plugin.agent_logs.sections import TEACHING, is_neutral, is_report, section_of
from progress_plugin.agent_logs.tables import word_set
from progress_plugin.model.work import Form, Source, Statement
from progress_plugin.text.labels import plain, split_label, undecorated, unemphasised

MAX_STATEMENT_CHARS = 300
MIN_PIECE_CHARS = 200
MAX_SMALL_CHARS = 70
MIN_HEADING_WORDS = 4
MAX_CODE_LINES = 12
MAX_FIELD_WORDS = 3
FLAT = 0.5  # how much further out a label is whose items were written at its own depth

SCAFFOLD = frozenset({"date", "ticket", "scaffold"})
FIELDS = frozenset({"task", "status", "files"})  # scaffolding if the label is on the same line
_TOPICS = frozenset({"checks", "other", "work", "ticket", "task"})
_SHELL = frozenset({"", "sh", "bash", "shell", "console", "zsh", "text"})
_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z`*\"(\d])|(?<=[。！？])")


@dataclass(slots=True)
class _Scope:
    """A heading, label or item, and which section is below it."""

    depth: float
    section: str | None
    label: str


@dataclass(slots=True)
class _Walker:
    """Goes through the blocks in order and knows what governs each."""

    headings: list[_Scope] = field(default_factory=list)
    label: _Scope | None = None  # the last paragraph that only names what follows
    items: list[_Scope] = field(default_factory=list)
    header: str = ""  # of the table

    def enter_heading(self, block: Block, *, names_section: bool) -> None:
        while self.headings and self.headings[-1].depth >= block.depth:
            self.headings.pop()
        above = self.headings[-1].section if self.headings else None
        name = plain(block.text)
        own = section_of(name, exactly=above is not None) if names_section else None
        if above in TEACHING and own in _TOPICS:
            own = None  # below learnings such a heading sorts them
        label = name if names_section else ""
        self.headings.append(_Scope(block.depth, own or (above if names_section else None), label))
        self.label, self.items = None, []

    def leave_lists(self, depth: float) -> None:
        while self.items and self.items[-1].depth >= depth:
            self.items.pop()

    def above(self) -> _Scope:
        """Return what governs the next block."""
        if self.items:
            return self.items[-1]
        return self.label or (self.headings[-1] if self.headings else _Scope(0, None, ""))


def read_statements(document: Document, entries: Sequence[FoundEntry], path: str) -> list[Statement]:
    """Return the statements of a document in file order, each with the place of its entry in `entries`."""
    numbers = {entry.start: number for number, entry in enumerate(entries, 1)}
    walker = _Walker()
    found: list[Statement] = []
    number, nth = 0, 0
    for index, block in enumerate(document.blocks):
        if index in numbers:
            number, nth = numbers[index], 0
        elif number and index >= entries[number - 1].stop:
            number, nth = 0, 0
        after = document.blocks[index + 1] if index + 1 < len(document.blocks) else None
        for statement in _statements_of(walker, block, after, is_entry=index in numbers):
            source = replace(statement.source, path=path)
            found.append(replace(statement, source=source, entry=number, nth=nth))
            nth += 1
    return found


def is_scaffold(statement: Statement) -> bool:
    """Return whether a statement is a field of its entry such as `Status: done`, which is shown elsewhere."""
    is_field = statement.section in FIELDS and not statement.label
    return statement.entry > 0 and (is_field or statement.section in SCAFFOLD)


def _statements_of(
    walker: _Walker, block: Block, after: Block | None, *, is_entry: bool
) -> Iterator[Statement]:
    """Yield the statements of one block, and have the walker know what it governs."""
    if block.kind == "heading":
        is_title = block.depth == 1 and not block.path
        walker.enter_heading(block, names_section=not (is_entry or is_title))
        name = plain(block.text)
        if not is_entry and not is_title and len(name.split()) >= MIN_HEADING_WORDS and not section_of(name):
            yield _statement(block, name, "heading", walker.headings[-1].section, "")
    elif block.kind == "rule":
        walker.label, walker.items = None, []
    elif block.kind == "row":
        if block.info != "header":
            yield _row(walker, block)
        else:
            walker.header = block.text
    elif block.kind == "code":
        yield from _code(walker, block)
    else:
        yield from _text(walker, block, after, is_entry=is_entry)


def _row(walker: _Walker, block: Block) -> Statement:
    scope = walker.above()
    cells = [cell for cell in block.text.split("\t") if cell]
    is_error = any(word in walker.header.casefold() for word in ("error", "issue", "problem"))
    is_cure = bool(cells) and cells[-1].partition(" ")[0].casefold() in word_set("orders")
    section = "gotcha" if is_error and is_cure else scope.section
    return _statement(block, " — ".join(cells), "row", section, scope.label)


def _code(walker: _Walker, block: Block) -> Iterator[Statement]:
    lines = [line.strip() for line in block.text.split("\n") if line.strip()]
    if block.info.partition(" ")[0] in _SHELL and len(lines) <= MAX_CODE_LINES:
        scope = walker.above()
        for line in lines:
            yield _statement(block, line, "code", scope.section, scope.label)


def _text(walker: _Walker, block: Block, after: Block | None, *, is_entry: bool) -> Iterator[Statement]:
    is_item = block.kind == "item"
    walker.leave_lists(block.depth if is_item else block.depth + 1)
    if not is_item and block.depth == 0:
        walker.items = []
    above = walker.above()
    name, rest = split_label(block.text)
    has_children = after is not None and after.kind in {"item", "code", "row"} and after.depth > block.depth
    if is_entry:
        return
    is_label = is_bare_label(block.text) or (has_children and not name and section_of(block.text) in TEACHING)
    if is_label and (not is_item or has_children or _is_flat(block, after)):
        walker.leave_lists(block.depth - FLAT)
        _enter_label(walker, block, walker.above(), is_flat=not has_children)
        return
    own = _section_of_field(name) if name and rest else None
    if own in TEACHING and is_report(name):
        own = None if above.section in TEACHING else "other"
    section, text = _judge_label(own, above.section, name, rest, block.text)
    if has_children:
        label = above.label if section == above.section else ""
        short = plain(block.text)
        walker.items.append(_Scope(block.depth, section, short if len(short) <= MAX_LABEL_CHARS else label))
    elif (
        not is_item and walker.label and not name and above is walker.label and after and after.kind != "item"
    ):
        pass
    form: Form = "item" if is_item else "paragraph"
    if text[:1] == "[" and text[2:3] == "]":
        form = "box"
    label = "" if own and section == own else above.label
    yield _statement(block, text if form == "box" else undecorated(text), form, section, label)


def _section_of_field(name: str) -> str | None:
    """Return the section that a label announces before text; a long one may be half of a sentence."""
    return section_of(name, exactly=len(name.split()) > MAX_FIELD_WORDS)


def _judge_label(
    own: str | None, above: str | None, name: str, rest: str, text: str
) -> tuple[str | None, str]:
    """Return the section of a labelled text, and the text without its label if that is neutral."""
    if not own:
        return above, text
    if above in TEACHING and own not in TEACHING:
        return above, text  # among learnings `Testing: use X` is a learning about tests
    return own, (rest if is_neutral(name) else text)


def _enter_label(walker: _Walker, block: Block, above: _Scope, *, is_flat: bool) -> None:
    """Let a bare label govern what is below it; one of no known meaning passes on what it is in."""
    name = undecorated(plain(block.text)).rstrip(" :：")
    own = section_of(name, exactly=above.section is not None)
    if above.section in TEACHING and own in _TOPICS:
        own = None
    if block.kind == "item" or block.depth:
        depth = block.depth - FLAT if is_flat else block.depth
        walker.items.append(_Scope(depth, own or above.section, name))
        return
    outer = walker.headings[-1].section if walker.headings else None
    walker.label = _Scope(0, own or outer, name)


def _is_flat(block: Block, after: Block | None) -> bool:
    """Return whether the items of a bare label were written at its own depth."""
    return after is not None and after.kind == "item" and after.depth == block.depth


def _statement(block: Block, text: str, form: Form, section: str | None, label: str) -> Statement:
    depth = block.depth if block.kind in {"item", "paragraph"} else 0
    return Statement(text, Source("", block.first, block.last), section, label, form, depth)


def shape(statements: Sequence[Statement]) -> list[Statement]:
    """Join small neighbours of one list and split long statements at the ends of sentences."""
    shaped: list[Statement] = []
    is_small = False  # the last statement, and all that was joined to it
    for statement in statements:
        text = unemphasised(statement.text)
        for piece in _pieces(text):
            current = replace(statement, text=piece)
            last = shaped[-1] if shaped else None
            if last and is_small and _can_join(last, current):
                joined = f"{last.text.rstrip(' .;')}; {piece}"
                shaped[-1] = replace(last, text=joined, source=replace(last.source, last=current.source.last))
            else:
                shaped.append(current)
                is_small = current.form == "item" and len(piece) <= MAX_SMALL_CHARS
    return shaped


def _can_join(last: Statement, current: Statement) -> bool:
    if current.form != "item" or len(current.text) > MAX_SMALL_CHARS:
        return False
    if len(last.text) + len(current.text) > MAX_STATEMENT_CHARS or last.source.last + 1 < current.source.line:
        return False
    return _place(last) == _place(current)


def _place(statement: Statement) -> tuple[object, ...]:
    return statement.section, statement.label, statement.depth, statement.entry, statement.form


def _pieces(text: str) -> Iterator[str]:
    text = " ".join(text.split())
    if len(text) <= MAX_STATEMENT_CHARS:
        yield text
        return
    piece = ""
    for sentence in _SENTENCE_END.split(text):
        if piece and len(piece) + len(sentence) > MIN_PIECE_CHARS:
            yield piece
            piece = sentence
        else:
            piece = f"{piece} {sentence}".strip()
    if piece:
        yield piece
