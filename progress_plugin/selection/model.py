"""Score statements with a linear model: how likely the next agent needs each."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from progress_plugin.model.work import Statement
from progress_plugin.selection.features import find_features

WEIGHTS_FILE = Path(__file__).with_name("weights.json")


def score_statements(
    statements: Sequence[Statement], weights: Mapping[str, float] | None = None
) -> list[float]:
    """Return a score between 0 and 1 for each statement; `weights` replace the shipped ones."""
    weights = shipped_weights() if weights is None else weights
    return [
        1 / (1 + math.exp(-sum(weights.get(name, 0.0) * times for name, times in features.items())))
        for features in find_features(statements)
    ]


@cache
def shipped_weights() -> dict[str, float]:
    """Return the weights that `python -m training.selection --write` made."""
    data: dict[str, float] = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return data
