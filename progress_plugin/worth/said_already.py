"""What is said already: the words a reader knows, and the lines that say the same."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, filterfalse
from math import ceil

from progress_plugin.core.memo import Memo
from progress_plugin.text.patterns import LazyPattern

_WORD = LazyPattern(r"[^\W_]{2,}|\d")
_NAME = LazyPattern(r"\b(?:[A-Za-z]+[a-z0-9][A-Z]|[A-Za-z][A-Za-z0-9]*_)\w+")
_FILE = LazyPattern(r"(?<![\w.@-])[\w@-]{2,80}+\.[a-z][a-z0-9]{0,4}\b(?![\w.(])")
_WIDE = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_SMALL = frozenset(
    "the a an of to in on is are for and or with that this it as by be at from not was were if when via into "
    "all no so".split()
)
_SAME = 0.8
"""Share of its words that one line must have for a statement to be said by it."""
_FEWEST = 3
"""Words below which a statement is said only by a line that has all of them."""
_ALIKE = 3
"""Lines that differ in their figures alone after which one more adds nothing."""
_MOST = 40
"""Lines that may hold a word before it distinguishes nothing."""


def words_of(text: str) -> frozenset[str]:
    """Return the words that carry meaning; of scripts without spaces, pairs of neighbouring letters.

    A name with capitals within, as code has it, is there as it is written, too, and so is a file's.
    """
    low = text.lower()
    words = set(_WORD.findall(low)) - _SMALL
    words.update(_NAME.findall(text))
    if "." in low:
        words.update(_FILE.findall(low))
    if not text.isascii():
        for run in _WIDE.findall(low):
            words.discard(run)
            words.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(words)


class Coverage:
    """Remembers statements; asking costs as much as there are lines with the rarest words of the question.

    `memo` remembers from one process to the next which words texts have.
    """

    def __init__(self, memo: Memo | None = None) -> None:
        self.words_of = (memo or Memo()).of(words_of)
        self.words: set[str] = set()
        """All words of the summary; those found only elsewhere do not count."""
        self._lines: list[frozenset[str]] = []
        self._with: dict[str, list[int]] = {}
        self._alike: dict[frozenset[str], int] = {}
        """How many lines with figures have these words beside them."""

    def add(self, words: frozenset[str], *, here: bool = True) -> None:
        """Remember a statement of the summary, or one that a reader has from elsewhere."""
        if here:
            self.words |= words
        for word in words:
            self._with.setdefault(word, []).append(len(self._lines))
        self._lines.append(words)
        if (beside := _beside_figures(words)) is not None:
            self._alike[beside] = self._alike.get(beside, 0) + 1

    def add_text(self, text: str, *, here: bool) -> None:
        """Remember each line of a text."""
        for line in text.splitlines():
            words = self.words_of(line)
            if words:
                self.add(words, here=here)

    def says(self, words: frozenset[str]) -> bool:
        """Return whether one line says what these words say, with the same figures and names."""
        needed = ceil(_SAME * len(words)) if len(words) >= _FEWEST else len(words)
        if sum(map(self._with.__contains__, words)) < needed:
            return False  # no line can have more of them than all lines together: so it is of most statements
        # A line that has enough of them lacks so few that it has one of the rarest.
        rarest = sorted(words, key=self._times)[: len(words) - needed + 1]
        near = set(chain.from_iterable(self._with.get(word, ())[-_MOST:] for word in rarest))
        alike = [line for line in near if len(words & self._lines[line]) >= needed]
        if not alike:
            return False
        figures = {word for word in words if not word.isalpha() or word != word.lower()}
        return any(figures <= self._lines[line] and self._shared(words, line) >= needed for line in alike)

    def has_examples_of(self, words: frozenset[str]) -> bool:
        """Return whether a few lines are the same but for their figures: one more is not worth its room.

        What it says is not said by them.
        """
        beside = _beside_figures(words)
        return beside is not None and self._alike.get(beside, 0) >= _ALIKE

    def _times(self, word: str) -> int:
        return len(self._with.get(word, ()))

    def _shared(self, words: frozenset[str], line: int) -> int:
        """Return how many of these words a line has, without those that many newer lines have."""
        common = (self._with[word] for word in words & self._lines[line])
        return sum(len(lines) <= _MOST or line >= lines[-_MOST] for lines in common)

    def share_new(self, words: frozenset[str]) -> float:
        """Return the share of words that the summary has not used."""
        return len(words - self.words) / len(words) if words else 0.0


def _beside_figures(words: frozenset[str]) -> frozenset[str] | None:
    """Return the words beside figures; None where there are no figures, or they say most of it."""
    if not any(map(str.isdecimal, words)):
        return None
    plain = frozenset(filterfalse(str.isdecimal, words))
    return plain if len(plain) >= _FEWEST else None


def shared(words: frozenset[str], others: Iterable[str]) -> float:
    """Return the share of words that are among others."""
    return len(words.intersection(others)) / len(words) if words else 0.0
