"""Measure what contexts tell: with weights that have not seen the log, and by pieces of the log alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from progress_plugin.summary.tokens import estimate
from progress_plugin.worth.score import worths
from training.cases import KINDS, UNITS, Case, told
from training.context import context_of
from training.fit import Examples, fit

SIZES = (0.8, 0.9, 1.0, 1.1, 1.2)
"""Sizes of contexts, for a figure that hangs less on where one line fell out."""
BASELINES: dict[str, Callable[[str, int], str]] = {
    "tail": lambda text, size: text[-size:] if size else "",
    "head": lambda text, size: text[:size],
    "both": lambda text, size: f"{text[: size // 2]}\n{text[-(size // 2) :]}" if size > 1 else "",
}


class Result(NamedTuple):
    """What contexts tell of the facts of some logs."""

    recall: float
    kinds: dict[str, float]
    logs: dict[str, tuple[int, int]]
    """Facts told and facts in all, by log."""

    def __str__(self) -> str:
        """Return one line."""
        kinds = " ".join(f"{kind} {share:.2f}" for kind, share in self.kinds.items())
        below = sum(2 * told_ < all_ for told_, all_ in self.logs.values())
        return f"{self.recall:.3f}  {kinds}  logs under a half: {below} of {len(self.logs)}"


def unseen(examples: Sequence[Examples], folds: int = 0) -> dict[str, dict[str, float]]:
    """Return for each log weights that have not seen it: of all others, or of the other folds."""
    number = folds or len(examples)
    found = {}
    for fold in range(number):
        held = examples[fold::number]
        weights = _without(examples, held)
        found.update({each.name: weights for each in held})
    return found


def _without(examples: Sequence[Examples], held: Sequence[Examples]) -> dict[str, float]:
    names = {each.name for each in held}
    return fit([each for each in examples if each.name not in names])


def score(cases: Sequence[Case], context: Callable[[Case], str]) -> Result:
    """Return what contexts tell."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    logs = {}
    for case in cases:
        answers = told(case.facts, context(case))
        logs[case.name] = (sum(answers), len(answers))
        for fact, answer in zip(case.facts, answers, strict=True):
            hits[fact.kind] += answer
            totals[fact.kind] += 1
    kinds = {kind: hits[kind] / totals[kind] for kind in KINDS if totals[kind]}
    return Result(sum(hits.values()) / max(1, sum(totals.values())), kinds, logs)


def chosen(cases: Sequence[Case], weights: Mapping[str, Mapping[str, float]], size: float = 1.0) -> Result:
    """Return what our contexts tell, each log with the weights given for its name."""
    return score(cases, lambda case: context_of(case, worths(case.reading, weights[case.name]), size))


def baseline(cases: Sequence[Case], kind: str) -> Result:
    """Return what a piece of each log tells, as large as a context may be."""
    return score(cases, lambda case: _cut(case, BASELINES[kind]))


def _cut(case: Case, piece: Callable[[str, int], str]) -> str:
    low, high = 0, min(UNITS, len(case.text))
    while low < high:
        size = (low + high + 1) // 2
        low, high = (size, high) if estimate(piece(case.text, size)) <= case.limit else (low, size - 1)
    return piece(case.text, low)
