"""What a document of the present says of where the work stands: focus, next steps, blockers (S5.2, S18.6).

Memory banks, `STATE.md` and hand-offs are rewritten, not continued: their sections say what is so now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.model.origin import Cited, Origin
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.sections import Section

_FOCUS = re.compile(
    r"(?:current |active |main |present )?(?:work )?(?:focus|work|task|goal)(?: areas?)?$|"
    r"current(?:ly)? work(?:ing on)?$|what (?:we are|i am|i'm) (?:working on|doing)(?: now)?$|"
    r"フォーカス|焦点|重点|фокус|foco\b|enfoque\b|schwerpunkt|fokus"
)
_STOPPED = re.compile(r"stopped at$|left off(?: at)?$|resume (?:at|here|from)$|current session$")
_STANDING = re.compile(
    r"(?:current |project |overall |present )*(?:status|state|position|situation|phase)$|"
    r"where (?:we|i|it|things|this|work) (?:are|am|is|stands?|left off|stopped)(?: now)?$|"
    r"状态$|狀態$|状況$|状態$|상태$|статус$|estado(?: actual| atual)?$|stand$"
)
_NEXT = re.compile(r"\b(?:next|to-?do|to do|immediate|upcoming|resume)\b|[^\x00-\x7f]|siguiente|naechste")
_BLOCKERS = re.compile(
    r"(?:current |active |open |known |new )*(?:blockers?|blocking(?: issues?)?)"
    r"(?: ?(?:[/&,+]|and\b|or\b)[\w ]{1,40})?$|"
    r"(?:currently )?blocked(?: (?:on|by)\b(?! no).*)?$|waiting (?:for|on)\b(?! no).*|"
    r"阻塞|障碍|卡点|ブロッカー|блокер|bloqueos|bloqueios|blockaden"
)
_NOTHING = re.compile(
    r"\W{0,8}(?:none|nothing|no(?: current| known| open| active)? (?:blockers?|issues?|concerns?)|n/?a|tbd|"
    r"to be \w+|なし|无|無|没有|нет|ninguno|nenhum|keine)\b[\w ,:]{0,30}\W{0,8}$",
    re.IGNORECASE,
)
_OVER = re.compile(r"^\W{0,4}~~|✅|\b(?:resolved|fixed|unblocked|no longer)\b", re.IGNORECASE)
_HEADINGS = (Form.HEADING, Form.CODE, Form.QUOTE)
_STOPPED_AT = 1
"""Rank of what says where somebody stopped: it completes focus or status, and keeps its label."""
_TOLD = 3
"""Statements of focus, and of next steps, that are told."""
_MOST_BLOCKERS = 5


class Stated(NamedTuple):
    """What documents of the present say."""

    focus: Cited | None = None
    steps: Cited | None = None
    blockers: tuple[Cited, ...] = ()
    texts: tuple[str, ...] = ()
    """The statements that are told so, each by itself."""


def stated(passages: Iterable[Passage]) -> Stated:
    """Return what these passages of one document say of where the work stands."""
    focus: list[tuple[int, Passage, str]] = []
    steps: list[Passage] = []
    blockers: list[Passage] = []
    for passage in passages:
        if passage.form in _HEADINGS or _NOTHING.match(passage.text):
            continue
        name, text = _named(passage)
        if (rank := _rank(name)) is not None and not _NOTHING.match(text):
            focus.append((rank, passage, text))
        elif _matches(_BLOCKERS, name):
            if passage.form is not Form.DONE and (open_ := _still_open(text)):
                blockers.append(passage._replace(text=open_))
        elif passage.section is Section.NEXT and passage.form is not Form.DONE and _NEXT.search(name):
            steps.append(passage)
    told = _most_telling(focus)
    blockers, steps = blockers[:_MOST_BLOCKERS], steps[:_TOLD]
    return Stated(
        _joined([(passage, text) for _, passage, text in told]),
        _joined([(passage, passage.text) for passage in steps]),
        tuple(Cited(plain(each.text), _origin(each, each)) for each in blockers),
        tuple(each.text for each in (*(passage for _, passage, _ in told), *steps, *blockers)),
    )


def united(documents: Iterable[Stated]) -> Stated:
    """Return what several documents say: the first focus, the first next steps, every blocker once."""
    said = list(documents)
    return Stated(
        next((each.focus for each in said if each.focus), None),
        next((each.steps for each in said if each.steps), None),
        tuple({text.casefold(): text for each in said for text in each.blockers}.values()),
        tuple(text for each in said for text in each.texts),
    )


def _still_open(text: str) -> str:
    """Return what of a statement, or of a list in one line, is not struck out or called resolved."""
    return "; ".join(part for part in text.split("; ") if not (_OVER.search(part) or _NOTHING.match(part)))


def _named(passage: Passage) -> tuple[str, str]:
    """Return what a statement stands under, in lower case, and the statement; its own label comes first."""
    name, rest = split_label(passage.text)
    key = _key(name) if name and rest else ""
    if key and (rank := _rank(key)) is not None:
        return key, f"{key}: {rest}" if rank == _STOPPED_AT else rest
    return _key(passage.label), passage.text


def _key(label: str) -> str:
    name = undecorated(plain(label)).casefold()
    return name.partition("(")[0].strip(" :：.!-–—*")


def _rank(name: str) -> int | None:
    for rank, pattern in enumerate((_FOCUS, _STOPPED, _STANDING)):
        if _matches(pattern, name):
            return rank
    return None


def _matches(pattern: re.Pattern[str], name: str) -> bool:
    return pattern.match(name) is not None or (not name.isascii() and pattern.search(name) is not None)


def _most_telling(found: list[tuple[int, Passage, str]]) -> list[tuple[int, Passage, str]]:
    """Return what is called focus, else what is called status, and in either case where somebody stopped."""
    best = min((rank for rank, _, _ in found if rank != _STOPPED_AT), default=_STOPPED_AT)
    chosen = [each for each in found if each[0] == best][: _TOLD - 1]
    stopped = [each for each in found if each[0] == _STOPPED_AT and best != _STOPPED_AT]
    return [*chosen, *(each for each in stopped if each[2].startswith("stopped at:"))][:_TOLD]


def _joined(found: list[tuple[Passage, str]]) -> Cited | None:
    if not found:
        return None
    texts = dict.fromkeys(plain(text).rstrip(" .;") for _, text in found)
    return Cited("; ".join(texts), _origin(found[0][0], found[-1][0]))


def _origin(first: Passage, last: Passage) -> Origin:
    return Origin(source=first.source, line=first.line, last=max(first.last, last.last))
