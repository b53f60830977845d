"""With which earlier one each learning was merged, remembered as long as those before it are the same.

It is found by comparing each learning with all before it that share rare words, so of a history that has
grown only the new ones have to be compared.
"""

from __future__ import annotations

import marshal
from collections.abc import Collection, Sequence
from functools import partial

from progress_plugin.core.files import content_digest
from progress_plugin.core.memo import Memo
from progress_plugin.model.learning import Learning, LearningKind

_STEP = 64
"""Learnings after which there is a state that can be gone on from; there is one after the last, too."""
_PARTS = (1, 2, 4)
"""Where something new comes among older learnings, what is before it still holds."""
_WITHOUT_REFERENCES = 2
"""The format of `marshal` in which equal values are written alike."""
_NAME = f"{__name__}.places"


class MergeSteps:
    """Where the first of some learnings went when they were merged before.

    `common` are the words that distinguish nothing; which these are depends on all learnings.
    """

    def __init__(
        self, ordered: Sequence[Learning], common: Collection[str], settled: int, memo: Memo
    ) -> None:
        self._memo = memo
        self._keys = _keys(ordered, common, settled)
        self.known: Sequence[int] = ()
        """For each of the first learnings the number of its group."""
        known = next((key for key in reversed(self._keys) if memo.knows(_NAME, key)), None)
        if known is not None:
            self.known = memo.of_key(_NAME)(known, "", tuple)

    def keep(self, places: Sequence[int]) -> None:
        """Remember where learnings went, as far as a later process can go on from: from all, or from half."""
        remembered = self._memo.of_key(_NAME)
        whole = [key for key in self._keys if key[0] % _STEP == 0]  # these are the same while more is added
        for key in {*self._keys[-1:], *(whole[(len(whole) - 1) // part] for part in _PARTS if whole)}:
            remembered(key, "", partial(tuple, places[: key[0]]))


def _keys(ordered: Sequence[Learning], common: Collection[str], settled: int) -> list[tuple[int, str]]:
    """Return for every `_STEP` learnings and for all how many, and a digest of what merging them looks at."""
    keys = []
    digest = content_digest(marshal.dumps((sorted(common), settled), _WITHOUT_REFERENCES))
    for start in range(0, len(ordered), _STEP):
        part = ordered[start : start + _STEP]
        looked_at = (
            "".join(each.text for each in part),
            [len(each.text) for each in part],
            [each.position for each in part],
            [each.kind is LearningKind.DEPENDENCY for each in part],
        )
        digest = content_digest(digest + marshal.dumps(looked_at, _WITHOUT_REFERENCES))
        keys.append((start + len(part), digest.decode()))
    return keys
