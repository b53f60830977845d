"""Recognise what a learning says of one moment, which a later reader has no use for.

Such statements are under labels that teach, so they are learnings; but they are the last to be shown.
"""

from __future__ import annotations

import re

from progress_plugin.learnings.advice import is_record
from progress_plugin.text.patterns import LazyPattern

_MOMENT = LazyPattern(
    r"\bpre-?existing\b|\bunchanged\b|\b(?:not|un)[ -]?related to\b|\bsame as (?:in )?[A-Z]+-\d|"
    r"\balready (?:had|done|implemented|existed|completed?|in place|covered|handled|satisfied|met|documented|"
    r"correct|correctly|present)\b|\b(?:just|only) needed\b|\bno (?:code )?changes? (?:(?:was|were|are|is) )?"
    r"(?:needed|required|necessary)\b|"
    r"\b(?:in|for|by|during) this (?:story|task|iteration|session|change|run)\b|"
    r"\b(?:will be|to be) (?:used|added|created|implemented|done|wired|extended) (?:by|in|for) (?:US-|story|"
    r"later|future|the next|a (?:later|future)|[A-Z]+-\d)|\b(?:future|later|next|upcoming) (?:stor(?:y|ies)|"
    r"tasks?|iterations?) (?:will|can|should)\b|\bprogress\.(?:txt|md)\b|"
    r"\b(?:is|are) (?:now |very |all )?(?:\d+ lines|clean|documented|complete)\b|"
    r"\bverified (?:at|by|in|with)\b|^\W*All \d+ |未改动|无需改动|変更なし|변경 없음",
    re.IGNORECASE,
)
_PAST = frozenset({"was", "were", "had"})
_EARLY = 8
"""Words within which a sentence about the past has its verb."""
_PRESENT = LazyPattern(
    r"\b(?:must|should|never|always|don't|do not|need(?:s|ed)? to|requires?|use|keep|so|otherwise|because|"
    r"instead)\b",
    re.IGNORECASE,
)


def is_transient(text: str) -> bool:
    """Return whether a learning only says what the state was, or what was done, when it was written."""
    if _MOMENT.search(text) or is_record(text):
        return True
    return not _PAST.isdisjoint(text.split(maxsplit=_EARLY)[:_EARLY]) and not _PRESENT.search(text)
