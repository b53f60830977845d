"""Score how well a passage answers a question: a weighted sum of features of the two.

The weights were fitted to half of the logs of `training/recall_exam.py`, by softmax over the candidate
passages, and evaluated on the other half. Features without effect were dropped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.core.tables import read_json_table
from progress_plugin.recall.index import LEARNINGS, Passage, stories_in
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.search_terms import Question, terms_of

WEIGHTS: dict[str, float] = read_json_table(__file__, "weights.json")
STATUS_KINDS = frozenset({"status", "next", "blocker"})
"""Kinds of passages that say how far the work is."""
_KINDS_OF_WORK = frozenset({"work", "files", "other"})
_NOT_ZERO = 1e-9  # avoids a division by zero
_UNDATED_NEWNESS, _AGEING = 0.5, 0.2  # ageing per newer entry
_COMMAND = LazyPattern(r"`[a-z./][\w./-]* [^`]+`")


class SearchTerm(NamedTuple):
    """A term of a question that occurs in the history."""

    needle: str  # the text to look for among the terms of a passage
    match: str  # the same for SQLite, as an FTS5 expression
    weight: float
    number: int  # passages that have it
    is_weak: bool


def score(row: Passage, near: Sequence[Passage], terms: Sequence[SearchTerm], question: Question) -> float:
    """Return how well a passage answers a question; only the order of scores has a meaning.

    `near` are the passages before and after it in its entry.
    """
    newness = 1 / (1 + _AGEING * row.age) if row.entry and not row.is_plan else _UNDATED_NEWNESS
    answer_kinds = question.answer_kinds
    named = {term.text for term in question.terms if term.is_name}
    own, above = row.terms, row.about
    if row.is_heading and any(each.id > row.id for each in near) and any(t.id for t in question.terms):
        own, above = "", f"{row.about} {row.terms}"  # the answer is below the heading that has the id
    near_terms = " ".join(each.terms for each in near)
    in_own, in_above, in_near, weak, count = _matches(f" {own} ", f" {above} ", f" {near_terms} ", terms)
    is_overview = row.is_plan and row.kind == "status"  # it says how far a plan is
    features = {
        "own": in_own,  # share of the question's words, rare ones counting more, in the passage itself
        "about": in_above,  # in the lines above it: story, title, section
        "beside": in_near,  # in a passage next to it
        "weak": weak,  # share of the words that many questions have
        "density": min(1.0, count / math.sqrt(1 + (own.count(" ") + 2) / 2)),
        "story": bool(named) and any(" ".join(terms_of(story)) in named for story in stories_in(row.stories)),
        "worth": row.worth,
        "new": newness,
        "newest meant": newness * ("newest" in answer_kinds),
        "kind meant": row.kind in answer_kinds,
        "work meant": "work" in answer_kinds and row.kind in _KINDS_OF_WORK,
        "rule meant": "rule" in answer_kinds and row.kind in LEARNINGS,
        "command meant": "command" in answer_kinds and names_command(row.text),
        "overview meant": is_overview and not answer_kinds.isdisjoint(STATUS_KINDS),
        "plan": row.is_plan,  # a plan says less than the log of its result
    }
    return sum(WEIGHTS[name] * value for name, value in features.items())


def names_command(text: str) -> bool:
    return _COMMAND.search(text) is not None


def _matches(
    own: str, above: str, near: str, terms: Sequence[SearchTerm]
) -> tuple[float, float, float, float, int]:
    """Return the shares of strong terms in, above and near a passage, then the share of weak terms.

    The last value is the number of strong terms in the passage.
    """
    in_own = in_above = in_near = weak = 0.0
    of_strong = of_weak = _NOT_ZERO
    count = 0
    for each in terms:
        if each.is_weak:
            of_weak += each.weight
            weak += each.weight * (each.needle in own or each.needle in above)
            continue
        of_strong += each.weight
        if each.needle in own:
            in_own += each.weight
            count += 1
        elif each.needle in above:
            in_above += each.weight
        elif each.needle in near:
            in_near += each.weight
    return in_own / of_strong, in_above / of_strong, in_near / of_strong, weak / of_weak, count
