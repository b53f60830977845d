"""Compare statements by the words that carry meaning; figures and names must agree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from progress_plugin.selection.words import word_list
from progress_plugin.text.patterns import LazyPattern

WORD = re.compile(r"[^\W_]{2,}|\d")
# Names as code has them: camelCase, snake_case, and files with an ending.
NAME = re.compile(
    r"\b(?:[A-Za-z]+[a-z0-9][A-Z]|[A-Za-z][A-Za-z0-9]*_)\w+"
    r"|(?<![\w.@-])[\w@-]{2,80}\.[a-z][a-z0-9]{0,4}\b(?![\w.(])"
)
UNSPACED = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
CONTAINED = 0.8  # share of its words that one line must have to say what a statement says
ALIKE = 0.6  # share of common words from which two lines say the same, if their names and figures agree
SHORT = 3  # words below which a line must have all of them
COMMON = 40  # newest lines with a word that are compared


def find_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning; of scripts without spaces, pairs of neighbouring letters.

    Names of code and files are there as written, besides the words they consist of.
    """
    low = text.lower()
    words = set(WORD.findall(low)) - word_list("small")
    words.update(NAME.findall(text))
    if not text.isascii():
        for run in UNSPACED.findall(low):
            words.discard(run)
            words.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(words)


def find_names(words: frozenset[str]) -> frozenset[str]:
    """Return the figures and the names of code and files among words."""
    return frozenset(word for word in words if not word.isalpha() or word != word.lower())


def without_figures(words: frozenset[str]) -> frozenset[str]:
    """Return the words that are not numbers."""
    return frozenset(word for word in words if not word.isdecimal())


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common words among all words of both."""
    return len(one & other) / max(1, len(one | other))


def says(line: frozenset[str], words: frozenset[str]) -> bool:
    """Return whether a line says what a statement says, with all its figures and names."""
    share = CONTAINED if len(words) >= SHORT else 1.0
    return len(words & line) >= share * len(words) and find_names(words) <= line


def is_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two lines say the same in nearly the same words."""
    return jaccard(one, other) >= ALIKE and find_names(one) == find_names(other)


class ShownText:
    """Remember lines that are shown, to find out what a further statement adds."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.words: set[str] = set()
        self._lines: list[frozenset[str]] = []
        self._lines_with: dict[str, list[int]] = defaultdict(list)
        for line in lines:
            self.add(find_words(line))

    def add(self, words: frozenset[str]) -> None:
        """Remember one line."""
        for word in words:
            self._lines_with[word].append(len(self._lines))
        self._lines.append(words)
        self.words |= words

    def has(self, words: frozenset[str]) -> bool:
        """Return whether one line says what these words say."""
        near = {at for word in words for at in self._lines_with.get(word, ())[-COMMON:]}
        return any(says(self._lines[at], words) or is_alike(self._lines[at], words) for at in near)

    def share_new(self, words: frozenset[str]) -> float:
        """Return the share of words that no line has yet."""
        return len(words - self.words) / len(words) if words else 0.0


class Muted:
    """Muted texts; each hides what says the same in more or fewer words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._muted = [find_words(text) for text in texts]

    def hides(self, text: str) -> bool:
        """Return whether a text is muted."""
        if not self._muted:
            return False
        words = find_words(text)
        return any(says(words, muted) or says(muted, words) for muted in self._muted)
