"""Group learnings that share a subject under a short label.

A subject is a name: of a file, of something in code, of a tool or a technology. Ordinary words are none,
however often they occur: `Cleanup`, `Format` and `Child` say nothing to a reader.
"""

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.subjects import Subject, mentions, subjects_of
from progress_plugin.model.learning import Learning
from progress_plugin.text.patterns import LazyPattern

FEWEST_SHOWN = 8
"""With fewer learnings a label costs more than it helps."""
_SMALLEST = 2
_LARGEST_SHARE = 0.6
"""A subject of more than this share of all distinguishes nothing: the project itself, its root folder."""
_LEAD = 48
"""Characters from the beginning within which a learning says what it is about."""
_WORD = LazyPattern(r"[^\W_]+")


class Topic(NamedTuple):
    """Learnings under one label; without label those that share no subject, which come first."""

    label: str | None
    learnings: tuple[Learning, ...]


def topics(learnings: Sequence[Learning], project: str = "", memo: Memo | None = None) -> list[Topic]:
    """Group the learnings of one kind, in the order given; the caller decides whether enough are shown.

    What names the project is no subject. `memo` remembers from one process to the next what texts name.
    """
    own = {word.casefold() for word in _WORD.findall(project)} | {project.casefold()}
    subjects = [each for each in subjects_of(learnings, memo) if each.key not in own]
    lowered = [f"{each.text.lower()}\n{' '.join(each.files).casefold()}" for each in learnings]
    weights = {each: _weights(each, learnings, lowered) for each in subjects}
    left = list(range(len(learnings)))
    found: list[Topic] = []
    while (subject := _most_shared(left, weights, len(learnings))) is not None:
        members = [at for at in left if weights[subject][at]]
        left = [at for at in left if not weights[subject][at]]
        found.append(Topic(subject.label, tuple(learnings[at] for at in members)))
    if left:
        found.insert(0, Topic(None, tuple(learnings[at] for at in left)))
    return found


def _weights(subject: Subject, learnings: Sequence[Learning], lowered: Sequence[str]) -> list[int]:
    """Return for each learning 0 if it does not name the subject, 2 if it begins with it, else 1.

    `lowered` is what each says and its files, in small letters: of hundreds of subjects most are in few.
    """
    places = [
        mentions(subject, learning) if subject.key in words else None
        for learning, words in zip(learnings, lowered, strict=True)
    ]
    return [0 if place is None else 2 if place <= _LEAD else 1 for place in places]


def _most_shared(left: list[int], weights: dict[Subject, list[int]], total: int) -> Subject | None:
    """Return the subject that says most of what is left; of equal ones the most specific."""
    largest = max(_SMALLEST, int(total * _LARGEST_SHARE))
    best, score = None, 0
    for subject, weight in weights.items():
        own = [weight[at] for at in left if weight[at]]
        worth = sum(own) * subject.weight
        if _SMALLEST <= len(own) <= largest and max(own) > 1 and worth > score:
            best, score = subject, worth
    return best
