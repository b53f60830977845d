"""What an entry says against its being finished: what blocks it, open boxes, that it is not finished.

It counts where neither heading nor fields give a status (`authored.entry_body`, `status_of_entry`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from progress_plugin.authored.dates import find_date
from progress_plugin.authored.entry import AuthoredEntry
from progress_plugin.authored.heading import read_heading
from progress_plugin.model.status import Status, parse_box, parse_status
from progress_plugin.text.blocker_words import (
    BEGINS_OVER,
    ENDED,
    OVER,
    holds,
    is_blocked_box,
    is_marked_blocked,
    subjects_of_blocker,
    subjects_of_end,
)
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.markdown import ITEM, LABEL, QUOTE, ROW, TEXT, Block, MarkdownDocument
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind

_BLOCKER = LazyPattern(
    r"(?:(?:still|currently|current|open|active|external|remaining|outstanding|known) )?"
    r"(?:blockers?|blocked(?: (?:by|on))?|blocking(?: issues?)?|a?waiting(?: (?:on|for))?)|"
    r"(?:blockiert|bloqu|geblok|blocca|zablok|blokk|blockera)[^\W\d_]*(?: \w+)?|[^a-z]*[^\x00-\x7f].*",
    re.IGNORECASE,
)
"""Labels under which the entry's own work is blocked: `Potential blockers` and `Blocked tasks` are others."""
_MARKED = LazyPattern(r"\W{0,4}(?:(?:BLOCKED|Blocked)\W*\s[-–—]+\s+|BLOCKED (?=by|on|until|pending))(?=\w)")
"""`BLOCKED - the key is missing`: in lower case it is what a program does."""
_UNFINISHED = LazyPattern(
    r"\W{0,4}(?:not (?:yet |quite )?(?:finished|completed?)|unfinished|incomplete)"
    r"\W{0,2}(?:[:–—]|\s-\s|,|$)\W*",
    re.IGNORECASE,
)
_OF_UNFINISHED = ("half", "work", "still", "left to do", "finished", "yet", "no idea why", "not done")
"""One of these is in what the next pattern finds."""
_TELLS_UNFINISHED = LazyPattern(
    r"(?:^|[.!?;:,—–-] |\*\* )\W{0,3}(?:"
    r"(?:only |about )?half[- ](?:done|finished|way)\b|"
    r"(?:(?:but|and|so|it|this|that) ){0,2}(?:still )?(?:does(?: not|n[’']t) (?:yet )?work|"
    r"is(?: not|n[’']t) working)(?: (?:yet|at all|so far))?(?=\s*(?:[.:;,!—–-]|$))|"
    r"(?:(?:it|this|that|but) ){0,2}(?:is )?(?:not (?:yet )?(?:done|finished|completed?)|unfinished)(?: yet)?"
    r"(?=\s*(?:[.:;,!—–-]|$))|"
    r"left to do\b(?! ?: ?(?:nothing|none))[^.:]{0,40}:|"
    r"(?:but|although|though|only) (?:the )?(?:[\w'-]+ ){1,6}(?:is|are) "
    r"(?:still (?:missing|broken|failing|open|to do|not \w+)|not (?:done|finished|working|there) yet)\b)|"
    r"\b(?:I|we) (?:still )?have no idea why\b",
    re.IGNORECASE,
)
"""A sentence, or its end, by which work is not done: `Half done.`, `…, but the mail is still missing`."""
_DONE = r"(?:implemented|built|written|finished|done|completed?|wired|in place)"
_UNDONE = LazyPattern(
    rf"\b(?:is|are) (?:not yet|still not) {_DONE}\b|\b(?:is|are) not {_DONE} yet\b|"
    r"\bnoch nicht (?:fertig|gemacht|umgesetzt|implementiert|eingebaut|geschrieben|erledigt)\b|"
    r"まだ[^。]{0,12}(?:ない|ません)",
    re.IGNORECASE,
)
"""A part of the work that is not done: beside a next step it says so of the entry, by itself of anything."""
_SINCE_DONE = LazyPattern(
    r"\b(?:now (?:it )?works?|works now|(?:now|since|later|then) (?:\w+ )?"
    r"(?:fixed|solved|resolved|done|finished)|"
    r"(?:fixed|solved|resolved) (?:it|this|that|now|by))\b|(?:^|[.!?] )(?:fixed|solved|resolved)\b",
    re.IGNORECASE,
)
_BEGAN = LazyPattern(r"(?:work )?started(?: (?:work|on|with))?", re.IGNORECASE)
_ENDED = LazyPattern(r"(?:work )?(?:completed|finished|done|ended)\b.*", re.IGNORECASE)
"""Labels below which it says what was begun, and that it was brought to an end."""
_WORD = LazyPattern(r"(?<!\w)[^\W\d_]{3,}")
_PROSE = frozenset({TEXT, LABEL})
_OF_PROSE = frozenset({None, SectionKind.WORK, SectionKind.TASK, SectionKind.STATUS, SectionKind.NOTES})
"""Sections whose paragraphs tell how the work stands."""
_OF_OTHERS = frozenset({*TEACHING, SectionKind.FILES, SectionKind.CHECKS, SectionKind.NEXT})
"""Sections in which a blocker is that of a check or of what comes later, or teaches."""
_OF_TIME = frozenset({SectionKind.DATE, SectionKind.WORK})
"""What labels such as `Started` and `Completed` announce: a date, or the work."""
_OF_WORK = frozenset({None, SectionKind.WORK, SectionKind.TASK, SectionKind.STATUS})
"""Sections whose boxes are parts of the work."""
_MENDED = LazyPattern(
    r"\b(?:now|since|later|then|meanwhile|was|were|got|been) (?:\w+ )?"
    r"(?:resolved|fixed|solved|unblocked|cleared)\b|"
    r"\b(?:was|were) (?:\w+ )?(?:down|missing|unavailable|broken|flaky|slow|failing|wrong|unclear|blocked)\b",
    re.IGNORECASE,
)
_LONGEST_STATUS = 24
"""Characters of an item that may be a status: `Done`."""
_BEGINS_NOTHING = frozenset({"", "[", *"acdefghjklmopqrstvwxyzACDEFGHJKLMOPQRSTVWXYZ"})
"""How a text begins in which none of these patterns finds anything."""
_NUMBER = "0123456789."
_NOT = LazyPattern(r"\bnot (?:yet )?\w+\b")


