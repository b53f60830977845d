"""Fit the weights: a logistic regression that only has to order the passages of one log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from progress_plugin.worth.features import EVERY, NAMES, features_of
from training.cases import Case, plain

Matrix = np.ndarray[Any, Any]
_PARTLY = 0.6
"""How much a passage counts that stands where a fact is told, and tells a part of it."""
_LEAST_PART = 0.34
_OWN = 10.0
"""How freely each log has an intercept of its own: large, since logs are never compared."""
_TYPICAL = 200
"""Passages of a log that counts as one."""
STRENGTH = 0.01
"""Inverse of the penalty on large weights."""


class Examples(NamedTuple):
    """The passages of one log as numbers."""

    name: str
    features: Matrix
    """Passages by features: how often each holds."""
    needed: Matrix
    """1 for a passage that tells a fact, less for one that tells a part, 0 for the others."""


def examples_of(case: Case) -> Examples:
    """Return what is to be learnt from one log."""
    features = np.zeros((len(case.reading.passages), len(NAMES)), np.float32)
    for row, (place, text) in zip(features, features_of(case.reading), strict=True):
        for number in (*place, *text):
            row[number] += 1
    needed = [_needed(case, plain(p.shown), p.line, p.last) for p in case.reading.passages]
    return Examples(case.name, features, np.array(needed))


def _needed(case: Case, text: str, first: int, last: int) -> float:
    part = 0.0
    for fact in case.facts:
        if fact.told_in(text):
            return 1.0
        if any(first <= line <= last for line in fact.lines):
            part = max(part, fact.share_in(text), _LEAST_PART)
    return _PARTLY * part


def fit(examples: Sequence[Examples], strength: float = STRENGTH) -> dict[str, float]:
    """Return the weight of each feature; each log has an intercept of its own, of which the mean is kept.

    A passage that is needed in part counts as one that is and one that is not, by shares. Logs count by
    the square root of their length.
    """
    rows = np.vstack([each.features for each in examples])
    own = np.zeros((len(rows), len(examples)), np.float32)
    counts = np.empty(len(rows))
    start = 0
    for column, each in enumerate(examples):
        end = start + len(each.needed)
        own[start:end, column] = _OWN
        counts[start:end] = (_TYPICAL / max(1, len(each.needed))) ** 0.5
        start = end
    needed = np.concatenate([each.needed for each in examples])
    some = needed > 0
    inputs = np.hstack([rows, own])
    model = LogisticRegression(C=strength, max_iter=300)
    model.fit(
        np.vstack([inputs[some], inputs[needed < 1]]),
        np.r_[np.ones(some.sum()), np.zeros((needed < 1).sum())],
        sample_weight=np.r_[(counts * needed)[some], (counts * (1 - needed))[needed < 1]],
    )
    weights = dict(zip(NAMES, model.coef_[0][: len(NAMES)], strict=True))
    weights[EVERY] += model.intercept_[0] + _OWN * model.coef_[0][len(NAMES) :].mean()
    return {name: round(float(weight), 3) for name, weight in weights.items() if round(float(weight), 3)}
