"""Parse the Markdown of an agent's log into a flat list of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARS = 4_000_000
MAX_LINE_CHARS = 4_000
MAX_FRONT_MATTER_LINES = 60
MAX_LABEL_CHARS = 90
MIN_RULE_CHARS = 3
MAX_BOX_LINES = 3
MAX_FENCE_INDENT = 3  # relative to the fence around it

BlockKind = Literal["heading", "paragraph", "item", "row", "code", "rule"]
FENCES = ("```", "~~~")
_HEADING = LazyPattern(r"#{1,6}(?:\s|$)")
_TAG = LazyPattern(r"</?[a-z][a-z\d]*(?:\s[^<>]*)?>")


class Block(NamedTuple):
    """One heading, paragraph, list item, table row, fence or rule. Lines count from 1."""

    kind: BlockKind
    text: str
    first: int
    last: int
    depth: int = 0  # level of a heading (1 to 6), nesting of a list item (from 1)
    path: tuple[str, ...] = ()  # headings above it, the outermost first
    info: str = ""  # language of a fence; "header" for the first row of a table


class Document(NamedTuple):
    """The blocks of a file in order, and the fields of its front matter."""

    blocks: tuple[Block, ...]
    front_matter: dict[str, str]
    lines: int


def parse(text: str, read_section: Callable[[str], Any]) -> Document:
    """Parse a whole file; never raises. Too long files and lines are cut.

    `read_section` may be a cached `blocks_of_section`.
    """
    lines = (
        shortened(text, MAX_CHARS)
        .removeprefix("\ufeff")
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .split("\n")
    )
    lines = [shortened(line, MAX_LINE_CHARS).rstrip() for line in lines]
    front_matter = _take_front_matter(lines)
    _hide_comments(lines)
    _close_fences(lines)
    _normalise_titles(lines)
    blocks: list[Block] = []
    headings: list[Block] = []
    for start, section in _sections(lines):
        for kind, content, first, last, depth, info in read_section(section):
            if kind == "heading":
                while headings and headings[-1].depth >= depth:
                    headings.pop()
            path = tuple(heading.text for heading in headings)
            blocks.append(Block(kind, content, start + first, start + last, depth, path, info))
            if kind == "heading":
                headings.append(blocks[-1])
    return Document(tuple(blocks), front_matter, len(lines))


def _sections(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines from a heading at the margin to the next one, with the number of lines before them.

    Such a heading ends whatever was begun but a fence, so each section can be parsed by itself.
    """
    start, fence = 0, ""
    for number, line in enumerate(lines):
        bare = line.lstrip()
        if bare.startswith(FENCES):
            marks = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            if not fence:
                fence = marks
            elif marks.startswith(fence) and marks == bare:
                fence = ""
        elif not fence and number > start and _HEADING.match(line):
            yield start, "\n".join(lines[start:number])
            start = number
    yield start, "\n".join(lines[start:])


def blocks_of_section(text: str) -> list[tuple[BlockKind, str, int, int, int, str]]:
    """Return the blocks of a section as values of JSON: their fields but the path, lines counted in it."""
    builder = _Builder(text.split("\n"))
    for token in _parser().parse(text):
        builder.take(token)
    return builder.blocks


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - many projects have no Markdown to read

    # Inline marks are not parsed: their text is read as it is written. A rule right below a line is common
    # in logs and makes no heading of it; indentation alone makes no code.
    parser = MarkdownIt("commonmark").enable("table")
    return parser.disable(["lheading", "html_block", "reference", "code", "inline", "text_join"])


def _take_front_matter(lines: list[str]) -> dict[str, str]:
    """Blank out the block between `---` lines at the head of a file, and return its simple fields."""
    if not lines or lines[0] != "---" or "---" not in lines[1:MAX_FRONT_MATTER_LINES]:
        return {}
    end = lines.index("---", 1)
    fields = {}
    for number in range(1, end):
        name, colon, value = lines[number].partition(":")
        if colon and name.strip() == name and value.strip():
            fields[name.casefold()] = value.strip().strip("\"'")
    lines[: end + 1] = [""] * (end + 1)
    return fields


