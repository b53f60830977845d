"""The outline of a Markdown document: sections with lists, tables and lines, from markdown-it-py tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.text.labels import BOX
from progress_plugin.text.patterns import LazyPattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = LazyPattern(r"\A---\n(.*?)\n---(?=\n|\Z)", re.DOTALL)
_FENCE = LazyPattern(r"\s{0,3}(`{3,}|~{3,})")
# Boxes as people write them: `-[ ] a`, `- [] a`, `- [ x ] a`, `- [x]a`, `[ ] a`, `- ☐ a`.
_BOX_LINE = LazyPattern(
    r"(?P<indent>\s{0,40})(?P<bullet>[-*+]|\d{1,4}[.)])?\s{0,8}"
    r"(?:\[\s?(?P<mark>[^\s\[\]]?)\s?\](?![(:])(?P<optional>\*(?=\s))?|(?P<sign>[☐☑☒⬜]))\s*(?=\S)"
)
MAX_HEADING_CHARS = 200
_RULED_HEADING = LazyPattern(r"\s{0,3}={2,}\s+(?P<title>\S.*?)\s+={2,}\s*")
_TAG = LazyPattern(r"^\s{0,40}[-*+] \[[ xX]\] [^\n\[]{0,40}\[([A-WYZ])\]", re.MULTILINE)
"""If a letter is used as a tag, as `[P]` in `- [ ] T001 [P] Sail`, `- [P] x` is not a check-box here."""
_COMMIT = LazyPattern(r"git commit (?:.*? )?-m ([\"'])(.+?)\1[ \t]*$", re.MULTILINE)


@dataclass(eq=False)
class ListItem:
    """One item of a list. `box` is the character in its check-box, "" if it is empty, None without a box."""

    text: str
    line: int
    last: int
    box: str | None = None
    number: str = ""
    children: list[ListItem] = field(default_factory=list)


class Table(NamedTuple):
    """A table with the line of each row."""

    header: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], int], ...]


@dataclass(eq=False)
class Section:
    """A heading and what is below it up to the next heading of its level."""

    title: str
    level: int
    line: int
    last: int = 0
    items: list[ListItem] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    lines: list[tuple[str, int]] = field(default_factory=list)  # the lines of its paragraphs
    sections: list[Section] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)  # subjects, of the `git commit -m` in its code


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - many projects have no Markdown to read

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["lheading", "inline"])


def read_outline(text: str) -> Section:
    """Parse a document. The result is a section of level 0 that contains all others.

    Front matter and comments count as blank lines.
    """
    text = _without_comments(_FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text))
    root = Section("", 0, 1, text.count("\n") + 1)
    stack = [root]
    tokens = _parser().parse(regular_markdown(text))
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.type == "heading_open":
            section = Section(
                tokens[position + 1].content.strip(), int(token.tag[1]), _line(token), root.last
            )
            while stack[-1].level >= section.level:
                stack.pop().last = section.line - 1
            stack[-1].sections.append(section)
            stack.append(section)
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            stack[-1].items += _list_items(tokens, position)
        elif token.type == "table_open":
            stack[-1].tables.append(_table(tokens, position))
        elif token.type == "fence":
            stack[-1].commits += [subject for _, subject in _COMMIT.findall(token.content)]
        elif token.type == "paragraph_open":
            start, inline = _line(token), tokens[position + 1].content
            stack[-1].lines += [(line, start + offset) for offset, line in enumerate(inline.split("\n"))]
        position = _end_of(tokens, position) + 1 if token.nesting == 1 else position + 1
    tags = frozenset(_TAG.findall(text))
    for section, _ in sections_of(root) if tags else ():
        section.items = [item for item in section.items if item.box not in tags]
    return root


def sections_of(
    section: Section, above: tuple[Section, ...] = ()
) -> Iterator[tuple[Section, tuple[Section, ...]]]:
    """Yield a section and all below it, each with the sections above it, in document order."""
    yield section, above
    for inner in section.sections:
        yield from sections_of(inner, (*above, section))


def _without_comments(text: str) -> str:
    """Blank out HTML comments and keep the line numbers; an unclosed comment is text."""
    parts = []
    while (start := text.find("<!--")) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[:start], "\n" * text.count("\n", start, end)]
        text = text[end + len("-->") :]
    return "".join([*parts, text])


def regular_markdown(text: str) -> str:
    """Rewrite malformed boxes as `- [x] ` and `=== Title ===` as a heading, outside of code fences."""
    lines, fence = [], ""
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1]
        lines.append(line if fence or opened else _regular_line(line))
    return "\n".join(lines)


def _regular_line(line: str) -> str:
    if len(line) <= MAX_HEADING_CHARS and (title := _RULED_HEADING.fullmatch(line)):
        return f"## {title['title']}"
    box = _BOX_LINE.match(line)
    if box is None:
        return line
    mark = box["mark"] or {"☑": "x", "☒": "x"}.get(box["sign"] or "", " ")
    if box["sign"] and not box["bullet"]:
        return line  # a mark that begins a line of prose
    optional = " (optional)" if box["optional"] else ""  # Kiro writes `- [ ]* Task`
    return f"{box['indent']}{box['bullet'] or '-'} [{mark}] {line[box.end() :]}{optional}"


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _end_of(tokens: list[Token], start: int) -> int:
    depth = 0
    for position in range(start, len(tokens)):
        depth += tokens[position].nesting
        if depth == 0:
            return position
    return len(tokens) - 1


def _list_items(tokens: list[Token], start: int) -> list[ListItem]:
    items, end = [], _end_of(tokens, start)
    position = start + 1
    while position < end:
        close = _end_of(tokens, position)
        items.append(_list_item(tokens, position, close))
        position = close + 1
    return items


def _list_item(tokens: list[Token], start: int, end: int) -> ListItem:
    opening = tokens[start]
    item = ListItem("", _line(opening), opening.map[1] if opening.map else 1, number=opening.info)
    position = start + 1
    while position < end:
        token = tokens[position]
        if token.type == "inline":
            item.text = f"{item.text}\n{token.content}" if item.text else token.content
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            item.children += _list_items(tokens, position)
            position = _end_of(tokens, position)
        position += 1
    if box := BOX.match(item.text):
        item.box, item.text = box[1].strip(), item.text[box.end() :]
    return item


def _table(tokens: list[Token], start: int) -> Table:
    rows: list[tuple[tuple[str, ...], int]] = []
    cells: list[str] = []
    for token in tokens[start : _end_of(tokens, start)]:
        if token.type == "tr_open":
            cells, line = [], _line(token)
        elif token.type == "inline":
            cells.append(token.content.strip())
        elif token.type == "tr_close":
            rows.append((tuple(cells), line))
    return Table(rows[0][0] if rows else (), tuple(rows[1:]))
