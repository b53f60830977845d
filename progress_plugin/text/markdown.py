"""Read an agent's Markdown log into blocks that know their lines and what they are under.

No Markdown parser: agents write what looks right, not what is. Fences stay open, lists change their
depth, `**Label:**` does the work of a heading. So every line is judged by how it begins, once, and what
a block is under is settled by headings, labels and indentation alone.
"""

from enum import IntEnum
from typing import NamedTuple

from progress_plugin.text.bounds import MAX_LINE, MAX_STATEMENT, head
from progress_plugin.text.hidden_lines import hidden_lines
from progress_plugin.text.line_shapes import DOUBLE, SINGLE, are_filled, joined, title_level
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.short_code import leads_to_code


class BlockKind(IntEnum):
    """What a block is."""

    HEADING = 1
    LABEL = 2
    """A line such as `**Learnings:**` or `Status: done`: a bold start, or a name and a colon."""
    ITEM = 3
    TEXT = 4
    ROW = 5
    RULE = 6
    QUOTE = 7
    """A quoted paragraph: said about the section, not in it."""
    COMMANDS = 8
    """Commands of a shell in fenced code, each a code span."""


HEADING, LABEL, ITEM, TEXT, ROW, RULE, QUOTE, COMMANDS = BlockKind
"""The same without their class, in which Python 3.11 takes 50 ns to find one: lines ask for several."""


class Block(NamedTuple):
    """One heading, label, list item, paragraph, table row or rule."""

    kind: BlockKind
    line: int
    """1-based line it begins on."""
    indent: int
    """Columns before it; a tab counts four."""
    level: int
    """1 to 6 for a heading, 0 otherwise."""
    text: str
    """Without marker; continuation lines are joined by one space."""
    parent: int
    """Index of the heading, label or item it is under; -1 at the top."""


class MarkdownDocument(NamedTuple):
    """All blocks of one log, in file order; fenced code and comments are left out."""

    blocks: tuple[Block, ...]
    lines: int
    """Number of lines of the file."""

    def ancestors(self, block: Block) -> list[Block]:
        """Return what the block is under, nearest first."""
        found = []
        while block.parent >= 0:
            block = self.blocks[block.parent]
            found.append(block)
        return found


_ITEM = LazyPattern(r"(?:[-*+•◦‣–]|\d{1,3}[.)、])[ \t]+(?=\S)")
_LABEL = LazyPattern(
    r"(?:[^\w\s*`#|<\[(]+\s*)?"  # an emoji before it
    r"(?:\*\*[^*]+\*\*|__[^_]+__|【[^】]{1,40}】|[^\W\d_][^:：.`(（|]{0,48}+(?:[:：](?=\s|$)|(?<=[^\x00-\x7f])：))"
)
_EMPHASISED = LazyPattern(r"(\*\*|__)[^\W\d_A-Z][^*_:：]{0,80}\1(?!\s*[:：–—-])")
"""Words of a sentence that are bold, and no label."""
_DATE = LazyPattern(r"\[?20\d\d[-/.]\d")
_STAMP = LazyPattern(
    rf"{_DATE.pattern}|[⚠🚨❗⛔🚫⊘✅❌☑✔✗✘⏭🚧🔄]"
)  # a dated line, a warning, a status: blocks of their own
_DIVIDER = LazyPattern(r"\|[\s|:-]+$")
_RULERS = frozenset("-*_=─━═")
_BULLETS = frozenset("-*+•◦‣–")
_LONGEST_LABEL = 100
_PROSE = frozenset({TEXT, LABEL})
_COMPLETED = frozenset({ITEM, TEXT, LABEL})
_PARAGRAPHS = frozenset({TEXT, QUOTE})
_GROWING = frozenset({ITEM, TEXT, LABEL, QUOTE})
_TALLEST_BOX = 4
_SHORTEST_UNDERLINE = 3
"""Three dashes below a line separate; as many as the line has letters underline it."""
_ABOUT = 5
"""Characters a rule may be longer or shorter than the title it underlines."""
_MARGIN = 60
"""Characters of a line from which it may have been broken in the middle of a sentence."""
_NEAREST = 50
"""Lines before one that show where its paragraph's margin is; all of them would be looked at for each."""
_GOES_ON = frozenset(",;)`-–—/+&")
"""What a line may end with in the middle of a sentence, beside letters and digits."""
_SENTENCE = LazyPattern(r"[.!?。！？][)\]*\"”`]{0,3}\s+(?=\S)")
_ADOPTED = 0.5  # how much further left the parent of a flat list counts as standing