def tells_unfinished(text: str) -> bool:
    """Return whether a sentence of a paragraph says that work is not done, and none after it that it is."""
    if not any(map(text.casefold().__contains__, _OF_UNFINISHED)):
        return False
    found = _TELLS_UNFINISHED.search(text)
    return found is not None and not _SINCE_DONE.search(text, found.end())


def calls_done(text: str) -> bool:
    """Return whether a short text that says done says it of all: `Done`, `✅`, but not `✅ the pipe`."""
    words = undecorated(plain(text))
    return parse_status(words) is Status.DONE or not any(map(str.isalnum, words))


class Hindrances:
    """Collects, block by block, what an entry says against its being finished."""

    __slots__ = (
        "_blockers",
        "_boxes",
        "_has_next",
        "_is_begun",
        "_is_called_done",
        "_is_ended",
        "_is_partly_undone",
        "_is_unfinished",
        "_scopes",
    )

    def __init__(self) -> None:
        self._blockers: list[tuple[int, str]] = []
        """Index of the block, and what it says."""
        self._scopes: set[int] = set()
        """Blocks under which there are blockers."""
        self._boxes: dict[int, set[Status]] = {}
        """By index of what a list is under, what its boxes say."""
        self._is_unfinished = False
        self._is_partly_undone = self._has_next = False
        """Whether something is not done yet, and whether it says what comes next."""
        self._is_called_done = False
        self._is_begun = self._is_ended = False
        """Whether an item says what was begun, and one that something was brought to an end."""

    def take(  # noqa: PLR0913, PLR0917 - what a block is, and what it is under
        self,
        index: int,
        block: Block,
        inherited: SectionKind | None,
        section: SectionKind | None,
        name: str,
        rest: str,
    ) -> None:
        """Look at one block; `section` is what its own label announces."""
        self._has_next |= SectionKind.NEXT in (section, inherited)
        if inherited in _OF_OTHERS or block.kind in (ROW, QUOTE):
            return
        self._is_partly_undone |= (
            section is None and not block.level and _UNDONE.search(block.text) is not None
        )
        own = section is SectionKind.BLOCKED and _BLOCKER.fullmatch(plain(name)) is not None
        if own or (block.parent in self._scopes and section in (None, SectionKind.BLOCKED)):
            self._scopes.add(index)
            said = "" if block.level else rest if own else block.text
            if said and holds(said) and not OVER.match(block.text):
                self._blockers.append((index, plain(undecorated(said))))
        elif name and rest and section in _OF_TIME:
            self._is_ended |= _ENDED.fullmatch(name) is not None
            self._is_begun |= _BEGAN.fullmatch(name) is not None and _tells_work(rest)
        elif block.text[:1] == "[" and block.text[2:3] == "]":
            self._take_box(index, block, inherited)
        elif block.kind in _PROSE and inherited in _OF_PROSE and tells_unfinished(block.text):
            self._is_unfinished = True
        elif (block.text[:1] not in _BEGINS_NOTHING or not block.text[_LONGEST_STATUS:]) and not block.level:
            self._take_words(index, block)

    def _take_box(self, index: int, block: Block, inherited: SectionKind | None) -> None:
        status = parse_box(block.text[1])
        if is_blocked_box(block.text):
            self._blockers.append((index, plain(block.text[3:])))
        elif status is not None and block.kind is ITEM and inherited in _OF_WORK:
            self._boxes.setdefault(block.parent, set()).add(status)

    def take_first(self, block: Block) -> None:
        """Look at the paragraph, item or row that the entry begins with."""
        if block.kind is not ROW:
            self._is_unfinished |= tells_unfinished(block.text)

    def _take_words(self, index: int, block: Block) -> None:
        if len(block.text) <= _LONGEST_STATUS and parse_status(block.text) is Status.DONE:
            self._is_called_done |= calls_done(block.text)
        elif marked := _MARKED.match(block.text):
            self._blockers.append((index, plain(block.text[marked.end() :])))
        elif block.kind in _PROSE and is_marked_blocked(block.text):
            self._blockers.append((index, plain(undecorated(block.text))))
        elif unfinished := _UNFINISHED.match(block.text):
            self._is_unfinished |= holds(block.text[unfinished.end() :])

    def status(
        self, document: MarkdownDocument, entry: AuthoredEntry, ids: Sequence[str]
    ) -> tuple[Status | None, list[str]]:
        """Return what all this makes of the entry, None for nothing, and what blocks it, in its words.

        An entry that names no story is at most in progress, one that only counts a session is none, and an
        item that says `Done` goes before all this. What was only begun is not finished.
        """
        is_begun = self._is_begun and not self._is_ended
        is_unfinished = self._is_unfinished or is_begun or (self._is_partly_undone and self._has_next)
        if not (self._blockers or self._boxes or is_unfinished):
            return None, []
        stuck = self._standing(document, entry)
        others = [_others(said, ids) for said in stuck]
        blockers = [said for said, other in zip(stuck, others, strict=True) if other is None]
        if self._is_called_done or (not ids and (entry.heading.session or not entry.heading.title)):
            return None, blockers
        if blockers and ids:
            return Status.BLOCKED, blockers
        is_open = blockers or False in others or is_unfinished or self._has_open_box(entry)
        return Status.ACTIVE if is_open else None, blockers

    def _standing(self, document: MarkdownDocument, entry: AuthoredEntry) -> list[str]:
        """Return the blockers that hold, and that nothing in the same entry calls over."""
        held = [(at, said) for at, said in self._blockers if holds(said) and not _MENDED.search(said)]
        if not held:
            return []
        ends = [
            (at, document.blocks[at].text)
            for at in range(entry.first, entry.stop)
            if ENDED.search(document.blocks[at].text) or BEGINS_OVER.match(document.blocks[at].text)
        ]
        return [said for at, said in held if not any(_ends(at, said, *each) for each in ends)]

    def _has_open_box(self, entry: AuthoredEntry) -> bool:
        """Return whether a part of the work is open: in a list of the entry itself, or beside ticked ones."""
        return any(
            not said.isdisjoint((Status.PENDING, Status.ACTIVE))
            and (parent == entry.start or Status.DONE in said)
            for parent, said in self._boxes.items()
        )


def _tells_work(text: str) -> bool:
    """Return whether what stands behind `Started:` says what was begun, and is no date."""
    return find_date(text) is None and len(_WORD.findall(text)) > 1


def _ends(blocker: int, said: str, index: int, text: str) -> bool:
    """Return whether another statement of the entry says that a blocker is over."""
    if index == blocker or (OVER.match(text) is None and _NOT.search(text)):
        return False
    if index > blocker and BEGINS_OVER.match(text):
        return True
    return bool(ENDED.search(text)) and not subjects_of_blocker(said).isdisjoint(subjects_of_end(text))


def _others(said: str, ids: Sequence[str]) -> bool | None:
    """Return whether a blocker begins with another story's id; None without any, False for some of these.

    An id is one that is formed as those of the entry: `S3 is down` names no story.
    """
    own = [name.casefold() for name in ids]
    forms = {name.rstrip(_NUMBER) for name in own}
    named = [name.casefold() for name in read_heading(said, {}).ids]
    named = [name for name in named if name.rstrip(_NUMBER) in forms]
    if not named or set(named) >= set(own):
        return None
    return set(named).isdisjoint(own)
