"""Describe statements by features: place, age, section, form, length, code, and groups of words.

A feature is a name and how often it holds. `weights.json` has one weight for each name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence

from progress_plugin.model.work import Statement
from progress_plugin.selection.words import group_of_word, word_groups, word_list

Features = dict[str, int]

AGES = (0, 1, 2, 4, 8, 16)  # entries that are newer
PLACES = (0, 1, 3, 7)  # statements before it in its entry or section
LENGTHS = (40, 70, 100, 140, 190, 250)  # characters
SHARED = 3  # statements that name a piece of code for it to count as shared
RECENT_ENTRIES = 3
WORD = re.compile(r"[\w'-]+")
CODE = re.compile(r"`([^`]+)`")


def find_features(statements: Sequence[Statement]) -> list[Features]:
    """Return the features of each statement; each is judged within its own file."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, statement in enumerate(statements):
        places[statement.source.path].append(place)
    found: list[Features] = [{} for _ in statements]
    for of_file in places.values():
        features = _features_of_file([statements[place] for place in of_file])
        for place, each in zip(of_file, features, strict=True):
            found[place] = each
    return found


def _features_of_file(statements: Sequence[Statement]) -> list[Features]:
    entries = max(statement.entry for statement in statements)
    middle = statements[len(statements) // 2].source.line
    code = [CODE.findall(statement.text) for statement in statements]
    times_named = Counter(name for names in code for name in set(names))
    found = []
    for statement, names in zip(statements, code, strict=True):
        features = Counter(_form_features(statement))
        features.update(_time_features(statement, entries, middle))
        features.update(_code_features(names, times_named))
        features.update(_word_features(statement.text))
        found.append(dict(features))
    return found


def _form_features(statement: Statement) -> list[str]:
    return [
        "every",
        f"section={statement.section or 'none'}",
        f"form={statement.form}",
        f"place={bisect_left(PLACES, statement.nth)}",
        f"length={bisect_left(LENGTHS, len(statement.text))}",
    ]


def _time_features(statement: Statement, entries: int, middle: int) -> list[str]:
    """Return when in its log a statement was written."""
    if not statement.entry:
        return ["time=head" if statement.source.line < middle else "time=tail"]
    age = entries - statement.entry
    if age < RECENT_ENTRIES:
        time = "recent" if age else "newest"
    else:
        time = "old" if RECENT_ENTRIES * statement.entry < entries else "middle"
    return [
        f"time={time}",
        f"age={bisect_left(AGES, age)}",
        f"fifth={min(4, 5 * (statement.entry - 1) // entries)}",
    ]


def _code_features(names: Sequence[str], times_named: Counter[str]) -> list[str]:
    if not names:
        return ["code=none"]
    features = ["code=shared" if max(times_named[name] for name in names) >= SHARED else "code=own"]
    if any(is_command(name) for name in names):
        features.append("code=command")
    return features


def is_command(code: str) -> bool:
    """Return whether a piece of code starts a known program, e.g. `npm test`."""
    return code.removeprefix("./").partition(" ")[0] in word_list("tools")


def _word_features(text: str) -> list[str]:
    groups = group_of_word()
    found = [f"says={groups[word]}" for word in WORD.findall(text.lower()) if word in groups]
    if not text.isascii():
        stems = word_groups("stems").items()
        found += [f"says={group}" for group, words in stems if any(word in text for word in words)]
    return found
