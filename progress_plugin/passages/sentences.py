"""Cut a long paragraph into groups of sentences."""

from __future__ import annotations

from progress_plugin.learnings.words import may_be_foreign
from progress_plugin.text.patterns import LazyPattern

LONGEST = 300
"""Characters a statement may have before it is cut, if it has more than one sentence."""
_GROUP = 200
"""Characters after which a group of sentences is full."""
_SHORTEST = 40
"""Characters below which a sentence stays with the one before it."""
_HARDEST = 400
"""Characters after which even one sentence is cut, at a comma or dash."""

_WIDE = "\u2e80"
"""The first of the letters that are as wide as two."""
_END = LazyPattern(
    r"(?:(?<![A-Z. ][.])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)(?<!cf\.)(?<=[.!?;])|"
    r"(?<=[.!?;][)\"*]))\s+(?=\S)|(?<=[.!?;]`)\s+(?=[^\sa-z])|"
    r"(?<=[。！？；])"
)
_BREATH = LazyPattern(r"(?<=[,;:，、])\s*+(?=\S)|(?<!\s)\s++(?=[-–—→]\s)")

_QUOTED = LazyPattern(r"`[^`]{0,200}+`|\"[^\"]{0,200}+\"|“[^”]{0,200}+”")


def in_own_words(text: str) -> str:
    """Return a text without code and quotations: these say what a program says, not how the work stands."""
    return _QUOTED.sub(" ", text)


def columns(text: str) -> int:
    """Return how much a text says, in Latin letters: one of Chinese says as much as two and a half."""
    if not may_be_foreign(text):
        return len(text)
    wide = sum(map(_WIDE.__le__, text))
    return len(text) + wide + wide // 2


def statements(text: str, longest: int = LONGEST) -> list[str]:
    """Return a text in pieces of whole sentences; never cut are code spans, bold words and parentheses.

    The time grows with the length of the text. Joined by single spaces the pieces are the text again.
    """
    wide = columns(text)
    if wide <= longest:
        return [text]
    scale = len(text) / wide
    full = min(_GROUP, longest) * scale
    pieces = []
    for group in _groups(text, _END, full, scale):
        pieces += _groups(group, _BREATH, full, scale) if len(group) > _HARDEST * scale else [group]
    return pieces


def each_sentence(text: str) -> list[str]:
    """Return every sentence of a text by itself, however short."""
    return [piece for piece in _END.split(text) if piece]


def _groups(text: str, end: LazyPattern, full: float, scale: float) -> list[str]:
    """Return pieces between ends that are outside of marks and brackets, short ones together.

    A piece is full at so many letters; `scale` is the letters of this text in a column.
    """
    least = _SHORTEST * scale
    found, start = [], 0
    code = bold = False
    depth = at = 0
    for match in end.finditer(text):
        between = text[at : match.start()]
        code ^= between.count("`") % 2 == 1
        bold ^= between.count("**") % 2 == 1
        depth = max(0, depth + sum(map(between.count, "([（")) - sum(map(between.count, ")]）")))
        at = match.start()
        cut = match.start() - start
        if code or bold or depth or cut < least or len(text) - match.end() < least:
            continue
        following = end.search(text, match.end())
        next_end = following.start() if following else len(text)
        if next_end - start > full:
            found.append(text[start : match.start()].strip())
            start = match.end()
    found.append(text[start:].strip())
    return [piece for piece in found if piece]
