"""Titles compared: the words of one, however they are set (S11.3)."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def normalised(text: str) -> str:
    """Return the words of a title in lower case, single spaces between: equal titles are equal so (S11.3)."""
    return " ".join(_WORD.findall(text)).casefold()
