"""What a reader noticed in one plan besides its stories: contradictions and unreadable parts.

Where plan and log disagree is found in `plans.plan_log_mismatch`.
"""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.text.bounds import shortened, some_of

_LONGEST = 60


def listed(ids: Sequence[str]) -> str:
    """Return the ids as a phrase that stays short: ``US-1, US-2 and 7 more``."""
    return some_of([shortened(name, _LONGEST, "…") for name in ids])


class PlanProblems:
    """Contradictions and problems of one plan, gathered by kind so that many stories make one sentence."""

    def __init__(self) -> None:
        self._drift: dict[str, dict[str, None]] = {}
        self._problems: dict[str, dict[str, None]] = {}

    def contradiction(self, sentence: str, story: str) -> None:
        """Note that two statements of the plan about ``story`` disagree."""
        self._drift.setdefault(sentence, {})[story] = None

    def problem(self, sentence: str, story: str = "") -> None:
        """Note something that could not be read as it is, and what was done instead."""
        self._problems.setdefault(sentence, {})[story] = None

    @property
    def drift(self) -> tuple[str, ...]:
        """One sentence per kind of contradiction: ``status says done, the passes flag says no: US-1``."""
        return _sentences(self._drift)

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence per kind of problem, with the stories it concerns."""
        return _sentences(self._problems)


def _sentences(gathered: dict[str, dict[str, None]]) -> tuple[str, ...]:
    return tuple(
        f"{sentence}: {listed(named)}" if (named := [story for story in stories if story]) else sentence
        for sentence, stories in gathered.items()
    )
