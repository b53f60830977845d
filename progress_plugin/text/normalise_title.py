"""Titles compared: the words of one, however they are set (S11.3).

When two stories are the same one is decided in `plans.plan_and_story_identity` (`story_key`, `story_named`).
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=4096)  # each title is compared by attribution, drift, history and choice
def normalised(text: str) -> str:
    """Return the words of a title in lower case, single spaces between: equal titles are equal so (S11.3)."""
    return " ".join(_WORD.findall(text)).casefold()
