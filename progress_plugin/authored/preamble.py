"""Read the lines above the first entry: project, branch, start; the branch of entries, too.

What it says of the order of its entries (`newest_first`) counts only where dates and numbers say nothing:
`authored.chronology` (`true_order`).
"""

import re
from typing import NamedTuple

from progress_plugin.authored.dates import find_date
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.text.labels import plain, split_label
from progress_plugin.text.markdown import Block, BlockKind, MarkdownDocument

_NAMES = {
    "project": "project",
    "branch": "branch",
    "started": "started",
    "start date": "started",
    "created": "started",
}
_LOOKED_AT = 20
_LABEL = 12
"""Characters within which the label of a branch is named."""
_HINTS = ("top", "first", "reverse", "prepend", "倒序", "降序", "最新", "新しい順")
"""One of these is in whatever `_NEWEST_FIRST` finds."""
_NEWEST_FIRST = (
    r"(?:newest|latest|most recent|new)(?: \w+){0,2} (?:first|on top|(?:at|to) the top|at top)|"
    r"(?:add|append|insert|put|write)\w*\b[^.\n]{0,40}\b(?:on top|(?:at|to) (?:the )?top)|"
    r"reverse[- ]chronological|prepend|倒序|降序|最新[^\n。]{0,6}(?:在前|在上|置顶)|新しい順"
)
"""Compiled for a head that holds one of the hints."""


class Preamble(NamedTuple):
    """What a log says about itself; None where it says nothing."""

    project: str | None = None
    branch: str | None = None
    started: str | None = None
    """`YYYY-MM-DD`, or as written where no date is found."""


def read_preamble(document: MarkdownDocument, stop: int, source: str = "") -> Preamble:
    """Read the labels among the blocks before `stop`; each value says on which line of `source` it is."""
    found: dict[str, Cited] = {}
    for block in document.blocks[: min(stop, _LOOKED_AT)]:
        if block.kind not in {BlockKind.LABEL, BlockKind.ITEM}:
            continue
        name, rest = split_label(block.text)
        key = _NAMES.get(name.casefold())
        if key and rest:
            said = plain(rest)
            text = _day(said) if key == "started" else said
            found.setdefault(key, Cited(text, Origin(source, block.line, block.line)))
    return Preamble(**found)


def branch_named(block: Block) -> str | None:
    """Return the branch that a label of an entry names: `**Branch:** mill/wheel (a plan of its own)`."""
    if block.kind not in {BlockKind.LABEL, BlockKind.ITEM} or "ranch" not in block.text[:_LABEL]:
        return None
    name, rest = split_label(block.text)
    words = plain(rest).split() if name.casefold() == "branch" else []
    is_name = len(words) == 1 or (len(words) > 1 and words[1].startswith(("(", "—", "–", "-")))
    return words[0].rstrip(",;.") if is_name else None


def newest_first(text: str) -> bool:
    """Return whether the text above the first entry says that new entries are added on top."""
    text = text.casefold()
    return any(map(text.__contains__, _HINTS)) and re.search(_NEWEST_FIRST, text) is not None


def _day(text: str) -> str:
    date = find_date(text)
    return date.day if date else text
