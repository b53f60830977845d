"""Choose the learnings to show where a setting limits them: mentions, recency, specificity.

Without `max_learnings` nothing is cut here: `summary.budget` (`fit`) and `worth.choice` choose among
learnings and all else.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.learnings.transient import is_transient
from progress_plugin.learnings.words import has_name
from progress_plugin.model.learning import Learning, LearningKind

_NEWEST = 5
"""One place in so many is kept for the newest, and three at least."""
_LEAST_NEWEST = 3
_HEAD = 0.5
"""Recency of what is in a head section: its age is unknown, but somebody thought it worth keeping."""
_ENOUGH = 120
"""Characters from which a text is not more specific for being longer."""
_LOOKED_AT = 4
"""Times the places there are: so many of the best are asked whether they last, all would cost too much."""


class Chosen(NamedTuple):
    """What is shown, and how much is not."""

    shown: tuple[Learning, ...]
    """Best first."""
    hidden: int


def choose_learnings(learnings: Sequence[Learning], limit: int) -> Chosen:
    """Return at most `limit` of merged learnings, best first, the newest always among them.

    A limit below one shows nothing.
    """
    if limit < 1:
        return Chosen((), len(learnings))
    newest = max(position for position in (0, *(learning.position for learning in learnings)))
    ranked = sorted(range(len(learnings)), key=lambda at: (-_worth(learnings[at], newest), -at))
    ranked = _lasting_first(learnings, ranked, limit)
    kept = set(_newest(learnings, min(limit, max(_LEAST_NEWEST, limit // _NEWEST))))
    for at in ranked:
        if len(kept) >= limit:
            break
        kept.add(at)
    return Chosen(tuple(learnings[at] for at in ranked if at in kept), len(learnings) - len(kept))


def _newest(learnings: Sequence[Learning], count: int) -> list[int]:
    """Return the places of the newest that last, and of the very newest even if it does not.

    Of equally new ones those count as newer that come later.
    """
    order = sorted(range(len(learnings)), key=lambda at: (-learnings[at].position, -at))
    lasting = _lasting_first(learnings, order, count)
    return [*order[:1], *(at for at in lasting if at != order[0])][:count]


def _lasting_first(learnings: Sequence[Learning], order: list[int], count: int) -> list[int]:
    """Put what only spoke of its moment after the others, among the first that come into question."""
    head, rest = order[: count * _LOOKED_AT], order[count * _LOOKED_AT :]
    passing = {at for at in head if is_transient(learnings[at].text)}
    return [at for at in head if at not in passing] + [at for at in head if at in passing] + rest


def _worth(learning: Learning, newest: int) -> float:
    """Return how much a learning deserves its place; mentions weigh most, each further one less."""
    recency = learning.position / newest if learning.position and newest else _HEAD
    return math.log2(1 + learning.mentions) + recency + _specificity(learning)


def _specificity(learning: Learning) -> float:
    """Return 0 to 1: a learning that names files or code can be acted upon."""
    named = bool(learning.files) + has_name(learning.text) + (learning.kind is not LearningKind.PATTERN)
    return 0.2 * named + 0.4 * min(1.0, len(learning.text) / _ENOUGH)
