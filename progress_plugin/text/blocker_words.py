"""The words that say whether something is in the way, and that it no longer is."""

from __future__ import annotations

import re

from progress_plugin.model.status import COLOURS, DONE_MARKS, Status, parse_box, parse_mark
from progress_plugin.text.patterns import LazyPattern

_NOTHING = LazyPattern(
    r"\W*(?:none|nothing|nil|n/?a|tbd|to be \w+|no (?:\w+ ){0,2}(?:blockers?|blocked|issues?|concerns?)|"
    r"not blocked|unblocked|cleared|keine|aucun\w*|ninguno?a?|nenhuma?|geen|brak|"
    r"nein|nichts|rien|nada|niets|niente|nic|ingen\w*|нет|ничего|无|無|没有|なし|없음)"
    r"(?:\W|$)|\W*(?:no|false|0)\W*$",
    re.IGNORECASE,
)
"""What says under `Blockers` that nothing blocks."""
_SOLVED = (
    "gelöst|behoben|erledigt|résolue?|resuelt[oa]|resolvid[oa]|risolto|opgelost|решено|解决|已解决|解決済み?"
)
OVER = LazyPattern(
    rf"\W*(?:~~|[{DONE_MARKS}]|\[[xX{DONE_MARKS}]\]|(?i:resolved|solved|{_SOLVED}|unblocked|fixed|completed?|done)\b)|"
    rf".*(?:\bRESOLVED\b|[{DONE_MARKS}])|"
    rf".*[-–—:(,.;] *(?i:resolved|solved|fixed|unblocked|no longer|{_SOLVED})\b"
)
"""A blocker that is called resolved."""
_MENDED = "replaced|repaired|mended|restored|reachable|running|working|installed|delivered|merged"
ENDED = LazyPattern(
    r"\b(?:unblock\w*|resolved?|no longer|fixed|arrived|received|obtained|opened|granted|answered|approved|"
    r"available|enabled|now works?|works (?:now|again)|runs again|(?:and|it) works(?! (?:only|for|if|when))|"
    r"solved|is (?:here|up|back|done|in)|"
    rf"(?:is|was|are|were|been|got) (?:now )?(?:{_MENDED})|{_SOLVED})\b",
    re.IGNORECASE,
)
"""Words by which a newer entry ends what an older one was blocked by."""
_STUCK = LazyPattern(
    r"\s[-–—(]+\s*(?:BLOCKED|blocked by|waiting (?:for|on)|"
    r"(?:blockiert|bloqu|geblok|blocca|zablok)[^\W\d_]*)\b"
    r"(?:\s*[:—–-]\s*|\s+(?:by|durch|por|par|da)\s+|\s+)(?=\w)"
)
"""What stands behind the work of an open box: `[ ] Oil the crane - BLOCKED: no oil`."""
_NOT_ENDED = LazyPattern(
    r"(?:\bnot|n['’]t|\bnever)(?: (?:yet|been|quite|fully|be)){0,2} "
    rf"(?:resolved?|solved|fixed|arrived|received|available|enabled|unblocked|{_MENDED})\b|"
    r"\b(?:still|remains?) (?:blocked|waiting|stuck|closed|down|missing)\b",
    re.IGNORECASE,
)
BEGINS_OVER = LazyPattern(
    rf"\W{{0,8}}(?:resolved|unblocked|resolution|solved|solution|{_SOLVED})\b(?! yet)", re.IGNORECASE
)
"""How a statement begins that says of the blocker before it that it is over."""
_FORBIDS = LazyPattern(
    r"\W*(?:never|no|not|do not|don['’]?t|must|avoid|stop|only|always|read|nie|nicht|kein\w*|jamais|ne|nunca|"
    r"forbidden|prohibited|verboten)\b",
    re.IGNORECASE,
)
"""How a line with the mark of what is blocked goes on where it is a prohibition."""
_CONCERNS = LazyPattern(r"\b(?:concerns?|risks?|questions?|notes)\b", re.IGNORECASE)
_WORD = LazyPattern(r"\w{4,}")
_NUMBERED = LazyPattern(r"(\w{4,})(?: #?(\d+)\b)?")
_COMMON_WORDS = frozenset({
    "blocked", "blocker", "blockers", "waiting", "until", "still", "cannot", "could", "would", "should",
    "have", "been", "with", "from", "that", "this", "there", "their", "they", "what", "when", "where",
    "which", "into", "because", "before", "after", "needs", "need", "does", "done", "only", "some",
    "more", "open", "opened", "answered", "available", "account", "access",
})  # fmt: skip
"""Words that two statements share without being about the same."""


def holds(text: str) -> bool:
    """Return whether a statement holds: `None` says nothing, and what is crossed out is over."""
    return any(map(str.isalnum, text)) and not _NOTHING.match(text) and not OVER.match(text)


def is_blocked_box(text: str) -> bool:
    """Return whether an item `[!] …` has the box of what is blocked, or says so behind an open one."""
    box = parse_box(text[1:2])
    return box is Status.BLOCKED or (
        box in (Status.PENDING, Status.ACTIVE) and _STUCK.search(text) is not None
    )


def work_of_box(text: str) -> str:
    """Return what an item `[ ] …` is about, without box, mark and blocker, in lower case."""
    said = text[3:] if text[:1] == "[" and text[2:3] == "]" else text
    stuck = _STUCK.search(said)
    return (said[: stuck.start()] if stuck else said).strip(" .~*`").casefold()


def is_marked_blocked(line: str) -> bool:
    """Return whether a line of an entry, no item of a list, has the mark of what is blocked: `⛔ no key`.

    Colours are as often priorities, and in lists the mark is as often a prohibition.
    """
    if line.isascii() or parse_mark(line) is not Status.BLOCKED or line[0] in COLOURS:
        return False
    return holds(line[1:]) and not _FORBIDS.match(line, 1)


def says_nothing(text: str) -> bool:
    """Return whether a statement under `Blockers` or `Status` is an answer such as `None`."""
    return bool(_NOTHING.match(text))


def names_concerns(label: str) -> bool:
    """Return whether a section is not of blockers alone: `Blockers/Concerns`."""
    return bool(_CONCERNS.search(label))


def telling_words(text: str) -> frozenset[str]:
    """Return the words of a statement by which another one is known to be about the same."""
    return frozenset(_WORD.findall(text.casefold())) - _COMMON_WORDS


def ends_something(text: str) -> bool:
    """Return whether a statement says that something is no longer as it was."""
    return ENDED.search(text) is not None and not _NOT_ENDED.search(text)


def subjects_of_blocker(text: str) -> frozenset[str]:
    """Return by which of `subjects_of_end` another statement is known to be about what a blocker is about.

    `valve 3` is meant by `valve 3` and by `the valve`, and `the valve` by any of them.
    """
    return _subjects(text, alone="{0} #", numbered="{0}")


def subjects_of_end(text: str) -> frozenset[str]:
    """Return what a statement that something has ended is about: of `valve 3` not what another valve is."""
    return _subjects(text, alone="{0}", numbered="{0} #")


def _subjects(text: str, *, alone: str, numbered: str) -> frozenset[str]:
    found = set()
    for word, number in _NUMBERED.findall(text.casefold()):
        if word in _COMMON_WORDS:
            continue
        if number:
            found |= {f"{word} {number}", numbered.format(word)}
        else:
            found |= {word, alone.format(word)}
    return frozenset(found)
