"""Which entry a line of a log is in; where there are no entries, which section (S18.2).

Which entries there are is decided in `authored.entries`.
"""

from bisect import bisect_right
from collections import Counter

from progress_plugin.authored.chronology import headings_fall
from progress_plugin.authored.reader import AuthoredLog
from progress_plugin.text.markdown import MarkdownDocument


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