def _hide_comments(lines: list[str]) -> None:
    """Blank out the HTML comments and tags that begin a line; others may be an example in a sentence."""
    lines[:] = [_TAG.sub(" ", line).strip() if line[:1] == "<" else line for line in lines]
    is_open = False
    for number, line in enumerate(lines):
        if is_open:
            _, closing, rest = line.partition("-->")
            lines[number] = rest if closing else ""
            is_open = not closing
        elif "<!--" in line and line.lstrip(" -*").startswith("<!--"):
            before, _, after = line.partition("<!--")
            _, closing, rest = after.partition("-->")
            lines[number] = (before + rest).rstrip()
            is_open = not closing


def _close_fences(lines: list[str]) -> None:
    """Close a fence that stays open, or runs into the next one, at its first blank line."""
    opened, mark, outer = -1, "", 0
    for number, line in enumerate(lines):
        if "```" not in line and "~~~" not in line:
            continue
        bare = line.lstrip()
        if not bare.startswith(FENCES):
            continue
        indent = len(line) - len(bare)
        if opened >= 0 and indent > outer + MAX_FENCE_INDENT:
            lines[number] = line.replace(bare[:3], "", 1)  # part of the code
        elif opened >= 0 and bare[:3] == mark and not bare.strip("`~"):
            opened = -1
        elif opened < 0 or bare[:3] == mark:
            if opened >= 0:
                _close_fence(lines, opened, number)
            opened, mark, outer = number, bare[:3], indent
    if opened >= 0:
        _close_fence(lines, opened, len(lines))


def _close_fence(lines: list[str], opened: int, end: int) -> None:
    for number in range(opened + 1, end):
        if not lines[number]:
            bare = lines[opened].lstrip()
            indent = len(lines[opened]) - len(bare)
            lines[number] = " " * indent + bare[0] * (len(bare) - len(bare.lstrip(bare[0])))
            return
    lines[opened] = ""


def _normalise_titles(lines: list[str]) -> None:
    """Turn titles drawn with `=` into headings, other drawn rules into `---`, drawn bullets into `-`."""
    opened = -1  # the last rule of `=`, which may open a box around a title
    for number, line in enumerate(lines):
        bare = line.strip()
        if not bare or bare[0].isalnum():
            continue
        if bare[0] in "•‣▪◦●" and bare[1:2] == " ":
            lines[number] = line.replace(bare[0], "-", 1)
        elif len(bare) >= MIN_RULE_CHARS and not bare.strip("=═─━"):
            is_double = bare[0] in "=═"
            boxed = lines[opened + 1 : number]
            if is_double and opened >= 0 and 0 < len(boxed) <= MAX_BOX_LINES and all(boxed):
                lines[opened : opened + 2] = ["", f"# {boxed[0]}"]
                lines[number] = ""
                opened = -1
                continue
            above = lines[number - 1] if number else ""
            is_title = above[:1] not in {"", *"#-*>| "} and (number == 1 or not lines[number - 2])
            if is_double and is_title:
                lines[number - 1 : number + 1] = [f"# {above}", ""]
            else:
                lines[number] = "---"
                opened = number if is_double else -1
        elif bare.startswith("==") and bare.endswith("==") and bare.strip("= "):
            lines[number] = f"# {bare.strip('= ')}"


