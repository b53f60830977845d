"""The words that say whether something is in the way, and that it no longer is (S4, S5.4).

Which labels announce blockers is decided in `text.section_names` (`section_of`), what an agent's log says of
them at present, in `passages.stated_status`, what they make of an entry, in `authored.hindrances`.
"""

from __future__ import annotations

import re

from progress_plugin.model.status import COLOURS, DONE_MARKS, Status, parse_mark

_NOTHING = re.compile(
    r"\W*(?:none|nothing|nil|n/?a|tbd|to be \w+|no (?:\w+ ){0,2}(?:blockers?|blocked|issues?|concerns?)|"
    r"not blocked|unblocked|cleared|keine|aucun\w*|ninguno?a?|nenhuma?|geen|brak|"
    r"nein|nichts|rien|nada|niets|niente|nic|ingen\w*|нет|ничего|无|無|没有|なし|없음)"
    r"(?:\W|$)|\W*(?:no|false|0)\W*$",
    re.IGNORECASE,
)
"""What says under `Blockers` that nothing blocks."""
OVER = re.compile(
    rf"\W*(?:~~|[{DONE_MARKS}]|\[[xX{DONE_MARKS}]\]|(?i:resolved|unblocked|fixed|completed?|done)\b)|"
    rf".*(?:\bRESOLVED\b|[{DONE_MARKS}])|"
    r".*[-–—:(,] *(?i:resolved|fixed|unblocked|no longer)\b"
)
"""A blocker that is called resolved."""
ENDED = re.compile(
    r"\b(?:unblock\w*|resolved?|no longer|fixed|arrived|received|obtained|opened|granted|answered|approved|"
    r"available|enabled|now works?|works now|is (?:here|up|back|done|in))\b",
    re.IGNORECASE,
)
"""Words by which a newer entry ends what an older one was blocked by."""
_FORBIDS = re.compile(
    r"\W*(?:never|no|not|do not|don['’]?t|must|avoid|stop|only|always|read|nie|nicht|kein\w*|jamais|ne|nunca|"
    r"forbidden|prohibited|verboten)\b",
    re.IGNORECASE,
)
"""How a line with the mark of what is blocked goes on where it is a prohibition."""
_CONCERNS = re.compile(r"\b(?:concerns?|risks?|questions?|notes)\b", re.IGNORECASE)
_WORD = re.compile(r"\w{4,}")
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
