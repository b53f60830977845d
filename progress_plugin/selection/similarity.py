"""Compare statements by the words that carry meaning; figures and names must agree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from progress_plugin.selection.words import word_list
from progress_plugin.text.labels import words_of

# Names as code has them: camelCase, snake_case, and files with an ending.
NAME = re.compile(
    r"\b(?:[A-Za-z]+[a-z0-9][A-Z]|[A-Za-z][A-Za-z0-9]*_)\w+"
    r"|(?<![\w.@-])[\w@-]{2,80}\.[a-z][a-z0-9]{0,4}\b(?![\w.(])"
)
MIN_REPEATED = 0.8  # a line with this share of a statement's words says what the statement says
ALIKE = 0.6  # share of common words from which two lines say the same, if their names and figures agree
MIN_WORDS_FOR_SHARE = 3  # a line must have every word of a statement with fewer words
MAX_RARE_WORDS = 6  # a line is compared with a statement if it has one of the statement's 6 rarest words
MAX_LINES_PER_WORD = 20  # only the 20 lines added last are compared for one word


def find_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning, and names of code and files as they are written."""
    return (words_of(text) - word_list("small")).union(NAME.findall(text))


@lru_cache(maxsize=8192)  # a line is compared with many
def find_names(words: frozenset[str]) -> frozenset[str]:
    """Return the figures and the names of code and files among words."""
    return frozenset(word for word in words if not word.isalpha() or word != word.lower())


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common words among all words of both."""
    common = len(one & other)
    return common / max(1, len(one) + len(other) - common)


def says(line: frozenset[str], words: frozenset[str]) -> bool:
    """Return whether a line says what a statement says, with all its figures and names."""
    share = MIN_REPEATED if len(words) >= MIN_WORDS_FOR_SHARE else 1.0
    return len(words & line) >= share * len(words) and find_names(words) <= line


def says_or_is_alike(line: frozenset[str], words: frozenset[str]) -> bool:
    """Return whether a line says what a statement says, or both say the same in nearly the same words."""
    return says(line, words) or (jaccard(line, words) >= ALIKE and find_names(line) == find_names(words))


class LineIndex:
    """Lines by their words, to find the lines that a statement has to be compared with."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.lines: list[frozenset[str]] = []
        self._places: dict[str, list[int]] = defaultdict(list)
        for text in texts:
            self.add(find_words(text))

    def add(self, words: frozenset[str]) -> None:
        """Add one line."""
        for word in words:
            self._places[word].append(len(self.lines))
        self.lines.append(words)

    def find_near(self, words: frozenset[str]) -> set[int]:
        """Return the indices of the newest lines with each of the rarest of these words."""
        known = (word for word in words if word in self._places)
        rarest = sorted(known, key=lambda word: (len(self._places[word]), word))[:MAX_RARE_WORDS]
        return {place for word in rarest for place in self._places[word][-MAX_LINES_PER_WORD:]}

    def has(self, words: frozenset[str]) -> bool:
        """Return whether one line says what these words say."""
        return any(says_or_is_alike(self.lines[place], words) for place in self.find_near(words))

    def share_new(self, words: frozenset[str]) -> float:
        """Return the share of these words that no line has yet."""
        return sum(word not in self._places for word in words) / max(1, len(words))


class Muted:
    """Muted texts; each hides the statements that say the same in more or fewer words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._muted = [find_words(text) for text in texts]

    def hides(self, text: str) -> bool:
        """Return whether a text is muted."""
        words = find_words(text) if self._muted else frozenset()
        return any(says(words, muted) or says(muted, words) for muted in self._muted)
