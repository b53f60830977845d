"""Merge statements that say the same, find those that a newer one corrects, and group them by topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from progress_plugin.model.work import Learning, Source, Statement
from progress_plugin.selection.similarity import (
    ALIKE,
    NAME,
    LineIndex,
    find_names,
    find_words,
    jaccard,
    says,
    says_or_is_alike,
)
from progress_plugin.selection.words import phrase_list, word_list

SAME_SUBJECT = 0.3  # share of common words from which a correction is about the same subject
SAME_BUT_FIGURES = 0.8  # share of common words, figures left out, from which two lines say the same
MIN_STATEMENTS = 2  # of a topic
MAX_SHARE = 0.6  # a name that a larger share of all statements has is no topic
MAX_NAME_CHARS = 40


T = TypeVar("T", Statement, Learning)


class Merged(NamedTuple, Generic[T]):
    """The newest wording of a statement, and every place that says the same, in order."""

    statement: T
    sources: tuple[Source, ...]

    @property
    def mentions(self) -> int:
        return len(self.sources)


def merge(statements: Sequence[T]) -> list[Merged[T]]:
    """Return each statement once, in order of first mention; `statements` are given from old to new."""
    index = LineIndex()
    groups: list[list[T]] = []
    group_of: list[list[T]] = []  # of each statement
    for statement in statements:
        words = find_words(statement.text)
        near = sorted(index.find_near(words), reverse=True)
        group = next((group_of[place] for place in near if _say_the_same(index.lines[place], words)), [])
        if not group:
            groups.append(group)
        group.append(statement)
        group_of.append(group)
        index.add(words)
    return [Merged(same[-1], tuple(dict.fromkeys(each.source for each in same))) for same in groups]


def _say_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    has_enough = len(one & other) >= ALIKE * min(len(one), len(other))  # excludes most lines at once
    return has_enough and (says_or_is_alike(one, other) or says(other, one))


def find_overtaken(statements: Sequence[T]) -> set[int]:
    """Return the indices of statements that a newer entry of the log corrects or repeats with new figures."""
    index = LineIndex()
    figures: list[frozenset[str]] = []  # of each statement
    corrects = [is_correction(statement.text) for statement in statements]
    overtaken: set[int] = set()
    for place, statement in enumerate(statements):
        index.add(find_words(statement.text))
        figures.append(frozenset(filter(str.isdecimal, index.lines[place])))
        for other in index.find_near(index.lines[place]):
            older, newer = (place, other) if statements[other].entry > statement.entry else (other, place)
            if _is_newer(statements[newer], statements[older]):
                one, two = index.lines[newer], index.lines[older]
                has_others = figures[newer] and figures[older] and figures[newer] != figures[older]
                share = jaccard(one - figures[newer], two - figures[older]) if has_others else 0.0
                if share >= SAME_BUT_FIGURES or (corrects[newer] and _is_same_subject(one, two)):
                    overtaken.add(older)
    return overtaken


def _is_newer(one: T, other: T) -> bool:
    return one.entry > other.entry and one.source.path == other.source.path


def is_correction(text: str) -> bool:
    """Return whether a text says that something has changed, or was wrong."""
    return any(map(text.lower().__contains__, phrase_list("corrections")))


def _is_same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two lines share two names of code, or one such name and many words."""
    names = [name for name in find_names(one) & find_names(other) if not name.isdecimal()]
    return len(names) > 1 or (bool(names) and jaccard(one, other) >= SAME_SUBJECT)


def group_by_topic(statements: Sequence[T]) -> list[tuple[str, list[T]]]:
    """Return (topic, statements) pairs: first "" with the statements without topic, then topics by size.

    A topic is a file or a name of code that two or more statements have.
    """
    names = [{found[0] for found in NAME.finditer(statement.text)} for statement in statements]
    shares = Counter(name for of_one in names for name in of_one)
    topic_names = {
        name
        for name, share in shares.items()
        if share <= MAX_SHARE * len(statements)
        and len(name) <= MAX_NAME_CHARS
        and name.partition(".")[0] not in word_list("common_files")  # one of many with this name
    }
    left = set(range(len(statements)))
    topics: list[tuple[str, list[T]]] = []
    while left:
        counts = Counter(name for place in left for name in names[place] & topic_names)
        name, count = max(counts.items(), key=lambda pair: (pair[1], len(pair[0]), pair[0]), default=("", 0))
        if count < MIN_STATEMENTS:
            break
        places = sorted(place for place in left if name in names[place])
        topics.append((name, [statements[place] for place in places]))
        left.difference_update(places)
    rest = [statements[place] for place in sorted(left)]
    return ([("", rest)] if rest else []) + topics
