"""What lines of a log are by their shape: titles between rules, paragraphs broken at a right margin."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

DOUBLE = frozenset("=═")
"""Rules that underline a line of any length, and may box a title."""
SINGLE = frozenset("-─━")
"""Rules that underline a line of their own length."""
_NARROWEST = 40
"""Columns of a paragraph whose right margin its own lines show."""
_FEWEST = 2
"""Lines that it has."""
_UNEVEN = 5
"""Columns by which its lines may be shorter than they could be."""
_FIRST_WIDE = "\u3000"
_SUSPENDED = frozenset({"and", "or", "to", "nor", "und", "oder", "bzw."})
"""What follows a hyphen that stands for the rest of a word: `pre- and postconditions`."""


def _is_wide(sign: str) -> bool:
    """Return whether a sign is of Chinese or Japanese, punctuation included; Korean has spaces."""
    return "\u3000" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef"


def title_level(line: str) -> int:
    """Return the level of a title between rules, `== Title ==` or `--- Title ---`; 0 where a line is none."""
    mark, title = line[0], line.strip(line[0])
    opening, closing = (len(line) - len(each) for each in (line.lstrip(mark), line.rstrip(mark)))
    marks = min(opening, closing)
    if mark in DOUBLE:
        return (1 if opening > 2 else 2) if marks > 1 else 0  # noqa: PLR2004
    apart = title[:1] == " " == title[-1:] and 2 * mark not in title
    return 2 if mark in SINGLE and apart and marks > (mark == "-") + 1 else 0


def are_filled(columns: Sequence[int], lines: Sequence[str]) -> bool:
    """Return whether lines were broken at a margin: the first word of each had no room on the one before.

    `columns` are those at which all but the last of `lines` begin.
    """
    ends = [column + len(line) for column, line in zip(columns, lines, strict=False)]
    widest = max(ends)
    if len(ends) < _FEWEST or widest < _NARROWEST:
        return False
    words = (len(line.partition(" ")[0]) for line in lines[1:])
    return all(end + word + _UNEVEN > widest for end, word in zip(ends, words, strict=True))


def joined(lines: Sequence[str]) -> str:
    """Return lines as one text; a word that was broken behind its hyphen is whole again.

    Languages without spaces between their words get none at the ends of lines.
    """
    if not any(line[-1] == "-" or line[-1] >= _FIRST_WIDE for line in lines[:-1]):
        return " ".join(lines)
    parts = [lines[0]]
    for before, line in itertools.pairwise(lines):
        broken = before[-1] == "-" and before[-2:-1].isalnum() and line[0].isalnum()
        is_word = broken and line.split(None, 1)[0] not in _SUSPENDED
        parts += [line] if is_word or (_is_wide(before[-1]) and _is_wide(line[0])) else [" ", line]
    return "".join(parts)
