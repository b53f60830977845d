"""What a log says that it is at: its focus, its status, where somebody stopped, what it waits for.

What blocks it, what comes next, and which passages are of the present is found in `passages.stated_status`.

A sentence that says that work waits opens no blocker: "waiting for" is said of code as often. But where there
is one, no summary says that nothing is in the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import ALL_MARKS, DONE_MARKS, parse_status
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.passages.sentences import in_own_words
from progress_plugin.text.blocker_words import holds, says_nothing
from progress_plugin.text.labels import plain, split_label, undecorated, unemphasised
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, section_of

_FOCUS = LazyPattern(
    r"(?:my |our |the )?(?:current(?:ly)? |active |main |present |ongoing |immediate )?(?:work )?"
    r"(?:focus|work|task|goal|story|activity)(?: areas?)?$|"
    r"(?:current(?:ly)? )?work(?:ing on)?$|what (?:we are|we're|i am|i'm) (?:working on|doing)(?: now)?$|"
    r"in[ -]progress$|wip$|フォーカス|焦点|重点|фокус|foco\b|enfoque\b|schwerpunkt|fokus"
)
_BARE = LazyPattern(r"(?:work|task|goal|story|activity)$")
"""What a section may have, too, that is not about the present."""
_STOPPED = LazyPattern(r"stopped at$|left off(?: at)?$|resume (?:at|here|from)$|current session$")
_STANDING = LazyPattern(
    r"(?:current |project |overall |present )*(?:status|state|position|situation|phase)$|"
    r"where (?:we|i|it|things|this|work) (?:are|am|is|stands?|left off|stopped)(?: now)?$|"
    r"状态$|狀態$|状況$|状態$|상태$|статус$|estado(?: actual| atual)?$|stand$"
)
_OF_ALL = LazyPattern(r"(?:(?:current|overall|project|total) )*(?:status|state|progress)$")
_COUNT_OF_ALL = LazyPattern(
    r"\W{0,3}\d{1,5} ?(?:/|of) ?\d{1,5} (?:\w+ )?(?:features|stories|tasks|phases|milestones)\b",
    re.IGNORECASE,
)
"""A count of what a project is made of: checks and tests are those of an entry."""
_MAY_COUNT = LazyPattern(r"\d ?(?:/|of) ?\d", re.IGNORECASE)
"""What is in every text with such a count, and in hardly another: looked for first."""
_ANNOUNCED = frozenset({SectionKind.BLOCKED, SectionKind.NEXT})
_CLEAR = 18
"""Characters from which a sentence says by itself what waits: `Blocked on (1).` does not."""
_STOPPED_AT = 1
"""Rank of what says where somebody stopped: it completes focus or status, and keeps its label."""
_AS_IT_IS = 2
"""Rank of what is called status."""
_SHOWN = 3
"""Statements of focus that are shown."""
_WAITS = LazyPattern(
    r"(?i:\bblocked (?:\w+ly )?(?:on|until|pending)\b|\b(?:remains?|still) blocked\b|"
    r"\bon hold\b|\bgate[sd] on (?!\w+ing\b)|"
    r"\bwait(?:s|ing) (?:for|on) (?:(?:the|a|an) )?(?:\w+ )?(?:users?|owners?|humans?|reviewers?|"
    r"approval|review|decision|go-ahead|release|credentials?|access|hardware|answer|confirmation|keys?)\b|"
    r"\bneeds? (?:(?:a|an|the) )?(?:\w+ ){0,2}?(?:go-ahead|decision|approval|credentials?|sign-off)\b)|"
    r"\bHOLD\b"
)
"""Says that work waits for something that whoever does it cannot do."""
_BARRED = LazyPattern(
    r"\b(?:cannot|can't|can not|(?:do not|don't|must not) (?:start|begin|merge|push|proceed))\b.{0,80}"
    r"\buntil\b",
    re.IGNORECASE,
)
"""The same, of a program as often: counts where the state of the work is told."""
_NOT = LazyPattern(
    r"\b(?:not|neither|nor|no longer|never|was|were)\b[^.;]{0,30}\b(?:blocked|waiting|gated)", re.IGNORECASE
)
_ALL_DONE = LazyPattern(
    r"\W*(?:all|every|everything)\b.{0,40}\b(?:complete[d]?|done|finished|pass(?:es|ing))\b", re.IGNORECASE
)
_OF_SESSION = LazyPattern(
    r"\W*(?:the )?(?:session|run|iteration)\b(?: \w+){0,3}? "
    r"(?:terminated|ended|started|completed?|timed out|closed)\b",
    re.IGNORECASE,
)
"""A status that is that of a session, not of the work."""
_STATE_REMARK = LazyPattern(r"\([A-Z]{2,20}\)$")
_SENTENCES = LazyPattern(r"(?<=[.!?;])\s+")
_BOX = LazyPattern(r"\[.\]\s+")
_BEFORE_WORDS = "".join(mark for mark in ALL_MARKS if mark not in DONE_MARKS) + "\ufe0f "
ANNOUNCED = frozenset({SectionKind.BLOCKED, SectionKind.NEXT})
_OF_ITS_STATE = frozenset({SectionKind.NEXT, SectionKind.STATUS})
_NOT_SAID = frozenset({Form.DONE, Form.CODE, Form.QUOTE})


def focus_of(passages: Sequence[Passage], first_entry: int = 0) -> list[Passage]:
    """Return what is called focus, else what is called status, and in either case where somebody stopped.

    `first_entry` is the line of the first entry, 0 where there is none: a bare `Goal:` below that is one of
    a section between entries, as old as they are.
    """
    ranked: dict[int, list[Passage]] = {}
    for passage, (name, text) in zip(passages, named(passages), strict=True):
        rank = _rank(name)
        if rank is None or passage.section in _ANNOUNCED:
            continue
        if 0 < first_entry < passage.line and _BARE.match(name):
            continue
        if _says_how_it_is(text) if rank == _AS_IT_IS else holds(text):
            ranked.setdefault(rank, []).append(passage)
    stopped = ranked.pop(_STOPPED_AT, [])
    if not ranked:
        return stopped[:_SHOWN]
    labelled = [each for each in stopped if key_of(split_label(each.text)[0])]
    return [*ranked[min(ranked)][: _SHOWN - 1], *labelled][:_SHOWN]


def counts_of_all(passages: Iterable[Passage]) -> list[Passage]:
    """Return the statements on how far all the work was, the newest last: `Status: 9/12 features done`."""
    told = (each for each in passages if each.entry and each.form is not Form.ROW)
    # What has a label has a colon or marks of emphasis, and few texts that do have a count.
    found = (
        each
        for each in told
        if (":" in each.text or "*" in each.text or "_" in each.text or not each.text.isascii())
        and _MAY_COUNT.search(each.text)
        and _counts_all(*split_label(each.text))
    )
    return sorted(found, key=lambda each: (each.entry, each.line))


def _counts_all(name: str, text: str) -> bool:
    return bool(_COUNT_OF_ALL.match(text) and _OF_ALL.match(key_of(name)))


def named(passages: Iterable[Passage]) -> list[tuple[str, str]]:
    """Return what each statement is under, its own label first, in lower case, and the statement."""
    found = []
    for passage in passages:
        name, rest = split_label(passage.text) if passage.form is not Form.ROW else ("", "")
        key = key_of(name) if name and rest else ""
        rank = _rank(key) if key else None
        if rank is None:
            found.append((key_of(passage.label), passage.text))
        else:
            found.append((key, f"{key}: {rest}" if rank == _STOPPED_AT or key.endswith("phase") else rest))
    return found


def _rank(name: str) -> int | None:
    for rank, pattern in enumerate((_FOCUS, _STOPPED, _STANDING)):
        if pattern.match(name) or (not name.isascii() and pattern.search(name)):
            return rank
    return None


def key_of(label: str) -> str:
    """Return a label in lower case, without marks and remarks."""
    return undecorated(plain(label)).casefold().partition("(")[0].strip(" :：.!-–—*")


def _says_how_it_is(text: str) -> bool:
    """Return whether a statement of the status says more than a status word; what is done is status, too."""
    if not any(map(str.isalnum, text)) or _OF_SESSION.match(text):
        return False
    bare = _STATE_REMARK.sub("", text).rstrip()  # `COMPLETE (ARCHIVED)` says no more than `COMPLETE`
    return not says_nothing(text) and parse_status(bare) is None


def unless_all_done(focus: Sequence[Passage]) -> list[Passage]:
    """Return a focus without what calls everything done: that is older than what says that work waits."""
    told = zip(focus, named(focus), strict=True)
    return [each for each, (_, text) in told if each.entry or not _ALL_DONE.match(text)]


def statement_of_waiting(passages: Iterable[Passage]) -> Cited | None:
    """Return the first sentence about the work that says what it waits for; `passages` are those of now."""
    for passage in passages:
        told = passage.section in _OF_ITS_STATE
        if (told or passage.section is None) and passage.form not in _NOT_SAID:
            for sentence in _SENTENCES.split(unemphasised(passage.text)):
                own = in_own_words(sentence)
                if (_WAITS.search(own) or (told and _BARRED.search(own))) and not _NOT.search(own):
                    text = sentence if len(sentence) >= _CLEAR else unemphasised(passage.text)
                    return Cited(text.rstrip(" .;"), Origin(passage.source, passage.line, passage.last))
    return None


def without_label(passage: Passage) -> str:
    """Return a statement without the label that only says what it is."""
    name, rest = split_label(passage.text)
    announces = name and rest and section_of(name) in ANNOUNCED
    text = _BOX.sub("", rest if announces else passage.text, count=1)
    return text.lstrip(_BEFORE_WORDS)
