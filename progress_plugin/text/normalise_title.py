"""Titles compared: the words of one, however they are set."""

from __future__ import annotations

from functools import lru_cache

from progress_plugin.text.patterns import LazyPattern

_WORD = LazyPattern(r"[^\W_]+")
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_SMALL = b" " * 48 + b"0123456789" + b" " * 7 + _LETTERS + b" " * 6 + _LETTERS + b" " * 133
"""For each byte of a text in ASCII its small letter or digit, a blank for all that parts words."""


@lru_cache(maxsize=4096)  # each title is compared by attribution, drift, history and choice
def normalised(text: str) -> str:
    """Return the words of a title in lower case, single spaces between: equal titles are equal so."""
    if text.isascii():  # in a fifth of the time
        return b" ".join(text.encode().translate(_SMALL).split()).decode()
    return " ".join(_WORD.findall(text)).casefold()