def read_blocks(text: str) -> MarkdownDocument:
    """Read a whole file in one pass; never raises. CRLF, BOM and trailing spaces make no difference."""
    lines = text.removeprefix("\ufeff").split("\n")
    if max(map(len, lines)) > MAX_LINE:
        lines = [head(line, MAX_LINE) for line in lines]
    reader = _Reader()
    hidden, code, commands = hidden_lines(text, lines)
    for number, raw in enumerate(lines, 1):
        stripped = raw.strip()
        if not stripped or number in hidden:
            reader.end_paragraph()
            if not (number in code and reader.complete(code[number])) and number in commands:
                reader.add_commands(number, commands[number])
        else:
            reader.take(number, 0 if raw[0] == stripped[0] else _indent(raw, stripped), stripped)
    reader.end_paragraph()
    count = len(lines) - (1 if len(lines) > 1 and not lines[-1].strip("\r") else 0)
    return MarkdownDocument(tuple(reader.blocks), count)


def _indent(raw: str, stripped: str) -> int:
    start = raw.index(stripped[0])
    return len(raw[:start].expandtabs(4)) if "\t" in raw else start


def _without_comments(line: str) -> str:
    """Return a line without the comments that begin and end in it; in code they are what it says."""
    kept, at, is_code, last = [], 0, False, line.rfind("`")
    while (start := line.find("<!--", at)) >= 0 and (end := line.find("-->", start)) >= 0:
        is_code ^= line.count("`", at, start) % 2 == 1
        kept.append(line[at : end + 3] if is_code and last > end else line[at:start])
        at = end + 3
    return "".join((*kept, line[at:]))


