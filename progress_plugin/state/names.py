"""Find the items that a text names by id: `US-7`, `Phase 2`, and a mere number with its unit, `task 3`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

MAX_RUNS = 6  # letters and digits between other characters: `US-007.1` has three
_RUN = re.compile(r"[^\W_]+")
_UNIT_NAME = r"(?:user story|story|task|feature|issue|ticket|bug|item)s?[\s#-]{0,3}"
_UNIT = re.compile(rf"{_UNIT_NAME}(?=\d)", re.IGNORECASE)
_NUMBERED_UNIT = re.compile(rf"\b{_UNIT_NAME}(\d{{1,6}}(?:\.\d{{1,4}}){{0,4}})(?![\w.])", re.IGNORECASE)
_ENDING = r"(?!\w|\.\d|-(?![A-Z]{1,6}-?\d))"  # `A1` is named by `A1-A6`, but not by `A1-b`


def fold_id(text: str) -> str:
    """Return an id without its unit and case: `Task 3`, `#3` and `3` are the same, `Phase 3` is another."""
    return _UNIT.sub("", text.strip()).strip("#*`[]() ").casefold()


def is_named(name: str, text: str) -> bool:
    """Return whether a text names an id; a number only with its unit: `task 3`."""
    if name.replace(".", "").isdigit():
        return name in _numbers_named(text)
    return re.search(rf"(?<![\w-]){re.escape(name)}{_ENDING}", text, re.IGNORECASE) is not None


@lru_cache(maxsize=1024)
def _numbers_named(text: str) -> frozenset[str]:
    return frozenset(_NUMBERED_UNIT.findall(text))


class NameIndex:
    """Finds which of many ids a text names, in the time that it takes to read the text."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for name in names:
            self._names[tuple(_RUN.findall(name.casefold()))[:MAX_RUNS]].add(name)

    def find(self, text: str) -> set[str]:
        """Return the ids that a text names."""
        runs = _RUN.findall(text.casefold())
        windows = {
            tuple(runs[start : start + length])
            for start in range(len(runs))
            for length in range(1, min(MAX_RUNS, len(runs) - start) + 1)
        }
        candidates = {name for window in windows for name in self._names.get(window, ())}
        return {name for name in candidates if is_named(name, text)}
