"""How likely the next agent needs a passage: a weighted sum of its features."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from functools import lru_cache

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import read_inside
from progress_plugin.core.memo import Memo
from progress_plugin.passages.passage import Reading
from progress_plugin.worth.features import NAMES, features_of
from progress_plugin.worth.weights import WEIGHTS

VARIABLE = "AGENT_PROGRESS_WEIGHTS"
"""Names a JSON file of weights by feature: with it an evaluation gives weights that have not seen a log."""


def worths(
    reading: Reading, weights: Mapping[str, float] | None = None, memo: Memo | None = None
) -> list[float]:
    """Return the worth of each passage, between 0 and 1; only their order within one source has a meaning.

    `weights` by feature take the place of the built-in ones; features they do not name weigh nothing.
    `memo` as in `features_of`.
    """
    weight = _weight_of_number(weights or _weights()).__getitem__
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


def _weights() -> Mapping[str, float]:
    path = os.environ.get(VARIABLE)
    return (path and _weights_in(path)) or WEIGHTS


@lru_cache(maxsize=1)
def _weights_in(path: str) -> dict[str, float]:
    """Return the weights in a file, none where it is not one of weights: then the built-in ones count."""
    try:
        found = json.loads(read_inside(None, path) or b"")
    except (AgentProgressError, OSError, ValueError, RecursionError):
        return {}
    named = found.items() if isinstance(found, dict) else ()
    return {
        name: float(value) for name, value in named if isinstance(value, int | float) and math.isfinite(value)
    }