class _Reader:
    """The state of the one pass: the open paragraph, and what the next block would be under."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._parts: list[str] = []  # of the block that may still grow
        self._headings: list[int] = []
        self._label = -1
        self._items: list[tuple[float, int]] = []
        self._columns: list[int] = []  # at which the lines of that block begin
        self._bullet = ""  # of the last item
        self._banner = -1  # index of the rule of `=` that may open a boxed title

    def take(self, number: int, indent: int, line: str) -> None:
        """Judge one line that is neither blank nor hidden."""
        first = line[0]
        if "<!--" in line:
            line = _without_comments(line).strip() or "<!-- -->"
        if first == "#" and self._heading(number, line):
            return
        if first in _RULERS and line[-1] == first and self._rule(number, line):
            return
        if first == "|":
            self._row(number, indent, line)
        elif first in "-*" and line[1:2] == " " and not line[2].isspace():  # nearly every line of a log
            self._bullet = first
            self._item(number, indent, line[2:])
            self._columns = [indent + 2]
        elif (
            (first in _BULLETS or first.isdigit())
            and (found := _ITEM.match(line))
            and not (first == "+" and self._is_wrapped(line))
        ):
            self._bullet = first
            marker = found.end()
            self._item(number, indent, line[marker:])
            self._columns = [indent + marker]
        elif line in _BULLETS:
            self.end_paragraph()  # a bullet with nothing after it
        elif first == ">":
            self._text(number, indent, line.lstrip("> \t") or line, QUOTE)
        else:
            self._text(number, indent, line)

    def end_paragraph(self) -> None:
        """Close the block that could have grown."""
        if self._parts:
            parts, block = self._parts, self.blocks[-1]
            if len(parts) > 1:
                whole = head(joined(parts[:MAX_STATEMENT]), MAX_STATEMENT)
                self.blocks[-1] = block = block._replace(text=whole)
            self._parts = []
            if block.text[-1] in ":：" and block.kind in _PROSE and not _STAMP.match(block.text):
                self._announce(block, block.line + len(parts) - 1)

    def _announce(self, block: Block, last: int) -> None:
        """Have the sentence that a paragraph ends with, and that ends with a colon, be the label it is."""
        cut = max((found.end() for found in _SENTENCE.finditer(block.text)), default=0)
        if len(block.text) - cut > _LONGEST_LABEL or (block.kind is LABEL and not cut):
            return
        label = block._replace(kind=LABEL, text=block.text[cut:], line=last if cut else block.line)
        self.blocks[-1:] = [block._replace(text=block.text[:cut].rstrip()), label] if cut else [label]
        if not self._items:
            self._label = len(self.blocks) - 1

    def complete(self, code: str) -> bool:
        """End the sentence of the block before, if it is one that leads to code; return whether it is."""
        leads = (
            bool(self.blocks) and self.blocks[-1].kind in _COMPLETED and leads_to_code(self.blocks[-1].text)
        )
        if leads:
            self.blocks[-1] = self.blocks[-1]._replace(text=f"{self.blocks[-1].text} {code}")
        return leads

    def add_commands(self, number: int, text: str) -> None:
        """Add what a fence of a shell holds, below the heading or label that it stands under."""
        self._add(Block(COMMANDS, number, 0, 0, text, self._scope()))

    def _add(self, block: Block) -> int:
        parts = self._parts
        if parts and (len(parts) > 1 or parts[0][-1] in ":："):  # nothing is left to be done of most
            self.end_paragraph()
        blocks = self.blocks
        blocks.append(block)
        if block.kind in _GROWING:
            self._parts = [block.text]
            self._columns = [block.indent]
        else:
            self._parts = []
        return len(blocks) - 1

    def _heading(self, number: int, line: str) -> bool:
        hashes = len(line) - len(line.lstrip("#"))
        text = line[hashes:].strip().rstrip("#").rstrip()
        if hashes > 6 or not text or line[hashes] not in " \t":  # noqa: PLR2004 - Markdown has six levels
            return False
        self._open_heading(number, hashes, text)
        return True

    def _open_heading(self, number: int, level: int, text: str) -> None:
        while self._headings and self.blocks[self._headings[-1]].level >= level:
            self._headings.pop()
        parent = self._headings[-1] if self._headings else -1
        self._headings.append(self._add(Block(HEADING, number, 0, level, text, parent)))
        self._label, self._items = -1, []

    def _rule(self, number: int, line: str) -> bool:
        if len(line) < 3 or line.strip(line[0] + " \t"):  # noqa: PLR2004 - Markdown's least
            level = title_level(line)
            if level:
                self._open_heading(number, level, line.strip(line[0]).strip())
            return bool(level)
        grown = bool(self._parts)
        self.end_paragraph()
        underlines = line[0] in DOUBLE or (line[0] in SINGLE and len(line) > _SHORTEST_UNDERLINE)
        if underlines and self._make_title(number, line, grown=grown):
            return True
        directly_below_heading = bool(self.blocks and self.blocks[-1].level)
        index = self._add(Block(RULE, number, 0, 0, "", -1))
        if not directly_below_heading:
            self._headings, self._label, self._items = [], -1, []
        self._banner = index if line[0] in DOUBLE else -1
        return True

    def _make_title(self, number: int, line: str, *, grown: bool) -> bool:
        """Turn the lines between two rules of `=`, or the one above a rule of its length, into a heading."""
        boxed = self.blocks[self._banner + 1 :] if self._banner >= 0 else self.blocks[-1:]
        if not boxed or not grown:
            return False
        if self._banner >= 0:
            plain = all(block.kind in _PROSE and not block.indent for block in boxed)
        else:
            plain = boxed[0].kind is TEXT and abs(len(boxed[0].text) - len(line)) <= _ABOUT
        if not plain or number - boxed[0].line > _TALLEST_BOX:
            return False
        del self.blocks[-len(boxed) :]
        self._headings = []
        self._banner = -1
        self._open_heading(boxed[0].line, 1, boxed[0].text)
        for block in boxed[1:]:
            self._text(block.line, 0, block.text)
            self.end_paragraph()
        return True

    def _item(self, number: int, indent: int, text: str) -> None:
        items = self._items
        last = -1
        while items and items[-1][0] >= indent:
            last = items.pop()[1]
        if items and items[-1][0] == indent - _ADOPTED and is_bare_label(text):
            items.pop()
        elif (
            last >= 0
            and self.blocks[last].text[-1] in ":：*_"
            and self._is_flat_label(last, indent)
            and not is_bare_label(text)
        ):
            items.append((indent - _ADOPTED, last))
        parent = items[-1][1] if items else self._scope()
        items.append((indent, self._add(Block(ITEM, number, indent, 0, text, parent))))

    def _is_flat_label(self, index: int, indent: int) -> bool:
        """Return whether the item before is `- **Learnings:**`, whose list was written at its own depth."""
        if index != len(self.blocks) - 1:
            return False
        block = self.blocks[index]
        named = block.text.rstrip("*_")[-1:] in {":", "："} and len(block.text) <= _LONGEST_LABEL
        return named and block.indent == indent

    def _text(self, number: int, indent: int, line: str, plain: BlockKind = TEXT) -> None:
        label = bool(_LABEL.match(line)) or (line[-1] in ":：" and len(line) <= _LONGEST_LABEL)
        if label and self._is_wrapped(line):
            label = False
        if self._parts and not label and self._goes_on(indent) and not _STAMP.match(line):
            self._parts.append(line)
            self._columns.append(indent)
            return
        while self._items and self._items[-1][0] >= indent - _ADOPTED:
            self._items.pop()
        if self._label >= 0 and not indent and (_DATE.match(line) or self._is_behind_list(label=label)):
            self._label = -1
        kind = LABEL if label else plain
        if self._items:
            self._add(Block(kind, number, indent, 0, line, self._items[-1][1]))
        elif label:
            parent = self._label if self._follows_bare_label() else self._top()
            self._label = self._add(Block(kind, number, indent, 0, line, parent))
        else:
            self._add(Block(kind, number, indent, 0, line, self._scope()))

    def _is_wrapped(self, line: str) -> bool:
        """Return whether a line goes on with a sentence that was broken at the right margin.

        Its first word had no room there: a long path goes to the next line early. Where the margin is shows
        a paragraph of which that is so of every line.
        """
        if not self._parts or not (
            line[0].islower() or line[0].isdigit() or line[0] in "`(+" or _is_within(line)
        ):
            return False
        if line[0] == "+" == self._bullet and self.blocks[-1].kind is ITEM:
            return False
        before, first = self._parts[-1], len(line.partition(" ")[0])
        if not (before[-1].isalnum() or before[-1] in _GOES_ON):
            return False
        if len(before) + first >= _MARGIN:
            return True
        return are_filled(self._columns[-_NEAREST:], [*self._parts[-_NEAREST:], line])

    def _goes_on(self, indent: int) -> bool:
        """Return whether a plain line continues the block before it."""
        last = self.blocks[-1]
        if last.kind is ITEM:
            return indent > last.indent
        return last.kind in _PARAGRAPHS or not is_bare_label(last.text)

    def _follows_bare_label(self) -> bool:
        """Return whether the block before is the open label with nothing under it: this one is its part."""
        at = len(self.blocks) - 1
        return self._label == at >= 0 and is_bare_label(self.blocks[at].text)

    def _is_behind_list(self, *, label: bool) -> bool:
        """Return whether a paragraph begins behind the list that a label announced, which a blank line ended.

        A label that is bold stands for a heading, and is one of what follows its list, too.
        """
        is_plain = self.blocks[self._label].text[-1] in ":："
        return is_plain and not label and not self._parts and self.blocks[-1].kind is ITEM

    def _row(self, number: int, indent: int, line: str) -> None:
        if not _DIVIDER.match(line):
            self._items = []
            self._add(Block(ROW, number, indent, 0, line, self._scope()))

    def _scope(self) -> int:
        return self._label if self._label >= 0 else self._top()

    def _top(self) -> int:
        return self._headings[-1] if self._headings else -1


def _is_within(line: str) -> bool:
    """Return whether a line begins within a sentence: with small bold letters, or before bold words of it."""
    return bool(_EMPHASISED.match(line)) if line[0] in "*_" else "**" in line.partition(":")[0]


def is_bare_label(text: str) -> bool:
    """Return whether a text only names what follows: it ends with a colon, or is bold as a whole."""
    last = text[-1:]
    if last == "*":
        bold = text[:2] == "**" == text[-2:] and text.count("**") == 2  # noqa: PLR2004
        return bold or text.endswith((":**", "：**"))
    if last == "_":
        return text.endswith((":__", "：__"))
    return last in {":", "："} or (last == "】" and text[0] == "【")


def cells(row: str) -> list[str]:
    """Return the cells of a table row; an escaped bar and one inside code stay text."""
    text = row.strip().strip("|")
    if "\\|" not in text and "`" not in text:
        return [cell.strip() for cell in text.split("|")]
    found, start, code, skip = [], 0, False, False
    for at, char in enumerate(text):
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char == "`":
            code = not code
        elif char == "|" and not code:
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()]
