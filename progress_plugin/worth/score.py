"""How likely the next agent needs a passage: a weighted sum of its features."""

from __future__ import annotations

import math
from collections.abc import Mapping

from progress_plugin.core.memo import Memo
from progress_plugin.passages.passage import Reading
from progress_plugin.worth.features import NAMES, features_of
from progress_plugin.worth.weights import WEIGHTS


def worths(
    reading: Reading, weights: Mapping[str, float] | None = None, memo: Memo | None = None
) -> list[float]:
    """Return the worth of each passage, between 0 and 1; only their order within one source has a meaning.

    `weights` by feature take the place of the built-in ones; features they do not name weigh nothing.
    `memo` as in `features_of`.
    """
    weight = _weight_of_number(WEIGHTS if weights is None else weights).__getitem__
    sums: dict[tuple[int, ...], float] = {}
    found = []
    for place, text in features_of(reading, memo):
        base = sums.get(place)
        if base is None:
            base = sums[place] = sum(map(weight, place))
        found.append(base + sum(map(weight, text)))
    return [1 / (1 + math.exp(-max(-_FARTHEST, min(_FARTHEST, total)))) for total in found]


_FARTHEST = 50.0


def _weight_of_number(weights: Mapping[str, float]) -> list[float]:
    return [weights.get(name, 0.0) for name in NAMES]
