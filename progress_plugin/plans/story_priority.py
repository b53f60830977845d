"""In which order a plan wants its stories begun, where it says so of every open one.

Numbers: the least first, as in Ralph's prd.json (``"priority": 1``), in beads (0 to 4), in ``P0`` to ``P4``.
Words: as in Task Master (``high``, ``medium``, ``low``), where a story without one is ``medium``. A plan that
mixes both, leaves numbers out, or counts down from more than 5 (more is then worth more, and the file is in
order already) says no order but that of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from progress_plugin.model.status import FINISHED
from progress_plugin.model.story import Story
from progress_plugin.plans.json_fields import JsonRecord
from progress_plugin.text.patterns import LazyPattern

_MEDIUM = 2.0
_WORDS = {
    "critical": 0.0, "urgent": 0.0, "highest": 0.0, "blocker": 0.0,
    "high": 1.0, "medium": _MEDIUM, "normal": _MEDIUM, "moderate": _MEDIUM, "low": 3.0, "lowest": 4.0,
}  # fmt: skip
_SCALE = 5
"""The largest number of a scale of urgency: larger ones count stories, or their worth."""
_LARGEST = 10**6
_NUMBER = LazyPattern(r"[Pp]?(\d{1,6}(?:\.\d{1,6})?)")


def in_order(stories: Sequence[Story], records: Sequence[JsonRecord]) -> tuple[Story, ...]:
    """Return the stories of a plan with their priorities; `records` are what each was read from."""
    ranks = _ranks([record.get("priority") for record in records])
    left = [rank for rank, story in zip(ranks, stories, strict=True) if story.status not in FINISHED]
    if None in left or len(set(left)) < 2:  # noqa: PLR2004 - nothing to order
        return tuple(stories)
    return tuple(story._replace(priority=rank) for story, rank in zip(stories, ranks, strict=True))


def _ranks(given: Sequence[Any]) -> list[float | None]:
    words = [_WORDS.get(value.strip().casefold()) if isinstance(value, str) else None for value in given]
    if any(word is not None for word in words):
        return [_MEDIUM if value is None else word for word, value in zip(words, given, strict=True)]
    ranks = [_number(value) for value in given]
    numbers = [rank for rank in ranks if rank is not None]
    counts_down = numbers == sorted(numbers, reverse=True) and max(numbers, default=0.0) > _SCALE
    return [None] * len(ranks) if counts_down else ranks


def _number(value: Any) -> float | None:
    """Return a priority that is a number, written as one or as text (`P1`); None for any other."""
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value.strip())
        return float(found[1]) if found else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -_LARGEST < value < _LARGEST else None  # NaN is not, either
