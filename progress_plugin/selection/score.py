"""Score statements with a linear model: how likely the next agent needs each.

A feature is a name, e.g. `section=gotcha` or `word=never`, and how often it applies to a statement.
`weights.json` has one weight for each name.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence

from progress_plugin.core.tables import read_json_table
from progress_plugin.model.work import Statement
from progress_plugin.selection.words import group_of_word, word_groups

Features = list[str]  # a name is there as often as it applies

LENGTHS = (40, 70, 100, 140, 190, 250)  # characters
PLACES = (1, 2, 4, 8, 16)  # positions within an entry or section
MAX_DEPTH = 3
RECENT_ENTRIES = 3
WORD = re.compile(r"[\w'-]+")
CODE = re.compile(r"`([^`]+)`")  # text in backticks


def score_statements(
    statements: Sequence[Statement], weights: Mapping[str, float] | None = None
) -> list[float]:
    """Return a score between 0 and 1 for each statement; `weights` replace the shipped ones."""
    weights = shipped_weights() if weights is None else weights
    sums = (sum(weights.get(name, 0.0) for name in each) for each in find_features(statements))
    return [1 / (1 + math.exp(-total)) for total in sums]


def shipped_weights() -> dict[str, float]:
    """Return the weights that `python -m training.selection --write` made."""
    return read_json_table(__file__, "weights.json")


def find_features(statements: Sequence[Statement]) -> list[Features]:
    """Return the features of each statement; its time is that within its own file."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, statement in enumerate(statements):
        places[statement.source.path].append(place)
    found: list[Features] = [[] for _ in statements]
    for of_file in places.values():
        entries = max(statements[place].entry for place in of_file)
        middle = statements[of_file[len(of_file) // 2]].source.line
        for place in of_file:
            statement = statements[place]
            found[place] = [
                "every",
                f"section={statement.section or 'none'}",
                f"form={statement.form}",
                f"depth={min(MAX_DEPTH, statement.depth)}",
                f"labelled={bool(statement.label)}",
                f"place={bisect_left(PLACES, statement.nth)}",
                f"length={bisect_left(LENGTHS, len(statement.text))}",
                f"time={_time_of(statement, entries, middle)}",
                *_word_features(statement.text),
            ]
    return found


def _time_of(statement: Statement, entries: int, middle: int) -> str:
    """Return when in its log a statement was written."""
    if not statement.entry:
        return "head" if statement.source.line < middle else "tail"
    if entries - statement.entry < RECENT_ENTRIES:
        return "recent" if statement.entry < entries else "newest"
    return "old" if RECENT_ENTRIES * statement.entry < entries else "middle"


def _word_features(text: str) -> list[str]:
    groups = group_of_word()
    words = WORD.findall(text.lower())
    found = [f"says={groups[word]}" for word in words if word in groups]
    found += [f"word={word}" for word in set(words) if not word.isdigit()]
    if not text.isascii():
        stems = word_groups("stems").items()
        found += [f"says={group}" for group, words in stems if any(word in text for word in words)]
    return found
