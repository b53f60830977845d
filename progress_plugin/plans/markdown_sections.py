"""The outline of a Markdown document: sections with lists, tables and lines, made of its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from progress_plugin.text.labels import BOX
from progress_plugin.text.markdown import Block, parse
from progress_plugin.text.patterns import LazyPattern

_TAG = LazyPattern(r"^\s{0,40}[-*+] \[[ xX]\] [^\n\[]{0,40}\[([A-WYZ])\]", re.MULTILINE)
"""A letter used as a tag: `[P]` in `- [ ] T001 [P] Sail`. An item `- [P] x` that explains it is left out."""
_HEADING_BOX = LazyPattern(r"^\[(.?)\] |\s\[([ xX~/-])\]$")  # `## [x] Sails`, `## Sails [x]`
_COMMIT = LazyPattern(r"git commit (?:.*? )?-m ([\"'])(.+?)\1[ \t]*$", re.MULTILINE)


@dataclass(eq=False)
class ListItem:
    """One item of a list. `box` is the character in its check-box, "" if it is empty, None without a box."""

    text: str
    line: int
    last: int
    depth: int
    box: str | None = None
    number: str = ""
    children: list[ListItem] = field(default_factory=list)


class Table(NamedTuple):
    """A table with the line of each row."""

    header: tuple[str, ...]
    rows: list[tuple[tuple[str, ...], int]]


@dataclass(eq=False)
class Section:
    """A heading and what is below it, up to the next heading of its level or a higher one."""

    title: str
    level: int
    line: int
    last: int = 0
    items: list[ListItem] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    lines: list[tuple[str, int]] = field(default_factory=list)  # the lines of its paragraphs
    sections: list[Section] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)  # subjects of `git commit -m` in its code
    box: str = ""  # the check-box in its heading, with the brackets
    front_matter: str = ""  # of the document; only the root has it


def read_outline(text: str) -> Section:
    """Parse a document. The result is a section of level 0 that contains all others."""
    document = parse(text)
    root = Section("", 0, 1, document.lines, front_matter=document.front_matter)
    stack = [root]
    items: list[ListItem] = []  # the list items that the next block may be part of, the outermost first
    for block in document.blocks:
        if block.kind == "heading":
            title, box = _HEADING_BOX.sub("", block.text), _HEADING_BOX.search(block.text)
            section = Section(title, block.depth, block.first, root.last, box=box[0].strip() if box else "")
            while stack[-1].level >= section.level:
                stack.pop().last = section.line - 1
            stack[-1].sections.append(section)
            stack.append(section)
            items = []
        else:
            _add_block(stack[-1], items, block)
    tags = frozenset(_TAG.findall(text))
    for section, _ in sections_of(root) if tags else ():
        section.items = [item for item in section.items if item.box not in tags]
    return root


def _add_block(section: Section, items: list[ListItem], block: Block) -> None:
    """Add a block to its section, or to the list item that it is part of."""
    cells = (tuple(block.text.split("\t")), block.first)
    if block.kind == "code":
        section.commits += [subject for _, subject in _COMMIT.findall(block.text)]
    elif block.kind == "row" and block.info == "header":
        section.tables.append(Table(cells[0], []))
    elif block.kind == "row" and section.tables:
        section.tables[-1].rows.append(cells)
    elif block.kind in {"item", "paragraph"}:
        innermost = block.depth - 1 if block.kind == "item" else block.depth
        while items and items[-1].depth > innermost:
            items.pop()
        if block.kind == "item":
            item = _list_item(block)
            (items[-1].children if items else section.items).append(item)
            items.append(item)
        elif items:
            items[-1].text += "\n" + "\n".join(block.lines)
        else:
            section.lines += [(line, block.first + number) for number, line in enumerate(block.lines)]
        for item in items:
            item.last = block.last


def _list_item(block: Block) -> ListItem:
    item = ListItem("\n".join(block.lines), block.first, block.last, block.depth, number=block.info)
    if box := BOX.match(item.text):
        item.box, item.text = box[1].strip(), item.text[box.end() :]
    return item


def sections_of(
    section: Section, above: tuple[Section, ...] = ()
) -> Iterator[tuple[Section, tuple[Section, ...]]]:
    """Yield a section and all below it, each with the sections above it, in document order."""
    yield section, above
    for inner in section.sections:
        yield from sections_of(inner, (*above, section))
