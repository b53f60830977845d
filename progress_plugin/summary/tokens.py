"""Token figures: estimates, made from counts of a text's bytes without a tokenizer.

A tokenizer's vocabulary is megabytes to load. What its tokens are made of can be counted instead: a word
costs about half a token and a little per letter, a sign nearly a whole one. The weights were fitted to two
public vocabularies over real progress logs; for other scripts they are between the two, nearer to the one
that needs more, so that a budget is kept with both. How far off they are: `docs/tokens.md`.
"""

from __future__ import annotations

from functools import lru_cache

from progress_plugin.text.bounds import utf16_length

_WORD = 0.55
_ASCII = (
    (b"abcdefghijklmnopqrstuvwxyz", 0.10),
    (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.23),
    (b"0123456789", 0.39),
    (b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 0.80),
    (b"\n", 0.25),
)
_LOWER, _UPPER, _DIGIT, _SIGN, _LINE_END = (weight for _, weight in _ASCII)
_DEAREST = 0.80
"""Of a byte with its share of a word, which has a blank before it unless it is the first."""
# By the first byte of a character in UTF-8: counting these counts characters, whatever their length.
_BEYOND = (
    (bytes(range(0xC2, 0xCE)), 0.90),  # accented Latin
    (bytes(range(0xCE, 0xE0)), 0.36),  # Greek, Cyrillic, Hebrew, Arabic
    (b"\xe0\xe1", 0.75),  # Indic, Thai and their neighbours
    (b"\xe2", 0.70),  # dashes, arrows, marks
    (bytes(range(0xE3, 0xEE)), 0.89),  # kana, Chinese, Korean
    (b"\xee\xef", 1.40),  # full-width signs, the selector after an emoji
    (bytes(range(0xF0, 0xF5)), 2.60),  # emoji
)


def _classes() -> bytes:
    found = bytearray(256)
    for mark, (members, _) in enumerate(_ASCII + _BEYOND, 1):
        for at in members:
            found[at] = mark
    return bytes(found)


_CLASSES = _classes()
"""For each byte the number of its class, 0 for none."""
_WEIGHTS = (0.0, *(weight for _, weight in _ASCII + _BEYOND))
"""By the number of the class."""
_NOT_BEYOND = bytes(range(256)).translate(None, b"".join([members for members, _ in _BEYOND]))
_SIGNS = b"x" * 9 + b" " * 5 + b"x" * 18 + b" " + b"x" * 223
"""For each byte a blank where it parts words (tabulator, line ends, the blank itself), else a letter."""


def estimate(text: str) -> int:
    """Return about how many tokens a model counts for `text`; 0 for the empty text only.

    Estimates of parts add up to about the estimate of the whole.
    """
    return estimate_bytes(text.encode("utf-8", "surrogatepass"))


def costs_at_most(text: str, most: int) -> bool:
    """Return whether a text is estimated at no more than `most`; a short one need not be counted."""
    data = text.encode("utf-8", "surrogatepass")
    return _DEAREST * len(data) + _WORD <= most or estimate_bytes(data) <= most


def estimate_bytes(data: bytes) -> int:
    """Return the estimate for a text in UTF-8."""
    # Without small letters, which are three quarters of most texts, there is less to count.
    others = data.translate(_CLASSES, _ASCII[0][0])
    count = others.count
    # Each class by itself: a start estimates thousands of lines, and a loop costs as much as its steps.
    total = _LOWER * (len(data) - len(others)) + _UPPER * count(2) + _DIGIT * count(3) + _SIGN * count(4)
    total += _LINE_END * count(5)
    if not data.isascii():
        beyond = data.translate(_CLASSES, _NOT_BEYOND)  # of most texts a dash or two
        for mark in sorted(set(beyond)):
            total += _WEIGHTS[mark] * beyond.count(mark)
    return max(round(_WORD * _words(data) + total), 1) if data else 0


def _words(data: bytes) -> int:
    """Return how many words there are, without making an object of each."""
    signs = data.translate(_SIGNS)
    return signs.count(b" x") + signs.startswith(b"x")


class FreeRoom:
    """Tokens and UTF-16 units still free."""

    __slots__ = ("characters", "tokens")

    def __init__(self, tokens: int, characters: int) -> None:
        self.tokens = tokens
        self.characters = characters

    def take(self, text: str, *, spare: float = 0.0) -> bool:
        """Take the room of one more line if it is there, leaving a share of the tokens untouched."""
        tokens, characters = _size(text)
        if tokens > self.tokens * (1 - spare) or characters > self.characters:
            return False
        self.tokens -= tokens
        self.characters -= characters
        return True


@lru_cache(maxsize=1024)  # a summary is fitted two or three times
def _size(text: str) -> tuple[int, int]:
    return estimate(text) + 1, utf16_length(text) + 1
