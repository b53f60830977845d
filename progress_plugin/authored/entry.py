"""An entry of an authored log, and what may turn out to be one."""

from typing import NamedTuple

from progress_plugin.authored.heading import Heading
from progress_plugin.text.markdown import Block


class AuthoredEntry(NamedTuple):
    """One entry of a log, from its heading to the next one."""

    heading: Heading
    line: int
    start: int
    """Index of the block that is its heading."""
    stop: int
    """Index after its last block."""
    first: int
    """Index of the first block of its body; `start` itself where a field is in place of a heading."""


class EntryCandidate:
    """A block that looks like the heading of an entry."""

    __slots__ = ("heading", "index", "level")

    def __init__(self, index: int, level: int, heading: Heading) -> None:
        self.index = index
        self.level = level
        """Of the heading; a line without heading counts as the lowest."""
        self.heading = heading


LOWEST = 6


def section_end(blocks: tuple[Block, ...], index: int, limit: int, level: int) -> int:
    """Return the index of the next heading of this level or a higher one, `limit` if there is none."""
    for at in range(index + 1, limit):
        if 0 < blocks[at].level <= level:
            return at
    return limit
