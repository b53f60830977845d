"""Group learnings that share a subject under a short label (S7.5)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.learnings.words import names_in, words_of
from progress_plugin.model.learning import Learning

FEWEST_SHOWN = 8
"""With fewer learnings a label costs more than it helps."""
_SMALLEST = 2
_LARGEST_SHARE = 0.6
"""A subject of more than this share of all tells nothing apart."""
_NO_SUBJECTS = (
    "file files code line lines function method class type value name default case way time set run call "
    "check pattern rule new existing current story note work first last multiple different based correct "
    "handle support add create return pass contain include require ensure allow follow provide show keep "
    "change update avoid must never cannot every without before after instead true false none null import "
    "export data"
)
_NO_SUBJECT = frozenset(_NO_SUBJECTS.split())
_WORD = re.compile(r"[A-Za-z][\w+#.-]*[\w+#]|[^\W\d_]{2,}")
_LONGEST_LABEL = 28


class Topic(NamedTuple):
    """Learnings under one label; without label those that share no subject, at the end."""

    label: str | None
    learnings: tuple[Learning, ...]


def topics(learnings: Sequence[Learning]) -> list[Topic]:
    """Group the learnings of one kind, in the order given; the caller decides whether enough are shown."""
    left = list(range(len(learnings)))
    labels: dict[str, str] = {}
    subjects = [_subjects(learning, labels) for learning in learnings]
    found: list[Topic] = []
    while (key := _most_shared(left, subjects, len(learnings))) is not None:
        members = [at for at in left if key in subjects[at]]
        left = [at for at in left if key not in subjects[at]]
        found.append(Topic(labels[key], tuple(learnings[at] for at in members)))
    if left:
        found.append(Topic(None, tuple(learnings[at] for at in left)))
    return found


def _subjects(learning: Learning, labels: dict[str, str]) -> dict[str, int]:
    """Return the possible subjects of a learning with their weight; `labels` learns how each is written."""
    found: dict[str, int] = {}
    for path in learning.files:
        name = path.rsplit("/", 1)[-1]
        _note(found, labels, name.lower(), f"`{name}`", 3)
    for name in names_in(learning.text):
        _note(found, labels, name.lower(), f"`{name}`", 3)
    for place, word in enumerate(_WORD.findall(learning.text)):
        stem = min(words_of(word), default="")  # a set: its first one would differ from run to run
        if len(stem) > _SMALLEST and stem not in _NO_SUBJECT and word.lower() not in _NO_SUBJECT:
            proper = not word.islower() and (place > 0 or not word.istitle())
            _note(found, labels, stem, word if proper else word.capitalize(), 2 if proper else 1)
    return found


def _note(found: dict[str, int], labels: dict[str, str], key: str, label: str, weight: int) -> None:
    if len(label) <= _LONGEST_LABEL:
        found[key] = max(weight, found.get(key, 0))
        labels.setdefault(key, label)


def _most_shared(left: list[int], subjects: list[dict[str, int]], total: int) -> str | None:
    """Return the subject that groups the most of what is left; of equal ones the most telling."""
    counts: dict[str, int] = defaultdict(int)
    weights: dict[str, int] = {}
    for at in left:
        for key, weight in subjects[at].items():
            counts[key] += 1
            weights[key] = max(weight, weights.get(key, 0))
    largest = max(_SMALLEST, int(total * _LARGEST_SHARE))
    fit = [key for key, count in counts.items() if _SMALLEST <= count <= largest]
    return min(fit, key=lambda key: (-counts[key] * weights[key], key), default=None)
