"""Merge statements that say the same, find those that a newer one overtakes, and group them by topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from progress_plugin.model.work import Learning, Source, Statement
from progress_plugin.selection.similarity import (
    NAME,
    find_names,
    find_words,
    is_alike,
    jaccard,
    says,
    without_figures,
)
from progress_plugin.selection.words import phrase_list

SAME_SUBJECT = 0.3  # share of common words from which a correction is about the same
SAME_BUT_FIGURES = 0.8
MORE = 1.5  # an older wording that is longer by this factor says more
RAREST = 6  # statements are compared if they share one of so many of their rarest words
COMMON = 20  # newest statements with a word that are compared
MIN_STATEMENTS = 2  # of a topic
MAX_SHARE = 0.6  # a name that more of the statements have is no topic
MAX_NAME_CHARS = 40


T = TypeVar("T", Statement, Learning)


class Merged(NamedTuple, Generic[T]):
    """One statement and every place that says the same, in order."""

    statement: T
    sources: tuple[Source, ...]
    mentions: int


def merge(statements: Sequence[T]) -> list[Merged[T]]:
    """Return each statement once, in order of first mention; the order given is from old to new.

    The newest wording is kept, unless an older one says clearly more.
    """
    words = [find_words(statement.text) for statement in statements]
    groups: dict[int, list[int]] = {}
    group_of: dict[int, int] = {}
    for place, near in enumerate(_neighbours(words)):
        same = [other for other in near if other < place and _is_same(words[other], words[place])]
        group_of[place] = group_of[max(same)] if same else place
        groups.setdefault(group_of[place], []).append(place)
    return [_merged([statements[place] for place in places]) for places in groups.values()]


def _merged(same: Sequence[T]) -> Merged[T]:
    newest = same[-1]
    longest = max(same, key=lambda statement: len(statement.text))
    best = longest if len(longest.text) > MORE * len(newest.text) else newest
    sources = tuple(dict.fromkeys(statement.source for statement in same))
    return Merged(best, sources, len(sources))


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return says(one, other) or says(other, one) or is_alike(one, other)


def find_overtaken(statements: Sequence[T]) -> set[int]:
    """Return the places of statements that no longer hold.

    They are those that a newer entry of the same log repeats with other figures, or corrects.
    """
    subjects = [_subject_of(statement.text) for statement in statements]
    overtaken = set()
    for place, near in enumerate(_neighbours([subject.words for subject in subjects])):
        newer = (other for other in near if _is_newer(statements[other], statements[place]))
        if any(_overtakes(subjects[other], subjects[place]) for other in newer):
            overtaken.add(place)
    return overtaken


class _Subject(NamedTuple):
    """The words of a statement, divided into figures and others, and its names of code."""

    words: frozenset[str]
    figures: frozenset[str]
    plain: frozenset[str]
    names: frozenset[str]
    is_correction: bool


def _subject_of(text: str) -> _Subject:
    words = find_words(text)
    plain = without_figures(words)
    return _Subject(words, words - plain, plain, find_names(plain), is_correction(text))


def is_correction(text: str) -> bool:
    """Return whether a text says that something is otherwise now, or was wrong."""
    low = text.lower()
    return any(phrase in low for phrase in phrase_list("corrections"))


def _is_newer(one: T, other: T) -> bool:
    return one.entry > other.entry and one.source.path == other.source.path


def _overtakes(newer: _Subject, older: _Subject) -> bool:
    """Return whether a newer statement gives other figures for the same, or corrects the older one.

    A correction is about the same if the two share two names of code, or one and many of their words.
    """
    has_other_figures = newer.figures and older.figures and newer.figures != older.figures
    if has_other_figures and jaccard(newer.plain, older.plain) >= SAME_BUT_FIGURES:
        return True
    if not newer.is_correction:
        return False
    names = newer.names & older.names
    return len(names) > 1 or (bool(names) and jaccard(newer.words, older.words) >= SAME_SUBJECT)


def _neighbours(words: Sequence[frozenset[str]]) -> Iterator[set[int]]:
    """Yield for each statement the others that share one of its rarest words."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, own in enumerate(words):
        for word in own:
            places[word].append(place)
    for place, own in enumerate(words):
        shared = (word for word in own if len(places[word]) > 1)
        rarest = sorted(shared, key=lambda word: (len(places[word]), word))[:RAREST]
        yield {other for word in rarest for other in places[word][-COMMON:]} - {place}


def group_by_topic(statements: Sequence[T]) -> list[tuple[str, list[T]]]:
    """Return (name, statements) pairs: first those without a shared name, under "", then the largest topics.

    A topic is a file or a name of code that two or more statements have.
    """
    names = [{found[0] for found in NAME.finditer(statement.text)} for statement in statements]
    shares = Counter(name for of_one in names for name in of_one)
    topic_names = {
        name
        for name, share in shares.items()
        if share <= MAX_SHARE * len(statements) and len(name) <= MAX_NAME_CHARS
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
