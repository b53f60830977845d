"""Read the word lists of `words.json`: what words do in a sentence, in several languages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a plain list, e.g. `pronouns`."""
    return frozenset(_data()[name].split())


@cache
def phrase_list(name: str) -> tuple[str, ...]:
    """Return a list of phrases, e.g. `corrections`."""
    return tuple(_data()[name])


@cache
def word_groups(name: str) -> dict[str, tuple[str, ...]]:
    """Return the words of each group: `words` are whole words, `stems` occur anywhere in a text."""
    return {group: tuple(words.split()) for group, words in _data()[name].items()}


@cache
def group_of_word() -> dict[str, str]:
    """Return the group of each whole word."""
    return {word: group for group, words in word_groups("words").items() for word in words}


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
    return data