class _Builder:
    """Turns the tokens of the parser into blocks."""

    def __init__(self, lines: list[str]) -> None:
        self.blocks: list[tuple[BlockKind, str, int, int, int, str]] = []
        self._lines = lines
        self._depth = 0
        self._level = 0  # of the heading whose text comes next
        self._is_item_open = False
        self._cells: list[str] | None = None
        self._row_info = ""

    def take(self, token: Token) -> None:
        """Read one token."""
        kind = token.type
        if kind == "inline" and token.map:
            self._take_text(token.content, token.map[0] + 1)
        elif kind in {"bullet_list_open", "ordered_list_open"}:
            self._depth += 1
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            self._depth -= 1
        elif kind == "list_item_open":
            self._is_item_open = True
        elif kind == "list_item_close":
            self._is_item_open = False
        elif kind == "heading_open":
            self._level = int(token.tag[1])
        elif kind == "heading_close":
            self._level = 0
        elif kind in {"tr_open", "tr_close"}:
            self._take_row(token)
        elif kind == "thead_open":
            self._row_info = "header"
        elif kind == "tbody_open":
            self._row_info = ""
        elif kind == "hr" and token.map:
            self._add("rule", "", (token.map[0] + 1, token.map[0] + 1))
        elif kind == "fence" and token.map:
            self._add(
                "code", token.content, (token.map[0] + 1, token.map[1]), info=token.info.strip().lower()
            )

    def _take_row(self, token: Token) -> None:
        if token.type == "tr_open":
            self._cells = []
            self._row_line = token.map[0] + 1 if token.map else 0
        else:
            lines = (self._row_line, self._row_line)
            self._add("row", "\t".join(self._cells or ()), lines, info=self._row_info)
            self._cells = None

    def _take_text(self, text: str, first: int) -> None:
        if self._cells is not None:
            self._cells.append(text.strip().replace("\t", " "))
        elif self._level:
            self._add("heading", text.strip(), (first, first), self._level)
        else:
            self._take_lines(text.split("\n"), first)

    def _take_lines(self, lines: list[str], first: int) -> None:
        """Split a paragraph before the lines that begin something of their own."""
        start = 0
        for number in range(1, len(lines) + 1):
            if number == len(lines) or _begins_anew(lines[number - 1], lines[number]):
                text = " ".join(line.strip() for line in lines[start:number])
                self._take_paragraph(text, (first + start, first + number - 1))
                start = number

    def _take_paragraph(self, text: str, lines: tuple[int, int]) -> None:
        is_item = self._is_item_open
        self._is_item_open = False
        raw = self._lines[lines[0] - 1]
        depth = self._depth if is_item or raw[:1].isspace() else 0  # a line at the margin is in no list
        if text:
            self._add("item" if is_item else "paragraph", text, lines, depth)

    def _add(
        self, kind: BlockKind, text: str, lines: tuple[int, int], depth: int = 0, info: str = ""
    ) -> None:
        self.blocks.append((kind, text, *lines, depth, info))


_BEGINS = LazyPattern(
    r"\**\[?(?:20\d\d[-/.]\d|[A-Z][A-Z0-9]*-?\d+[:\s])|[✅☑✔✓🔄🚧❌⚠⏭⏳☐⬜]|\[[ xX~!]\]|@|→"
)


def _begins_anew(before: str, line: str) -> bool:
    """Return whether a line of a paragraph is a statement of its own: a label, a mark, a date, an id."""
    line = line.strip()
    if is_bare_label(before) or before.endswith("  "):
        return True
    if _BEGINS.match(line):
        return True
    name, _ = split_label(line)
    return bool(name) and not (name[0].islower() and before[-1:] not in ".!?:")


def is_bare_label(text: str) -> bool:
    """Return whether a text only names what follows: it ends with a colon, or is bold as a whole."""
    text = text.strip()
    if not text or len(text) > MAX_LABEL_CHARS:
        return False
    if text.endswith((":", "：", ":**", "：**", ":__")):
        return ". " not in text
    if text[0] == "【" and text[-1] == "】":
        return True
    return text[:2] == "**" == text[-2:] and text.count("**") == 2  # noqa: PLR2004 - one pair of marks


def has_box(text: str) -> bool:
    """Return whether a text begins with a check-box."""
    return text[:1] == "[" and text[2:3] == "]"
