"""A file that a context was made from, read again to name the lines that say something."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from progress_plugin.text.json_objects import ObjectSpan, spans
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.worth.said_already import words_of

_MOST = 12
"""Texts that are named for one line: as many as files that a summary names of a story, and a few."""
_FEWEST = 2
"""Words that a further text must hold of those still missing, unless it holds all or says little else."""
_MOSTLY = 0.5
"""Share of a text's words from which it says little else."""
_ESCAPE = LazyPattern(r"\\(?:u([0-9a-fA-F]{4})|.)")


class CitedFile:
    """The lines of one file, and where in it the objects of JSON are."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._is_json = path.endswith((".json", ".jsonl"))
        self._words: dict[int, frozenset[str]] = {}

    def words(self, line: int) -> frozenset[str]:
        """Return the words of a line, 1-based; none of a line that is not there any more."""
        if line not in self._words:
            text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
            self._words[line] = words_of(_ESCAPE.sub(_spelt, text) if self._is_json else text)
        return self._words[line]

    def holding(self, first: int, last: int, words: frozenset[str]) -> list[int]:
        """Return the lines of a span that hold most of the words between them, in their order."""
        last = min(last, len(self.lines))
        return [first + at for at in cover([self.words(at) for at in range(first, last + 1)], words)]

    def all_made_of(self, first: int, last: int, words: frozenset[str]) -> list[int]:
        """Return the lines of a span that consist of the words, by and large."""
        last = min(last, len(self.lines))
        return [at for at in range(first, last + 1) if _is_made_of(self.words(at), words)]

    def entry(self, name: str) -> tuple[int, int] | None:
        """Return first and last line of the object with this id."""
        return self._by_id.get(name)

    def stating(self, title: str, name: str, number: int) -> tuple[int, int] | None:
        """Return the lines of the object that states a story, known by its title and by its id if it has one.

        `number` is how many stories of this title come before it.
        """
        titled = self._by_text.get(title, [])
        found = [span for span in titled if name in span.strings] or titled[number:] or titled
        return self._in_lines(found[0]) if found else None

    @cached_property
    def _spans(self) -> list[ObjectSpan]:
        return sorted(spans("\n".join(self.lines)))

    @cached_property
    def _by_id(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for span in self._spans:
            for name, value in zip(span.strings, span.strings[1:], strict=False):
                if name == "id":
                    found.setdefault(value, self._in_lines(span))
        return found

    @cached_property
    def _by_text(self) -> dict[str, list[ObjectSpan]]:
        """The objects by each of their texts and its first line."""
        found: dict[str, list[ObjectSpan]] = {}
        for span in self._spans:
            texts = {text for value in span.strings for text in (value, *value.strip().splitlines()[:1])}
            for text in {" ".join(text.split()) for text in texts}:
                found.setdefault(text, []).append(span)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def _in_lines(self, span: ObjectSpan) -> tuple[int, int]:
        return bisect_right(self._starts, span.start), bisect_right(self._starts, span.stop - 1)


def cover(known: Sequence[frozenset[str]], words: frozenset[str]) -> list[int]:
    """Return the places of the few texts, each given by its words, that hold most of these words together."""
    left, found = set(words), set[int]()
    while left and len(found) < _MOST:
        gain, at = max(
            (
                (len(left & own), -at)
                for at, own in enumerate(known)
                if not found or len(left & own) >= min(_FEWEST, len(left)) or _is_made_of(own, words)
            ),
            default=(0, 0),
        )
        if not gain:
            break
        found.add(-at)
        left -= known[-at]
    return sorted(found)


def _is_made_of(own: frozenset[str], words: frozenset[str]) -> bool:
    return bool(own) and len(own & words) >= len(own) * _MOSTLY


def _spelt(escape: re.Match[str]) -> str:
    """Return the character that an escape of JSON stands for; white space for line feeds and the like."""
    if escape[1]:
        return chr(int(escape[1], 16))
    return escape[0][1] if escape[0][1] in '"\\/' else " "
