"""Which entry a line of a log is in; where there are no entries, which section."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter

from progress_plugin.authored.chronology import headings_fall
from progress_plugin.authored.reader import AuthoredLog
from progress_plugin.text.markdown import Block, MarkdownDocument

_BELOW_ALL = 7
"""A level below those that headings have."""


class EntryOwners:
    """From a line to the entry it is in."""

    def __init__(self, log: AuthoredLog) -> None:
        self._starts: list[int] = []
        self._spans: list[tuple[int, int, str | None, str | None]] = []
        self.entries = len(log.events)
        for start, stop, at in log.spans:
            event = log.events[at]
            self._starts.append(start)
            self._spans.append(
                (stop, event.position, event.stories[0] if event.stories else None, event.when)
            )
        self._times = Counter(span[1] for span in self._spans)
        if not self._starts:
            self._count_sections(log.document)

    def _count_sections(self, document: MarkdownDocument) -> None:
        level = _common_level(document)
        headings = [block for block in document.blocks if block.level == level]
        self.entries = len(headings)
        newest_first = headings_fall(block.text for block in headings)
        for number, block in enumerate(headings, 1):
            stop = headings[number].line if number < self.entries else document.lines + 1
            self._starts.append(block.line)
            place = self.entries + 1 - number if newest_first else number
            self._spans.append((stop, place, None, None))

    def is_alone(self, line: int) -> bool:
        """Return whether the entry a line is in is no part of one that goes on elsewhere."""
        return self._times[self.of(line)[0]] == 1

    def of(self, line: int) -> tuple[int, str | None, str | None]:
        """Return place in true order, story and time of the entry a line is in."""
        at = bisect_right(self._starts, line) - 1
        if at < 0 or line >= self._spans[at][0]:
            return 0, None, None
        return self._spans[at][1:]


def _common_level(document: MarkdownDocument) -> int:
    """Return the highest level of which there is more than one heading, else the highest."""
    levels = [block.level for block in document.blocks if block.level]
    return next((level for level in range(1, 6) if levels.count(level) > 1), min(levels, default=1))


def between_entries(log: AuthoredLog) -> Iterator[tuple[int, int]]:
    """Yield the stretches between entries that are as old as these: first line, line after the last.

    A section is not, whose heading stands above those of the entries and that has none of them in it: it is
    renewed in place. Nor is what follows the newest entry.
    """
    blocks = log.document.blocks
    levels = (blocks[_at(blocks, start)].level for start, _, _ in log.spans)
    level = min(filter(None, levels), default=_BELOW_ALL)
    for (_, stop, event), (start, _, _) in pairwise(log.spans):
        if stop < start and event < len(log.events) - 1:
            yield from _not_renewed(blocks, _at(blocks, stop), _at(blocks, start), level)


def _not_renewed(blocks: Sequence[Block], at: int, end: int, level: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches before the block `end` that are in no section above `level` that closes there."""
    while at < end:
        own = blocks[at].level
        if 0 < own < level and (closes := _next_heading(blocks, at, end, own)) < end:
            at = closes
        else:
            stop = _next_heading(blocks, at, end, _BELOW_ALL)
            yield blocks[at].line, blocks[stop].line
            at = stop


def _next_heading(blocks: Sequence[Block], at: int, end: int, level: int) -> int:
    """Return the next heading of a level or one above it, `end` where none comes before."""
    return next((after for after in range(at + 1, end) if 0 < blocks[after].level <= level), end)


def _at(blocks: Sequence[Block], line: int) -> int:
    return bisect_left(blocks, line, key=attrgetter("line"))
