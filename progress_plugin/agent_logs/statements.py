"""Turn the blocks of a document into statements: units of text that can be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from progress_plugin.agent_logs.entries import FoundEntry, after_first_sentence
from progress_plugin.agent_logs.noise import is_empty
from progress_plugin.agent_logs.scopes import TOPICS, Scopes
from progress_plugin.agent_logs.sections import TEACHING, is_neutral, is_report_label, section_of, word_list
from progress_plugin.model.status import Status
from progress_plugin.model.work import Form, Source, Statement
from progress_plugin.plans.status_phrases import first_mark, is_bare_status, status_of_phrase
from progress_plugin.text.labels import (
    MAX_LABEL_CHARS,
    has_box,
    is_bare_label,
    plain,
    split_label,
    undecorated,
    unemphasised,
)
from progress_plugin.text.markdown import Block, Document

MAX_STATEMENT_CHARS = 300
MIN_SPLIT_CHARS = 200  # two neighbouring pieces of a statement that is split have more together
MIN_THOUGHT_CHARS = 60  # a shorter sentence stays with its neighbour
MAX_SMALL_CHARS = 70  # of a list item that may be joined to the next
MIN_HEADING_WORDS = 4  # a heading of so many words is a statement, if it announces no section
MIN_SENTENCE_WORDS = 6  # a label of so many words is a statement, too
MAX_CODE_LINES = 12
MAX_FIELD_WORDS = 3

SCAFFOLD = frozenset({"date", "ticket", "scaffold"})  # sections of an entry that are shown in its heading
FIELDS = frozenset({"task", "status", "files"})  # so are these, if the statement itself has the label
_SHELL = frozenset({"", "sh", "bash", "shell", "console", "zsh", "text"})
_ANNOUNCING = re.compile(
    r"\b(?:following(?: [\w-]+){0,3}|including|covering|with|for|to|are|is|by|example|e\.g\.)$"
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z`*\"(\d])|(?<=[。！？])")


class _Found(NamedTuple):
    """A statement whose entry is not known yet."""

    text: str
    form: Form
    section: str | None
    label: str


def read_statements(document: Document, entries: Sequence[FoundEntry], path: str) -> list[Statement]:
    """Return the statements of a document in file order; `entry` is a position in `entries`, from 1."""
    numbers = {entry.start: number for number, entry in enumerate(entries, 1)}
    unnamed = {*numbers, _title_of(document)}
    scopes = Scopes()
    statements: list[Statement] = []
    number, nth = 0, 0
    for index, block in enumerate(document.blocks):
        if index in numbers:
            number, nth = numbers[index], 0
        elif number and index >= entries[number - 1].stop:
            number, nth = 0, 0
        after = document.blocks[index + 1] if index + 1 < len(document.blocks) else None
        source = Source(path, block.first, block.last)
        depth = block.depth if block.kind in {"item", "paragraph"} else 0
        for text, form, section, label in _find(scopes, block, after, can_name_section=index not in unnamed):
            statements.append(Statement(text, source, section, label, form, depth, number, nth))
            nth += 1
    return statements


def _title_of(document: Document) -> int:
    """Return the index of the heading that is the title of the file, or -1."""
    headings = [index for index, block in enumerate(document.blocks) if block.kind == "heading"]
    has_title = len(headings) > 1 and document.blocks[headings[0]].depth == 1
    return headings[0] if has_title else -1


def is_scaffold(statement: Statement) -> bool:
    """Return whether a statement is a field of its entry such as `Status: done`, which is shown elsewhere."""
    is_field = statement.section in FIELDS and not statement.label
    return statement.entry > 0 and (is_field or statement.section in SCAFFOLD)


def _find(scopes: Scopes, block: Block, after: Block | None, *, can_name_section: bool) -> Iterator[_Found]:
    """Yield the statements of a block. A block that begins an entry or the file cannot name a section."""
    if block.kind == "heading":
        scopes.enter_heading(block, names_section=can_name_section)
        name = plain(block.text)
        if can_name_section and len(name.split()) >= MIN_HEADING_WORDS and not section_of(name):
            yield _Found(name, "heading", scopes.above().section, "")
    elif block.kind == "rule":
        scopes.enter_rule()
    elif block.kind == "row" and block.info == "header":
        scopes.header = block.text
    elif block.kind == "row":
        yield _read_row(scopes, block)
    elif block.kind == "code":
        yield from _read_code(scopes, block)
    else:
        scopes.enter_text(block)
        if can_name_section:
            yield from _read_text(scopes, block, after)
        elif rest := after_first_sentence(block.text):
            yield _Found(rest, "item" if block.kind == "item" else "paragraph", scopes.above().section, "")


def _read_row(scopes: Scopes, block: Block) -> _Found:
    scope = scopes.above()
    cells = [cell for cell in block.text.split("\t") if cell]
    texts = [cell for cell in cells if not (is_empty(cell) or is_bare_status(cell))]
    is_error = any(word in scopes.header.casefold() for word in ("error", "issue", "problem"))
    is_advice = bool(cells) and cells[-1].partition(" ")[0].casefold() in word_list("orders")
    section = "gotcha" if is_error and is_advice else scope.section
    statuses = [status_of_phrase(cell) or first_mark(cell) for cell in cells]
    is_done = section in {"blocked", "next"} and Status.DONE in statuses
    text = " — ".join(texts if len(texts) > 1 else cells)
    return _Found(f"[x] {text}" if is_done else text, "row", section, scope.label)


def _read_code(scopes: Scopes, block: Block) -> Iterator[_Found]:
    lines = [line.strip() for line in block.text.split("\n")]
    lines = [line for line in lines if line and not line.startswith("#")]
    if block.info.partition(" ")[0] in _SHELL and len(lines) <= MAX_CODE_LINES:
        scope = scopes.above()
        for line in lines:
            yield _Found(line, "code", scope.section, scope.label)


def _read_text(scopes: Scopes, block: Block, after: Block | None) -> Iterator[_Found]:
    """Yield the statement of a paragraph or item; a label is a statement only if it is a sentence."""
    above = scopes.above()
    plain_form: Form = "item" if block.kind == "item" else "paragraph"
    if _is_label(block, after):
        label = undecorated(block.text).rstrip(":： ")
        is_sentence = len(label.split()) >= MIN_SENTENCE_WORDS and not _ANNOUNCING.search(label)
        is_sentence = is_sentence and not section_of(block.text, exactly=True)
        if is_sentence and block.kind == "paragraph" and not plain(block.text).endswith((":", "：")):
            scopes.enter_rule()  # a bold sentence without a colon announces nothing
        else:
            scopes.enter_label(block, has_sibling=_has_sibling(block, after))
        if is_sentence:
            yield _Found(label, plain_form, above.section, above.label)
        return
    name, rest = split_label(block.text)
    label_section = _section_of_field(name) if name and rest else None
    if label_section in TEACHING and is_report_label(name):
        label_section = None if above.section in TEACHING else "other"
    section, text = _judge_label(label_section, above.section, name, rest, block.text)
    if block.kind == "item" and _has_parts(block, after):
        short = plain(block.text)
        scopes.enter_parent(block, section, short if len(short) <= MAX_LABEL_CHARS else above.label)
    label = "" if label_section and section == label_section else above.label
    if section in {"blocked", "next"} and first_mark(text) is Status.DONE:
        text = f"[x] {undecorated(text)}"
    is_box = has_box(text)
    yield _Found(text if is_box else undecorated(text), "box" if is_box else plain_form, section, label)


def _is_label(block: Block, after: Block | None) -> bool:
    """Return whether a block is only a label of the next ones: `**Learnings:**`, `- Patterns discovered`."""
    has_parts = _has_parts(block, after)
    if is_bare_label(block.text):
        return block.kind != "item" or has_parts or _has_sibling(block, after)
    return has_parts and not split_label(block.text)[0] and section_of(block.text) in TEACHING


def _has_parts(block: Block, after: Block | None) -> bool:
    """Return whether the next block is below this block, or is a further paragraph of this list item."""
    if after is None:
        return False
    is_below = after.depth > block.depth and after.kind in {"item", "code", "row"}
    return is_below or (block.kind == "item" and after.kind == "paragraph" and after.depth == block.depth)


def _has_sibling(block: Block, after: Block | None) -> bool:
    return after is not None and after.kind == "item" and after.depth == block.depth


def _section_of_field(name: str) -> str | None:
    """Return the section of a label with text behind it; a long label must be known as a whole.

    A label that ends with a digit is a title and no field: `Phase 2: Signals`.
    """
    section = section_of(name, exactly=len(name.split()) > MAX_FIELD_WORDS)
    return None if section == "scaffold" and name[-1].isdigit() else section


def _judge_label(
    label_section: str | None, above: str | None, name: str, rest: str, text: str
) -> tuple[str | None, str]:
    """Return the section of a labelled text, and the text without its label if that is neutral."""
    if not label_section:
        return above, text
    shown = rest if is_neutral(name) else text
    if above in TEACHING and label_section not in TEACHING:
        return above, shown  # among learnings `Testing: use X` is a learning about tests
    if above in {"blocked", "next"} and label_section in TOPICS:
        return above, text  # among blockers `Testing: needs a database` is a blocker
    return label_section, shown


def shape(statements: Sequence[Statement]) -> list[Statement]:
    """Join small neighbours of one list and split long statements at the ends of sentences."""
    shaped: list[Statement] = []
    is_small = False  # whether the last of `shaped` can be joined to the next statement
    for statement in statements:
        for piece in _split_sentences(unemphasised(statement.text)):
            current = statement if piece == statement.text else statement._replace(text=piece)
            was_small, is_small = is_small, _is_small(current)
            if was_small and is_small and _can_join(shaped[-1], current):
                last = shaped[-1]
                joined = f"{last.text.rstrip(' .;')}; {piece}"
                shaped[-1] = last._replace(text=joined, source=last.source._replace(last=current.source.last))
            else:
                shaped.append(current)
    return shaped


def _is_small(statement: Statement) -> bool:
    """Return whether a statement can be joined to others: its label would seem to hold for the others."""
    is_short = len(statement.text) <= MAX_SMALL_CHARS
    return statement.form == "item" and is_short and not split_label(statement.text)[0]


def _can_join(last: Statement, current: Statement) -> bool:
    is_near = current.source.line <= last.source.last + 1
    fits = len(last.text) + len(current.text) <= MAX_STATEMENT_CHARS
    return is_near and fits and _list_key(last) == _list_key(current)


def _list_key(statement: Statement) -> tuple[object, ...]:
    return statement.section, statement.label, statement.depth, statement.entry, statement.form


def _split_sentences(text: str) -> list[str]:
    text = " ".join(text.split())
    if len(text) <= MAX_STATEMENT_CHARS:
        return [text]
    pieces = [""]
    for sentence in _SENTENCE_END.split(text):
        last = pieces[-1]
        can_split = min(len(last), len(sentence)) > MIN_THOUGHT_CHARS
        if can_split and len(last) + len(sentence) > MIN_SPLIT_CHARS:
            pieces.append(sentence)
        else:
            pieces[-1] = f"{last} {sentence}".strip()
    return pieces
