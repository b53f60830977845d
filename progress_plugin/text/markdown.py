"""Read Markdown, as people and agents really write it, into a flat list of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import is_bare_label, split_label
from progress_plugin.text.patterns import LazyPattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARS = 4_000_000
MAX_LINE_CHARS = 4_000
MAX_FRONT_MATTER_LINES = 400
MIN_RULE_CHARS = 3
MAX_INDENT = 40  # before a comment that begins a line
MAX_BOX_LINES = 3
MAX_FENCE_INDENT = 3  # relative to the fence around it

BlockKind = Literal["heading", "paragraph", "item", "row", "code", "rule"]
RawBlock = tuple[BlockKind, str, int, int, int, str]  # kind, text, first, last, depth and info of a block
FENCES = ("```", "~~~")
_FIELD = LazyPattern(r"[\w -]+:")  # the first line of front matter
_HEADING = LazyPattern(r"#{1,6}(?:\s|$)")
_TAG = LazyPattern(r"</?[a-z][a-z\d]*(?:\s[^<>]*)?>")
# Boxes as people write them: `-[ ] a`, `- [] a`, `- [ x ] a`, `- [x]a`, `[ ] a`, `- ☐ a`.
_BOX = LazyPattern(
    r"(?P<indent>\s{0,40})(?P<bullet>[-*+]|\d{1,4}[.)])?\s{0,8}"
    r"(?:\[\s?(?P<mark>[^\s\[\]]?)\s?\](?![(:])(?P<optional>\*(?=\s))?|(?P<sign>[☐☑☒⬜]))\s*(?=\S)"
)


class Block(NamedTuple):
    """One heading, paragraph, list item, table row, fence or rule. Lines count from 1."""

    kind: BlockKind
    text: str  # on one line, unless it is code
    first: int
    last: int
    depth: int = 0  # level of a heading (1 to 6), nesting of a list item (from 1)
    path: tuple[str, ...] = ()  # headings above it, the outermost first
    info: str = ""  # language of a fence, number of an item; "header" for the first row of a table
    lines: tuple[str, ...] = ()  # its text, line by line


class Document(NamedTuple):
    """The blocks of a file in order, and the text of its front matter."""

    blocks: tuple[Block, ...]
    front_matter: str
    lines: int


def blocks_of_section(text: str) -> list[RawBlock]:
    """Return the blocks of a section; line numbers count from its first line."""
    builder = _Builder(text.split("\n"))
    for token in _parser().parse(text):
        builder.take(token)
    return builder.blocks


def parse(text: str, read_section: Callable[[str], Any] = blocks_of_section) -> Document:
    """Parse a whole file; never raises. Files and lines that are too long are cut.

    `read_section` may be a cached `blocks_of_section`.
    """
    text = shortened(text, MAX_CHARS).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    front_matter, lines = _clean_lines(text)
    blocks: list[Block] = []
    headings: list[Block] = []
    path: tuple[str, ...] = ()
    for start, section in _sections(lines):
        for kind, content, first, last, depth, info in read_section(section):
            if kind == "heading":
                headings = [heading for heading in headings if heading.depth < depth]
                path = tuple(heading.text for heading in headings)
            written = tuple(content.split("\n"))
            text = content if kind == "code" else " ".join(written)
            blocks.append(Block(kind, text, start + first, start + last, depth, path, info, written))
            if kind == "heading":
                headings.append(blocks[-1])
                path = (*path, text)
    return Document(tuple(blocks), front_matter, len(lines))


def _sections(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines from a heading at the margin to the next one, with the number of lines before them.

    Such a heading ends every open block except a fence, so each section can be parsed by itself.
    """
    start = 0
    for number in lines_outside_code(lines):
        if number > start and _HEADING.match(lines[number]):
            yield start, "\n".join(lines[start:number])
            start = number
    yield start, "\n".join(lines[start:])


# Cleaning: every line keeps its number.


def _clean_lines(text: str) -> tuple[str, list[str]]:
    """Return the front matter, and the other lines as regular Markdown without comments."""
    lines = [shortened(line, MAX_LINE_CHARS).rstrip() for line in _without_comments(text).split("\n")]
    front_matter = front_matter_of(lines)
    end = len(front_matter) + 2 if front_matter else 0
    lines[:end] = [""] * end
    lines = [_TAG.sub(" ", line).strip() if line[:1] == "<" else line for line in lines]
    _drop_open_fences(lines)
    _normalise_titles(lines)
    for number in lines_outside_code(lines):
        lines[number] = _with_regular_box(lines[number])
    return "\n".join(front_matter), lines


def front_matter_of(lines: Sequence[str]) -> list[str]:
    """Return the lines between a first line `---` and the next one if they begin with a field; else none."""
    marks = [at for at, line in enumerate(lines[:MAX_FRONT_MATTER_LINES]) if line.rstrip() == "---"]
    is_first = marks[:1] == [0] and len(marks) > 1 and _FIELD.match(lines[1])
    return [*lines[1 : marks[1]]] if is_first else []


def _without_comments(text: str) -> str:
    """Blank out HTML comments. An unclosed comment is text, and so is one in the middle of a line."""
    parts, done = [], 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        end += len("-->")
        before = text[max(0, start - MAX_INDENT) : start].rstrip(" -*")
        is_alone = before[-1:] in {"", "\n"} or text[end : end + 1] in {"", "\n"}
        parts += [text[done:start], "\n" * text.count("\n", start, end) if is_alone else text[start:end]]
        done = end
    return "".join([*parts, text[done:]])


