"""Headings, check-boxes and labelled lines of a Markdown plan, with their line numbers.

Line-oriented on purpose: plans are checklists first and Markdown second, with indents of one to four spaces,
labels with full-width colons and fences that are never closed.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from progress_plugin.text.bounds import MAX_LINE, head
from progress_plugin.text.patterns import LazyPattern

_HEADING = LazyPattern(r"(#{1,6})\s+(.*)$")
_BOX = LazyPattern(r"(\s*)(?:[-*+]|\d+[.)])\s+(\[.\])\s+(.*)$")
_BOLD_LABEL = LazyPattern(r"\*\*([^*:：]{1,40})(?:[:：]\s*\*\*|\*\*\s*[:：])([^|]*)")
_PLAIN_LABEL = LazyPattern(r"\s*(?:[-*+]\s+)?(\w{2,20})\s*[:：]\s*(\S.*)$")
_STARTS_WITH_LABEL = LazyPattern(r"\s*(?:[-*+]\s+)?\*\*")
_BLOCKING = LazyPattern(
    r"⚠\ufe0f?\s*\**(?:block\w*(?:\s+(?:issue|by))?)\**\s*[:：]\**\s*(.*)$", re.IGNORECASE
)
_FENCE = ("```", "~~~")
_TAB = 4
_CHILD_INDENT = 2
_NUMBERED = LazyPattern(r"(\d+)[.)]\s+(.*)$")
STATUS_LABELS = frozenset({"status", "estado", "état", "stato", "статус", "状态", "狀態", "状態", "الحالة"})
_RESULT_LABELS = frozenset({"result", "resultado", "ergebnis", "结果", "結果", "النتيجة"})


class Box:
    """A check-box with the boxes that are indented below it."""

    __slots__ = ("indent", "issue", "line", "mark", "parts", "text")

    def __init__(self, *, mark: str, text: str, line: int, indent: int) -> None:
        self.mark = mark
        """The box itself: ``[ ]``, ``[x]`` or another sign between the brackets."""
        self.text = text
        self.line = line
        self.indent = indent
        self.parts: list[Box] = []
        self.issue: str | None = None
        """What blocks it, from a ``⚠️ Blocking issue:`` line."""


class PlanRow(NamedTuple):
    """A row of a table by its cells, or a numbered line as number and text."""

    cells: tuple[str, ...]
    line: int


class PlanSection:
    """A heading with what is below it, up to the next heading; the one before the first has level 0."""

    __slots__ = ("boxes", "issue", "labels", "level", "line", "numbered", "rows", "text")

    def __init__(self, *, level: int, text: str, line: int) -> None:
        self.level = level
        self.text = text
        self.line = line
        self.boxes: list[Box] = []
        """The outermost ones."""
        self.labels: dict[str, str] = {}
        """Text after a label such as ``**Status:**``, by the label in lower case; the first counts."""
        self.rows: list[PlanRow] = []
        """Of its tables, without the line below the header."""
        self.numbered: list[PlanRow] = []
        """Numbered lines at the margin."""
        self.issue: str | None = None

    @property
    def status(self) -> str:
        """Text of the status line, in whatever language it is labelled; empty where there is none."""
        return next((text for label, text in self.labels.items() if label in STATUS_LABELS), "")

    @property
    def result(self) -> str:
        """Text of a line that says how finished work came out; empty where there is none."""
        return next((text for label, text in self.labels.items() if label in _RESULT_LABELS), "")


def sections(source: str) -> list[PlanSection]:
    """Return the sections of a Markdown text in file order; fenced code and comments are left out."""
    found = [PlanSection(level=0, text="", line=0)]
    open_boxes: list[Box] = []
    for number, line in _prose(source):
        if heading := _HEADING.match(line):
            found.append(PlanSection(level=len(heading[1]), text=_unclosed(heading[2]), line=number))
            open_boxes = []
        elif box := _BOX.match(line):
            indent = len(box[1].expandtabs(_TAB))
            _place(
                Box(mark=box[2].lower(), text=box[3].strip(), line=number, indent=indent),
                open_boxes,
                found[-1],
            )
        else:
            _read_line(line, number, found[-1], open_boxes)
    return found


def title(found: list[PlanSection]) -> str:
    """Return the text of the first heading of level 1, or nothing."""
    return next((section.text for section in found if section.level == 1), "")


def label(found: list[PlanSection], name: str) -> str:
    """Return the text after the first label of this name, or nothing."""
    return next((section.labels[name] for section in found if name in section.labels), "")


def _unclosed(heading: str) -> str:
    """Return the text of a heading without the ``##`` that may close it; "C#" keeps its own."""
    text = heading.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if bare.endswith((" ", "\t")) else text


def _place(box: Box, open_boxes: list[Box], section: PlanSection) -> None:
    while open_boxes and box.indent < open_boxes[-1].indent + _CHILD_INDENT:
        open_boxes.pop()
    (open_boxes[-1].parts if open_boxes else section.boxes).append(box)
    open_boxes.append(box)
    if blocking := _BLOCKING.search(box.text):
        box.issue = blocking[1]
        box.text = box.text[: blocking.start()].strip()


def _read_line(line: str, number: int, section: PlanSection, open_boxes: list[Box]) -> None:
    if (row := line.strip()).startswith("|"):
        if row.strip("|-: "):
            cells = row.removeprefix("|").removesuffix("|").split("|")
            section.rows.append(PlanRow(tuple(cell.strip() for cell in cells), number))
    elif numbered := _NUMBERED.match(line):
        section.numbered.append(PlanRow((numbered[1], numbered[2].strip()), number))
    elif blocking := _BLOCKING.search(line):
        (open_boxes[-1] if open_boxes else section).issue = blocking[1]
    elif _STARTS_WITH_LABEL.match(line):
        for bold in _BOLD_LABEL.finditer(line):
            section.labels.setdefault(bold[1].strip().casefold(), bold[2].strip().strip("*").strip())
    elif plain := _PLAIN_LABEL.match(line):
        section.labels.setdefault(plain[1].casefold(), plain[2].strip())


def _prose(source: str) -> Iterator[tuple[int, str]]:
    lines = _without_comments(source.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith(_FENCE)]
    # An odd one out was never closed; taking it for a fence would hide the rest of the plan.
    toggles = set(fences[: len(fences) // 2 * 2])
    fenced = False
    for number, line in enumerate(lines):
        if number in toggles:
            fenced = not fenced
        elif not fenced:
            yield number + 1, head(line, MAX_LINE)


def _without_comments(source: str) -> str:
    """Return the text without HTML comments, their line ends kept; a comment that never ends is none."""
    kept: list[str] = []
    place = 0
    while (start := source.find("<!--", place)) >= 0 and (end := source.find("-->", start)) >= 0:
        kept += [source[place:start], "\n" * source.count("\n", start, end)]
        place = end + len("-->")
    return "".join([*kept, source[place:]])
