"""What a log itself states of where the work stands: what blocks it, what it is at, what comes next (S18.6).

Agents without a plan keep this in sections of their own that they renew in place (`Blockers`, `Current
focus`, `Next steps`), or at the end of each entry: of entries only the newest one's counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import DONE_MARKS
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.labels import plain, split_label
from progress_plugin.text.sections import Section, section_of

_OTHERS = frozenset({Section.BLOCKED, Section.NEXT})
_STEPS = 3
"""Next steps that are shown."""
_BLOCKERS = 5
_FOCUS = re.compile(
    r"(?:(?:my|our|the) )?(?:current(?:ly)?|active|ongoing|immediate)(?: \w+)?"
    r" (?:focus|work|task|goal|story|objective|step|activity)$|"
    r"(?:current )?focus$|in[ -]progress$|(?:currently )?working on$|"
    r"(?:what (?:i am|we are|i'm|we're) |currently )(?:working on|doing)$|wip$",
    re.IGNORECASE,
)
_BEGINS_WITH_NEXT = re.compile(r"(?:immediate |suggested |recommended |planned )?next\b", re.IGNORECASE)
_NOTHING = re.compile(
    r"\W*(?:none|nothing|nil|n/?a|no (?:\w+ ){0,2}(?:blockers?|blocked|issues?|concerns?)|not blocked|"
    r"unblocked|cleared|keine|aucun\w*|ninguno?a?|nenhuma?|geen|brak|нет|无|無|没有|なし|없음)(?:\W|$)",
    re.IGNORECASE,
)
_OVER = re.compile(
    rf"\W*(?:~~|[{DONE_MARKS}]|\[[xX{DONE_MARKS}]\]|(?i:resolved|unblocked|fixed|completed?|done)\b)|"
    r".*\bRESOLVED\b"
)
_BOX = re.compile(r"\[.\]\s+")


class Stated(NamedTuple):
    """The newest statements of one log, each with its place."""

    focus: Cited | None = None
    """What is being worked on."""
    next: Cited | None = None
    """What comes next; several steps are joined by semicolons."""
    blockers: tuple[Cited, ...] = ()


def stated(reading: Reading, *, has_entries: bool) -> Stated:
    """Return what a log states of where the work stands; `has_entries` tells entries from mere sections."""
    places = {0, reading.entries} if has_entries else None
    current = [
        passage
        for passage in reading.passages
        if (places is None or passage.entry in places) and passage.form not in {Form.DONE, Form.HEADING}
    ]
    steps = _of_last_section(_preferred([each for each in current if _announced(each) is Section.NEXT]))
    focus = _of_last_section([each for each in current if _is_focus(each) and _is_open(_said(each))])
    stuck = [each for each in current if each.section is Section.BLOCKED]
    return Stated(
        focus=_joined(focus[:_STEPS]),
        next=_joined(steps[:_STEPS]),
        blockers=tuple(_cited(_said(each), [each]) for each in stuck if _is_open(_said(each)))[-_BLOCKERS:],
    )


def _is_open(text: str) -> bool:
    """Return whether a statement holds: `None` says nothing, and what is crossed out is over."""
    return any(map(str.isalnum, text)) and not _NOTHING.match(text) and not _OVER.match(text)


def _announced(passage: Passage) -> Section | None:
    """Return what the label of a statement announces, its own before the one it stands under."""
    name, rest = split_label(passage.text)
    return (section_of(name) if name and rest else None) or passage.section


def _preferred(steps: Sequence[Passage]) -> Sequence[Passage]:
    """Return what stands under `next`, where anything does: what is left or planned comes later."""
    named = (each for each in steps if _BEGINS_WITH_NEXT.match(split_label(each.text)[0] or each.label))
    return list(named) or steps


def _of_last_section(passages: Sequence[Passage]) -> list[Passage]:
    """Return the statements of the newest entry's section, else of the last section outside of entries."""
    sections = [list(group) for _, group in groupby(passages, key=lambda each: (each.entry, each.label))]
    return max(reversed(sections), key=lambda section: section[0].entry, default=[])


def _is_focus(passage: Passage) -> bool:
    names = (passage.label, split_label(passage.text)[0])
    return passage.section not in _OTHERS and any(_FOCUS.fullmatch(plain(name)) for name in names)


def _said(passage: Passage) -> str:
    """Return a statement without the label that only says what it is."""
    name, rest = split_label(passage.text)
    announces = _FOCUS.fullmatch(plain(name)) or section_of(name) in _OTHERS
    return _BOX.sub("", rest if name and rest and announces else passage.text, count=1)


def _joined(passages: Sequence[Passage]) -> Cited | None:
    texts = [text.rstrip(" .;") for each in passages if (text := _said(each))]
    return _cited("; ".join(texts), passages) if texts else None


def _cited(text: str, passages: Sequence[Passage]) -> Cited:
    first = passages[0]
    return Cited(text.replace("**", ""), Origin(source=first.source, line=first.line, last=passages[-1].last))
