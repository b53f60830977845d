"""Fit the weights by a logistic regression that orders the statements of each log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from progress_plugin.selection.score import Features, find_features
from training.selection.cases import Case, plain

PARTLY = 0.6  # how much a statement counts as needed that is on the lines of a need and states a part of it
LEAST_PART = 0.34
OWN_INTERCEPT = 10.0  # large, because statements of different logs are never compared
TYPICAL_STATEMENTS = 200  # a log of this size has weight 1
STRENGTH = 0.008  # inverse of the penalty on large weights
WORD_LOGS = 12  # logs that must have a word for it to get a weight of its own


@dataclass(frozen=True)
class Examples:
    """The statements of one log as features, and how much each is needed, from 0 to 1."""

    name: str
    features: list[Features]
    needed: list[float]


def examples_of(case: Case) -> Examples:
    """Return the training examples of one case."""
    needed = []
    for statement in case.statements:
        source = statement.source
        lines = range(source.line, (source.last or source.line) + 1) if source.path == case.log else range(0)
        needed.append(_needed(case, plain(statement.text), frozenset(lines)))
    return Examples(case.name, find_features(case.statements), needed)


def _needed(case: Case, text: str, lines: frozenset[int]) -> float:
    shares = [need.share_in(text) for need in case.needs]
    if 1 in shares:
        return 1.0
    near = (
        max(share, LEAST_PART) for need, share in zip(case.needs, shares, strict=True) if need.lines & lines
    )
    return PARTLY * max(near, default=0.0)


def fit(examples: Sequence[Examples]) -> dict[str, float]:
    """Return the weight of each feature. Each log has its own intercept; only their mean is kept.

    A statement that is needed by 0.6 counts as a needed one with weight 0.6 and an unneeded one with 0.4. The
    weight of a log grows with the square root of its length.
    """
    examples = [each for each in examples if each.needed]
    rare = _rare_words(examples)
    vectorizer = DictVectorizer(sparse=False)
    rows = vectorizer.fit_transform(
        [
            {name: times for name, times in Counter(features).items() if name not in rare}
            for each in examples
            for features in each.features
        ]
    )
    sizes = [len(each.needed) for each in examples]
    own = np.repeat(np.eye(len(examples)) * OWN_INTERCEPT, sizes, axis=0)
    counts = np.repeat([(TYPICAL_STATEMENTS / max(1, size)) ** 0.5 for size in sizes], sizes)
    needed = np.concatenate([each.needed for each in examples])
    inputs = np.hstack([rows, own])
    is_some, is_not_all = needed > 0, needed < 1
    model = LogisticRegression(C=STRENGTH, max_iter=300, solver="newton-cholesky")
    model.fit(
        np.vstack([inputs[is_some], inputs[is_not_all]]),
        np.r_[np.ones(is_some.sum()), np.zeros(is_not_all.sum())],
        sample_weight=np.r_[(counts * needed)[is_some], (counts * (1 - needed))[is_not_all]],
    )
    names: Any = vectorizer.get_feature_names_out()
    weights = dict(zip(names, model.coef_[0][: len(names)], strict=True))
    weights["every"] += model.intercept_[0] + OWN_INTERCEPT * model.coef_[0][len(names) :].mean()
    return {name: round(float(weight), 3) for name, weight in weights.items() if round(float(weight), 3)}


def _rare_words(examples: Sequence[Examples]) -> set[str]:
    """Return the words that are features of too few logs: names of projects, or chance."""
    logs = Counter(name for each in examples for name in {name for row in each.features for name in row})
    return {name for name, count in logs.items() if name.startswith("word=") and count < WORD_LOGS}


def fit_unseen(examples: Sequence[Examples], folds: int) -> dict[str, dict[str, float]]:
    """Return for each log weights that were fitted to other logs only."""
    found = {}
    for fold in range(folds):
        held = {each.name for each in examples[fold::folds]}
        weights = fit([each for each in examples if each.name not in held])
        found.update(dict.fromkeys(held, weights))
    return found
