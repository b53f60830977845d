"""The tables of words that the readers look up, from the JSON files beside this module."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_table(name: str) -> dict[str, Any]:
    """Return the table in the file of this name."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath(name).read_text("utf-8"))
    return data


@cache
def word_set(name: str) -> frozenset[str]:
    """Return a list of words from `words.json`."""
    return frozenset(load_table("words.json")[name])
