"""Look up what a phrase, a check-box or a mark says about the status of an item.

The table `status_phrases.json` holds the phrases of all languages. A phrase is looked up whole: "not
implemented" is a phrase of its own and never read as "implemented".
"""

from __future__ import annotations

import re
from functools import cache, partial

from progress_plugin.core.tables import read_json_table, word_set
from progress_plugin.model.status import Status
from progress_plugin.text.patterns import LazyPattern

MAX_TITLE_CHARS = 400
MAX_SEPARATORS = 4  # so many are looked at from the beginning of a title, and so many from its end
MAX_PHRASE_CHARS = 200  # longer texts are prose
_JOINERS = LazyPattern(r"(?<=\w)[-_](?=\w)")
_DECORATION = LazyPattern(r"[*`\"'“”]|(?<!\w)_|_(?!\w)|\ufe0f")  # Markdown marks, quotes, the emoji selector
_ENDING = LazyPattern(r"\s?[^\w\s'’]|\s\d")  # what may follow a known phrase: punctuation or a number
_SHARE = LazyPattern(r"(?P<part>\d{1,4})\s?(?:%|(?:/|of|von|de|из)\s?(?P<whole>\d{1,4})\b)")
_STATUS_BEFORE = LazyPattern(r"^[^\W\d][\w ]{1,29}?\s*(?:(?<!\w)-|-(?!\w)|:(?!//)|[–—：,(])+\s*")
_SIGNS = LazyPattern(r"^\W+")  # signs before the first word: `⚠ deferred` means `deferred`
_BOX = LazyPattern(r"\[(.?)\]")
_PART = LazyPattern(r"\s[-–—→]+\s|[()\[\]:;：]|[.!]\s")
_CAPITALS = LazyPattern(r"\b[A-ZÀ-Þ]{4,}\b")
_BRACKET = LazyPattern(r"[\[(（【][^\])）】]*[\])）】]\s*(.*)")
_HEAD = LazyPattern(r"(?P<head>[\w '’-]{2,24})[:：]\s+(?=\S)")
_SEPARATOR = r"\s+(?:[-–—→·|]+|[:：])\s+|[,;]\s+|(?<=\w)[:：]\s+|\s*(?=[\[(（【])|\s+(?=[{}])"


@cache
def statuses(group: str) -> dict[str, Status]:
    """Return a group of the table, e.g. `phrases`, `marks` or `boxes`: the status of each text in it.

    Any words may follow a text of `openings`. `answers` count in fields only. `colours` do not count in
    titles of a plan, where a colour may be a priority.
    """
    groups = read_json_table(__file__, "status_phrases.json")[group]
    return {phrase: Status(status) for status, phrases in groups.items() for phrase in phrases}


@cache
def _beginnings() -> dict[str, list[tuple[str, Status, bool]]]:
    """Return rows by first letter, the longest phrase first: phrase, status, whether it is an opening."""
    rows = [
        (*row, group == "openings") for group in ("phrases", "openings") for row in statuses(group).items()
    ]
    by_letter: dict[str, list[tuple[str, Status, bool]]] = {}
    for row in sorted(rows, key=lambda row: (-len(row[0]), row[2])):
        by_letter.setdefault(row[0][0], []).append(row)
    return by_letter


@cache
def _follower() -> re.Pattern[str]:
    words = read_json_table(__file__, "status_phrases.json")["followers"]
    return re.compile(rf" (?:{'|'.join(map(re.escape, words))})\b")


phrases_that = partial(word_set, __file__, "status_phrases.json")  # by name, e.g. `resolved`


def fold_phrase(text: str) -> str:
    """Return a phrase as in the table: lower case, single spaces, no Markdown marks or outer punctuation."""
    words = _JOINERS.sub(" ", _DECORATION.sub("", text[:MAX_PHRASE_CHARS])).replace("’", "'").casefold()
    return " ".join(words.split()).strip(" .:;,!。：-–—·")


def status_of_phrase(text: str) -> Status | None:
    """Return the status that a phrase states by words, a share ("3/4"), a box or a mark; None if unknown.

    The longest known phrase wins. Punctuation, a number or a preposition may follow ("completed on Monday"),
    any words only after an opening. Words decide before marks: "✅ not done" is open.
    """
    words = fold_phrase(text)
    if box := _BOX.match(words):
        return status_of_phrase(words[box.end() :]) or status_of_box(box[1])
    if share := _SHARE.match(words):
        part, whole = int(share["part"]), int(share["whole"] or 100)
        return Status.PENDING if not part else Status.DONE if part >= whole else Status.ACTIVE
    marks = statuses("marks")
    marked = [marks[mark] for mark in words if mark in marks]
    drawn = marks.keys() | statuses("colours").keys()
    words = "".join(" " if mark in drawn else mark for mark in words)
    words = _SIGNS.sub("", " ".join(words.split())).rstrip(" .:;,-–—()[]")
    for phrase, status, is_opening in _beginnings().get(words[:1], ()):
        if words.startswith(phrase) and _ends_phrase(words[len(phrase) :], is_opening):
            return status
    return marked[0] if marked and not words else None


def _ends_phrase(rest: str, is_opening: bool) -> bool:
    if not rest or _ENDING.match(rest) or _follower().match(rest):
        return True
    return is_opening and (rest[0] == " " or not rest[0].isascii())


