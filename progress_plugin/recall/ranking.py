"""How well a passage answers a question: a weighted sum of what is known of the two.

The weights were fitted to half of the logs of `training/recall_exam.py`, by the probability of the
passage that tells the fact among all that may answer; the other half tells what they are worth. What
changed nothing was left out.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.recall.index import LEARNINGS

WEIGHTS = {
    "own": 0.73,  # share of the question's words, rare ones counting more, that are in the passage itself
    "about": 0.6,  # in what is above it: story, title, section
    "beside": 0.19,  # in a passage beside it
    "weak": 0.21,  # share of the words that many questions have
    "density": 0.27,
    "story": 0.17,  # the question names its story
    "worth": 0.65,
    "new": 0.05,
    "newest meant": 0.57,
    "kind meant": 0.15,
    "work meant": 0.22,
    "rule meant": 0.23,
    "command meant": 0.09,
    "overview meant": 0.7,  # how far a plan is
    "plan": -0.2,  # what was asked for says less than what came of it
}
STANDING = frozenset({"status", "next", "blocker"})
"""Kinds of answers that say how far the work is."""
_KINDS_OF_WORK = frozenset({"work", "files", "other"})
_NEVER = 1e-9


class Wanted(NamedTuple):
    """A term that occurs in the history."""

    needle: str
    """How it is found among the terms of a passage."""
    match: str
    """How SQLite finds it."""
    weight: float
    number: int
    """Passages that have it."""
    is_weak: bool


class Held(NamedTuple):
    """A passage as a question sees it; terms have blanks around."""

    terms: str
    about: str
    beside: str
    stories: frozenset[str]
    """Each as terms."""
    kind: str
    worth: float
    newness: float
    is_plan: bool
    has_command: bool


def score(held: Held, wanted: Sequence[Wanted], meant: frozenset[str], stories: frozenset[str]) -> float:
    """Return how well a passage answers; only the order has a meaning.

    `meant` are the kinds of answers that the question asks for, `stories` its names as terms.
    """
    return sum(map(float.__mul__, WEIGHTS.values(), features_of(held, wanted, meant, stories)))


def features_of(
    held: Held, wanted: Sequence[Wanted], meant: frozenset[str], stories: frozenset[str]
) -> tuple[float, ...]:
    """Return the features of a passage in the order of `WEIGHTS`, each between 0 and 1."""
    own, about, beside, weak, count = _matches(held, wanted)
    return (
        own,
        about,
        beside,
        weak,
        min(1.0, count / math.sqrt(1 + held.terms.count(" ") / 2)),
        float(not stories.isdisjoint(held.stories)),
        held.worth,
        held.newness,
        held.newness * ("newest" in meant),
        float(held.kind in meant),
        float("work" in meant and held.kind in _KINDS_OF_WORK),
        float("rule" in meant and held.kind in LEARNINGS),
        float("command" in meant and held.has_command),
        float(held.is_plan and held.kind == "status" and not meant.isdisjoint(STANDING)),
        float(held.is_plan),
    )


def _matches(held: Held, wanted: Sequence[Wanted]) -> tuple[float, float, float, float, int]:
    """Return shares of terms: strong ones in, above and beside a passage, and weak ones; how many it has."""
    own = about = beside = weak = 0.0
    of_strong = of_weak = _NEVER
    count = 0
    for each in wanted:
        if each.is_weak:
            of_weak += each.weight
            weak += each.weight * (each.needle in held.terms or each.needle in held.about)
            continue
        of_strong += each.weight
        if each.needle in held.terms:
            own += each.weight
            count += 1
        elif each.needle in held.about:
            about += each.weight
        elif each.needle in held.beside:
            beside += each.weight
    return own / of_strong, about / of_strong, beside / of_strong, weak / of_weak, count
