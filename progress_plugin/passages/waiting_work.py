"""What a log says in a sentence to be in the way, where it lists no blockers (S18.6).

Listed blockers are found by `passages.stated_status`. A sentence opens none: "waiting for" is said of code
as often. But where one says that the work waits, no summary says that nothing is in the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from progress_plugin.model.origin import Cited, Origin
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.passages.sentences import in_own_words
from progress_plugin.text.section_names import SectionKind

_WAITS = re.compile(
    r"(?i:\bblocked (?:\w+ly )?(?:on|until|pending)\b|\bon hold\b|\bgate[sd] on (?!\w+ing\b)|"
    r"\bwait(?:s|ing) (?:for|on) (?:(?:the|a|an) )?(?:\w+ )?(?:users?|owners?|humans?|reviewers?|"
    r"approval|review|decision|go-ahead|release|credentials?|access|hardware|answer|confirmation|keys?)\b|"
    r"\bneeds? (?:(?:a|an|the) )?(?:\w+ ){0,2}?(?:go-ahead|decision|approval|credentials?|sign-off)\b)|"
    r"\bHOLD\b"
)
"""Says that work waits for something that whoever does it cannot do."""
_BARRED = re.compile(
    r"\b(?:cannot|can't|can not|(?:do not|don't|must not) (?:start|begin|merge|push|proceed))\b.{0,80}"
    r"\buntil\b",
    re.IGNORECASE,
)
"""The same, of a program as often: counts where the state of the work is told."""
_NOT = re.compile(
    r"\b(?:not|neither|nor|no longer|never|was|were)\b[^.;]{0,30}\b(?:blocked|waiting|gated)", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_OF_ITS_STATE = frozenset({SectionKind.NEXT, SectionKind.STATUS})
_NOT_SAID = frozenset({Form.DONE, Form.CODE, Form.QUOTE})


def statement_of_waiting(passages: Iterable[Passage]) -> Cited | None:
    """Return the first sentence about the work that says what it waits for; `passages` are those of now."""
    for passage in passages:
        told = passage.section in _OF_ITS_STATE
        if (told or passage.section is None) and passage.form not in _NOT_SAID:
            for sentence in _SENTENCES.split(passage.text.replace("**", "")):
                own = in_own_words(sentence)
                if (_WAITS.search(own) or (told and _BARRED.search(own))) and not _NOT.search(own):
                    return Cited(sentence.rstrip(" .;"), Origin(passage.source, passage.line, passage.last))
    return None