def status_of_field(text: str) -> Status | None:
    """Return the status that a field or cell for statuses states: also by "yes" or a mark before words."""
    answers = statuses("answers")
    stated = status_of_phrase(text) or answers.get(fold_phrase(text)) or answers.get(text.strip())
    return stated or first_mark(text)


def first_mark(text: str) -> Status | None:
    """Return the status of the mark that begins a text, e.g. `✅ Everything works`, or None."""
    mark = text.strip(" *`")[:1]
    return statuses("marks").get(mark) or statuses("colours").get(mark)


def status_of_box(mark: str) -> Status | None:
    """Return the status of a check-box by the character between its brackets, or None for an unknown one."""
    return statuses("boxes").get(mark or " ") or statuses("marks").get(mark)


def without_status(phrase: str) -> str:
    """Return what follows an early dash, colon, comma or bracket: `blocked - no key` gives "no key"."""
    return _STATUS_BEFORE.sub("", phrase).strip() or phrase


def is_bare_status(text: str) -> bool:
    """Return whether a text says only a status, as "Blocked" and "Status: blocked" do."""
    words = fold_phrase(without_status(text))
    return words in statuses("phrases") or words in statuses("openings")


def is_postponed(phrase: str) -> bool:
    """Return whether a phrase says that an item is left for later, and not dropped."""
    return _SIGNS.sub("", fold_phrase(phrase)).startswith(tuple(phrases_that("postponed")))


def says_resolved(text: str) -> bool:
    """Return whether a part of a statement says that it is over: `The key is late - resolved by Ann`."""
    resolved = phrases_that("resolved")
    parts = (fold_phrase(part) for part in _PART.split(text))
    return any(
        part.startswith(phrase) and not part[len(phrase) :][:1].isalnum()
        for part in parts
        for phrase in resolved
    ) or any(word.casefold() in resolved for word in _CAPITALS.findall(text))


def is_held_back(phrase: str) -> bool:
    """Return whether a status, type or section name says that items are not offered as next work."""
    first_part = re.split(r"[(\[,;:—–]| - ", phrase)[0]
    return not phrases_that("not_offered").isdisjoint((fold_phrase(phrase), fold_phrase(first_part)))


def comes_last(phrase: str) -> bool:
    """Return whether a status such as `backlog` says that all other open items come first."""
    return fold_phrase(phrase) in phrases_that("last")


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(_SEPARATOR.format("".join(map(re.escape, statuses("marks")))))


def split_status(title: str) -> tuple[str, Status | None, str]:
    """Split a title from the status that it carries: `Sail — PLANNED` gives ("Sail", pending, "PLANNED").

    The status is strike-through, a box at the beginning, a known phrase before a colon, in brackets or behind
    a separator such as a dash, or else a mark at either end of the title.
    """
    marks = statuses("marks")
    clean = title.strip()
    if len(clean) > MAX_TITLE_CHARS:
        return clean, None, ""
    if clean.startswith("~~") and clean.endswith("~~"):
        return clean.strip("~ "), Status.SKIPPED, "struck out"
    if (box := _BOX.match(clean)) and status_of_box(box[1].strip()):
        return clean[box.end() :].strip(), status_of_box(box[1].strip()), box[0]
    if (mark := clean[:1]) in marks:
        rest, status, phrase = split_status(clean[1:].lstrip("\ufe0f -–—·:"))
        return rest, status or marks[mark], phrase or mark
    if (head := _HEAD.match(clean)) and (status := statuses("phrases").get(fold_phrase(head["head"]))):
        return clean[head.end() :].strip(), status, head["head"]
    cuts = list(_separator().finditer(clean))
    for cut in cuts[:MAX_SEPARATORS] + cuts[MAX_SEPARATORS:][-MAX_SEPARATORS:]:
        tail = clean[cut.end() :].strip()
        if _goes_on_after_bracket(tail):
            continue
        phrase = tail[1:-1].strip() if tail[:1] in "[(（【" and tail[-1:] in "])）】" else tail
        if cut.start() and (status := _stated(phrase, cut[0])):
            return clean[: cut.start()].strip(" -–—·:"), status, phrase
    last = clean.rstrip("\ufe0f ")[-1:]
    if last in marks and len(clean) > 1:
        return clean.rstrip("\ufe0f ")[:-1].strip(" -–—·:"), marks[last], last
    return clean, None, ""


def _goes_on_after_bracket(tail: str) -> bool:
    """Return whether the title goes on after the bracket that begins a tail: `(ACTIVE, PAID) in model.kt`.

    If the bracket is not closed, the end of a long title was cut off: this is no status either.
    """
    if tail[:1] not in "[(（【":
        return False
    behind = _BRACKET.match(tail)
    return behind is None or behind[1][:1] == "." or behind[1][:1].isalnum()


def _stated(phrase: str, separator: str) -> Status | None:
    """Return the status of a phrase behind a separator; after `,` or `;` only a blocker's: "blocked on"."""
    if separator.strip() in {",", ";"}:
        words = fold_phrase(phrase)
        blocked = (f"{each} " for each, status in statuses("openings").items() if status is Status.BLOCKED)
        return Status.BLOCKED if words.startswith(tuple(blocked)) else None
    return status_of_phrase(phrase)