def lines_outside_code(lines: list[str]) -> Iterator[int]:
    """Yield the numbers, from 0, of the lines that are neither a fence nor in one.

    The caller may change the lines meanwhile.
    """
    fence = ""
    for number, line in enumerate(lines):
        bare = line.lstrip()
        if bare.startswith(FENCES):
            marks = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            if not fence:
                fence = marks
            elif marks.startswith(fence) and marks == bare:
                fence = ""
        elif not fence:
            yield number


def _drop_open_fences(lines: list[str]) -> None:
    """Blank the opening line of a fence if it is never closed, or if another fence opens inside it.

    Marks that are indented over 3 characters deeper than the open fence are code: they are taken out.
    """
    opened, marks, outer = -1, "", 0
    for number, line in enumerate(lines):
        bare = line.lstrip()
        if not bare.startswith(FENCES):
            continue
        indent = len(line) - len(bare)
        if opened >= 0 and indent > outer + MAX_FENCE_INDENT:
            lines[number] = line.replace(bare[:3], "", 1)  # part of the code
        elif opened >= 0 and bare[:3] == marks and not bare.strip("`~"):
            opened = -1
        elif opened < 0 or bare[:3] == marks:
            if opened >= 0:
                lines[opened] = ""
            opened, marks, outer = number, bare[:3], indent
    if opened >= 0:
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
            lines[number] = f"## {bare.strip('= ')}"


def _with_regular_box(line: str) -> str:
    box = _BOX.match(line)
    if box is None or (box["sign"] and not box["bullet"]):  # a sign that begins a line of prose
        return line
    mark = box["mark"] or {"☑": "x", "☒": "x"}.get(box["sign"] or "", " ")
    optional = " (optional)" if box["optional"] else ""  # Kiro writes `- [ ]* Task`
    return f"{box['indent']}{box['bullet'] or '-'} [{mark}] {line[box.end() :]}{optional}"


# Parsing


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - many projects have no Markdown to read

    # Inline marks stay in the text. In real logs a rule right below a line does not make it a heading, and
    # indentation alone does not make code.
    parser = MarkdownIt("commonmark").enable("table")
    return parser.disable(["lheading", "html_block", "reference", "code", "inline", "text_join"])


class _Builder:
    """Turns the tokens of the parser into blocks."""

    def __init__(self, lines: list[str]) -> None:
        self.blocks: list[RawBlock] = []
        self._lines = lines
        self._depth = 0  # of lists
        self._level = 0  # of the heading whose text comes next
        self._number: str | None = None  # of the item whose text comes next; "" if it has a bullet
        self._cells: list[str] | None = None  # of the open table row
        self._row_info = ""

    def take(self, token: Token) -> None:
        first, end = token.map or (0, 0)
        lines, is_opening = (first + 1, first + 1), token.nesting == 1
        if token.type == "inline":
            self._take_text(token.content.strip(), first + 1)
        elif token.tag in {"ul", "ol"}:
            self._depth += token.nesting
        elif token.tag == "li":
            self._number = token.info if is_opening else None
        elif token.type in {"heading_open", "heading_close"}:
            self._level = int(token.tag[1]) if is_opening else 0
        elif token.tag == "thead":
            self._row_info = "header" if is_opening else ""
        elif token.type == "tr_open":
            self._cells, self._row_lines = [], lines
        elif token.type == "tr_close":
            self._add("row", "\t".join(self._cells or ()), self._row_lines, info=self._row_info)
            self._cells = None
        elif token.type == "hr":
            self._add("rule", "", lines)
        elif token.type == "fence":
            self._add("code", token.content, (first + 1, end), info=token.info.strip().lower())

    def _take_text(self, text: str, first: int) -> None:
        if self._cells is not None:
            self._cells.append(text.replace("\t", " "))
        elif self._level:
            self._add("heading", text, (first, first), self._level)
        else:
            self._take_lines([line.strip() for line in text.split("\n")], first)

    def _take_lines(self, lines: list[str], first: int) -> None:
        """Split a paragraph before each line that begins a new statement."""
        start = 0
        for number in range(1, len(lines) + 1):
            if number == len(lines) or _begins_statement(lines[number - 1], lines[number]):
                self._take_paragraph(lines[start:number], first + start)
                start = number

    def _take_paragraph(self, lines: list[str], first: int) -> None:
        number, self._number = self._number, None
        is_inside = number is not None or self._lines[first - 1][:1].isspace()
        depth = self._depth if is_inside else 0  # a line at the margin is in no list
        if any(lines):
            kind: BlockKind = "paragraph" if number is None else "item"
            self._add(kind, "\n".join(lines), (first, first + len(lines) - 1), depth, number or "")

    def _add(
        self, kind: BlockKind, text: str, lines: tuple[int, int], depth: int = 0, info: str = ""
    ) -> None:
        self.blocks.append((kind, text, *lines, depth, info))


_BEGINS = LazyPattern(
    r"\**\[?(?:20\d\d[-/.]\d|[A-Z][A-Z0-9]*-?\d+[:\s])|[✅☑✔✓🔄🚧❌⚠⏭⏳☐⬜]|\[[ xX~!]\]|@|→"
)


def _begins_statement(before: str, line: str) -> bool:
    """Return whether a line begins a statement: with a label, date, id or sign, or after a bare label."""
    if is_bare_label(before) or _BEGINS.match(line):
        return True
    name, _ = split_label(line)
    return bool(name) and not (name[0].islower() and before[-1:] not in ".!?:")
