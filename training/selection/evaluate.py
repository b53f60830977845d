"""Measure how many of the needs of some projects their summaries state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from progress_plugin.config.settings import Settings
from progress_plugin.summary.make_summary import make_summary
from training.selection.cases import Case, stated_needs

Weights = Mapping[str, float]


@dataclass(frozen=True)
class Result:
    """How much the summaries of some cases state."""

    recall: float
    by_kind: dict[str, float]
    median_characters: int

    def __str__(self) -> str:
        """Return one line."""
        kinds = " ".join(f"{kind} {share:.2f}" for kind, share in sorted(self.by_kind.items()))
        return f"{self.recall:.3f}  {kinds}  median {self.median_characters} characters"


def evaluate(cases: Sequence[Case], weights: Mapping[str, Weights], tokens: int) -> Result:
    """Return how much summaries of `tokens` state; `weights` has the weights for each case by its name."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    sizes = []
    for case in cases:
        settings = Settings(max_context_tokens=tokens)
        summary = make_summary(case.facts, settings, weights=weights.get(case.name)).text
        sizes.append(len(summary))
        for need, is_stated in zip(case.needs, stated_needs(case.needs, summary), strict=True):
            hits[need.kind] += is_stated
            totals[need.kind] += 1
    return Result(
        sum(hits.values()) / totals.total(),
        {kind: hits[kind] / total for kind, total in totals.items()},
        sorted(sizes)[len(sizes) // 2],
    )
