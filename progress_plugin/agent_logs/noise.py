"""Recognise text that says nothing to a later reader: empty, placeholder, bare date, checks that passed."""

from __future__ import annotations

import re
from functools import cache

from progress_plugin.agent_logs.tables import load_table, word_set
from progress_plugin.model.status import parse_wording
from progress_plugin.text.labels import plain, undecorated

MAX_NOISE_CHARS = 200  # longer text says more than that something passed
MIN_ASCII_CHARS = 4


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    expressions = load_table("words.json")["noise"].values()
    return tuple(re.compile("".join(expression), re.IGNORECASE) for expression in expressions)


def is_noise(text: str) -> bool:
    """Return whether a text says nothing that a later reader could use."""
    if len(text) > MAX_NOISE_CHARS:
        return False
    words = undecorated(plain(text)).strip(" -–—*.!✓✅")
    if not words or (len(words) < MIN_ASCII_CHARS and words.isascii()) or parse_wording(words):
        return True
    if not words.isascii() and any(phrase in words for phrase in word_set("foreign_status")):
        return True
    return any(pattern.fullmatch(words) or pattern.fullmatch(text) for pattern in _patterns())
