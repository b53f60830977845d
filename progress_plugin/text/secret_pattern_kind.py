"""One kind of secret: the pattern that finds it, and the group of it that holds the secret.

All of them are in `text.secret_tokens` and `text.secret_patterns`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

_MARK = "[REDACTED:SECRET]"


class Shape(NamedTuple):
    """One kind of secret: the whole match, or the group that took part where the surroundings matter."""

    kind: str
    hints: tuple[str, ...]
    """Lower-case texts of which one is in every text the pattern can match: cheap to look for.

    Of `TOKENS` those that begin with a letter or digit begin a word there.
    """
    pattern: str
    groups: tuple[str, ...] = ()
    """Names of the groups that may hold the secret; `secret_values.JUDGES` judges each before it goes."""
    within: tuple[str, ...] = ()
    """Lower-case texts of which one, too, is in every text the pattern can match: looked for first."""
    each: str = ""
    """Where the group holds several, the pattern of one, with groups of its own."""


def places_of(text: str, word: str) -> Iterator[int]:
    """Yield where a word is in a text: of a long one this takes a tenth of what a pattern takes."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def without_places(
    text: str, places: Iterable[tuple[int, int]], *, keeps_lines: bool = False
) -> tuple[str, int]:
    """Return a text without the secrets at these places, and how many there were.

    `keeps_lines` leaves the line ends that are in one.
    """
    kept: list[str] = []
    done = count = 0
    for start, end in sorted(places):
        if start >= done:
            count += 1
            ends = "\n" * text.count("\n", start, end) if keeps_lines else ""
            kept += (text[done:start], _MARK, ends)
            done = end
    return "".join((*kept, text[done:])) if kept else text, count
