"""Read the heading of an entry: ids, date, trailing status, session number and title."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection
from typing import NamedTuple

from progress_plugin.agent_logs.dates import FoundDate, find_date
from progress_plugin.agent_logs.sections import word_list
from progress_plugin.model.status import Status
from progress_plugin.plans.status_phrases import first_mark, fold_phrase, status_of_phrase, statuses
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.patterns import LazyPattern

MAX_HEADING_CHARS = 400
MAX_STATUS_CHARS = 60
MAX_RANGE = 60
BRACKETS = "[](（）)"
SEPARATORS = " \t-–—:：|·•,>»~"

_ID = r"(?:[A-Z][A-Z0-9]*(?:[-_][A-Z][A-Z0-9]*)*[-_]\d+(?:\.\d+)*[a-zA-Z]?|[A-Z]{1,5}\d{1,4}(?:\.\d+)*|#\d+)"
_LEADING_ID = LazyPattern(rf"[\[(]?({_ID})[\])]?(?![\w/-])")
_HASH_ID = LazyPattern(r"#\d")
_SLUG = LazyPattern(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[a-z0-9.]*\d[a-z0-9]*")
_FIRST_TOKEN = LazyPattern(r"[\[(]?([\w#][\w.#/-]*)")
_UNIT = LazyPattern(
    r"(?:user\s)?(?:story|stories|tasks?|features?|tickets?|issues?|bugs?|任务|功能|故事|タスク|ストーリー|작업|스토리|"
    r"historias?|tareas?|tarefas?|aufgaben?|tâches?|задачи?|задача)\s?(?:completed?|done|id)?\s?[:：]?\s?(?:#|no\.?\s)?"
    r"(\d+(?:\.\d+)*[a-z]?)(?![\w/%-])",
    re.IGNORECASE,
)
_JOIN = LazyPattern(r"\s*(?:,|&|\+|/|;|and\b|und\b|y\b|et\b|e\b|和|、)\s*(?:and\s+|&\s*)?")
_RANGE = LazyPattern(r"\s*(?:through|thru|to|until|bis|–|—|\.\.\.?|~|→|-)\s*")
_NUMBER = LazyPattern(r"#?(\d+[a-z]?)(?![\w.%])")
_LEAD = LazyPattern(
    r"(?:(?:ticket|story|user story|task|feature|issue|entry|completed?|done|finished|implemented|started|"
    r"update)[ :：]+){0,3}(?:[a-z]{2,10}(?:\([^)]{0,40}\))?!?:\s)?",
    re.IGNORECASE,
)
_SESSION = LazyPattern(
    r"[\[(]?(?:(?:session|iteration|sprint|run|loop|round|cycle|attempt|turn|day|sesi[oó]n|sitzung|iteración|"
    r"iteração|会话|迭代|第|セッション|세션|сессия|итерация)\s?(?:#|no\.?\s)?(?P<number>\d+)?\s?(?:次|轮|回)?)"
    r"(?P<end>\s*$|\s*[:：–—|(（-]\s*|[\])]\s*|\s)",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """The parts of an entry's heading."""

    ids: tuple[str, ...] = ()
    title: str = ""
    date: dt.date | None = None
    status: Status | None = None
    is_session: bool = False  # true for `Session 3`, `Iteration 3` or the like
    number: int | None = None  # of the session
    title_line: int = 0  # of the field or sentence that the title is from; 0 if it is in the heading


def read_heading(text: str, plan_ids: Collection[str] = ()) -> Heading:
    """Split a heading into its parts. An id is one of `plan_ids`, or as in `US-7`, `Task 7` and `#7`."""
    text = plain(text[:MAX_HEADING_CHARS])
    mark = first_mark(text[:1])
    text = text if _HASH_ID.match(text) else undecorated(text)
    date = find_date(text)
    if date and _is_in_remark(text[: date.start]):
        date = None
    if date:
        text = _without_date(text, date)
    text, status = split_trailing_status(text)
    session = _SESSION.match(text)
    is_session = bool(session and (session["number"] or session["end"].strip() or (date and date.start > 0)))
    number = int(session["number"]) if session and is_session and session["number"] else None
    if session and is_session:
        text = text[session.end() :] or text[: session.start()]
    text = text.lstrip(SEPARATORS) if _HASH_ID.match(text) else undecorated(text).lstrip(SEPARATORS)
    verb = _stated(text.partition(" ")[0])
    ids, rest = _leading_ids(text, plan_ids)
    if ids:
        status = status or verb
        rest, stated = _split_leading_status(rest.lstrip(SEPARATORS))
        status = stated or status
        text = rest
    elif date and _SLUG.fullmatch(text) and is_id(text.upper()):
        ids, text = (text,), ""  # `2026-01-05 - gate-x7.2`: only an id is beside the date
    else:
        ids, text = _trailing_id(text, plan_ids)
    title = _clean_title(text)
    if is_session and (stated := _stated(title.partition(" (")[0])):
        title, status = "", status or stated
    elif title.casefold() in word_list("bare_titles"):
        title = ""
    return Heading(
        ids, title, date.day if date else None, status or (mark if ids else None), is_session, number
    )


def _without_date(text: str, date: FoundDate) -> str:
    """Take a date out of a heading. Other words in its brackets stay: `(done 2026-01-05)` is `(done)`."""
    before, written = text[: date.start].rstrip(SEPARATORS + "("), text[date.start : date.end]
    after = text[date.end :].lstrip(SEPARATORS)
    opens, closes = written[0] in BRACKETS, written[-1] in BRACKETS
    if closes and not opens:
        before = text[: date.start].rstrip(SEPARATORS) + written[-1]
    elif opens and not closes:
        after = written[0] + after
    elif before and _stated(after):
        after = f"- {after}"
    return f"{before} {after}".strip()


def _is_in_remark(before: str) -> bool:
    """Return whether a date is part of a remark that states no status: `The gate (built on 2026-01-05)`."""
    start = before.rfind("(")
    remark = before[start + 1 :].strip(SEPARATORS) if start > before.rfind(")") else ""
    return any(map(str.isalpha, remark)) and status_of_phrase(remark) is None


def split_trailing_status(text: str) -> tuple[str, Status | None]:
    """Take a status off the end of a title: `Mend the gate - DONE`, `Mend the gate (blocked)`.

    A status with its reason is returned, and stays in the title: `Mend the gate (blocked: no oak)`.
    """
    bare = text.rstrip(" \ufe0f")
    if mark := first_mark(bare[-1:]):
        return bare[:-1].rstrip(SEPARATORS), mark
    is_bracketed = bare[-1:] in {")", "]", "）"}
    signs = "([（" if is_bracketed else "-–—:|"
    start = max(bare.rfind(sign, max(0, len(bare) - MAX_STATUS_CHARS)) for sign in signs)
    if start <= 0:
        return text, None
    phrase = bare[start + 1 :].strip(" )]）")
    if is_bracketed:
        reasoned = status_of_phrase(phrase) if phrase[:1].isalpha() else None
        return (bare[:start].rstrip(SEPARATORS), _stated(phrase)) if _stated(phrase) else (text, reasoned)
    is_apart = bare[start] in ":|" or bare[start - 1] == " "
    is_status = is_apart and fold_phrase(phrase) not in word_list("title_endings")
    status = _stated(phrase) if is_status else None
    return (bare[:start].rstrip(SEPARATORS), status) if status else (text, None)


def _split_leading_status(text: str) -> tuple[str, Status | None]:
    """Take a status off the text behind an id: `DONE — mended the gate`, `(blocked) no key`."""
    for end, sign in enumerate(text[:MAX_STATUS_CHARS]):
        if sign in "-–—:)]." and (sign in ":)]." or text[end - 1 : end] == " "):
            status = _stated(text[:end].strip(" (["))
            return (text[end + 1 :].lstrip(SEPARATORS), status) if status else (text, None)
    status = _stated(text) if len(text) <= MAX_STATUS_CHARS else None
    return ("", status) if status else (text, None)


def _stated(phrase: str) -> Status | None:
    """Return the status of a phrase that is known as a whole, or of a mark such as `✅` that stands alone."""
    words = fold_phrase(phrase[1:] if first_mark(phrase) else phrase)
    return statuses("phrases").get(words) if words else first_mark(phrase)


def _leading_ids(text: str, plan_ids: Collection[str]) -> tuple[tuple[str, ...], str]:
    """Split one id, a list or a range of ids off the beginning of a text."""
    first, rest = _one_id(text, plan_ids)
    if not first:
        lead = _LEAD.match(text)
        first, rest = _one_id(text[lead.end() :], plan_ids) if lead and lead.end() else ("", text)
    if not first:
        return (), text
    ids = [first]
    while rest and len(ids) < MAX_RANGE:
        more, after = _more_ids(rest, ids[-1], plan_ids)
        if not more:
            break
        ids += more
        rest = after
    return tuple(dict.fromkeys(ids)), rest


def _more_ids(text: str, last: str, plan_ids: Collection[str]) -> tuple[list[str], str]:
    """Return the ids that a list or range goes on with after `last`, and the text behind them."""
    if gap := _RANGE.match(text):
        other, after = _one_id(text[gap.end() :], plan_ids)
        span = _between(last, other) if other else []
        if span:
            return span, after
    join = _JOIN.match(text)
    if not join:
        return [], text
    other, after = _one_id(text[join.end() :], plan_ids)
    if other:
        return [other], after
    number = _NUMBER.match(text, join.end())
    if number and (last.isdigit() or "-" in last):
        prefix = "" if last.isdigit() else last[: last.rindex("-") + 1]
        return [prefix + number[1]], text[number.end() :]
    return [], text


def _one_id(text: str, plan_ids: Collection[str]) -> tuple[str, str]:
    """Return the id that a text begins with, and what follows it."""
    token = _FIRST_TOKEN.match(text)
    if token and plan_ids:
        known = token[1].rstrip("./-")
        if known in plan_ids:
            return known, text[token.start(1) + len(known) :].lstrip("])")
    if unit := _UNIT.match(text):
        return unit[1], text[unit.end() :]
    found = _LEADING_ID.match(text)
    if found and is_id(found[1]):
        return found[1].lstrip("#"), text[found.end() :]
    return "", text


def is_id(text: str) -> bool:
    """Return whether capitals with a number are an id, and not the name of a standard such as `UTF-8`."""
    return text.rstrip("0123456789.").rstrip("-_") not in word_list("standards")


def _between(first: str, last: str) -> list[str]:
    """Return the ids after `first` up to `last`, if only their numbers differ: `US-8, US-9` after `US-7`."""
    head, tail = split_number(first), split_number(last)
    if not head or not tail or head[0] != tail[0] or not 0 < tail[1] - head[1] <= MAX_RANGE:
        return []
    width = len(first) - len(head[0])
    return [f"{head[0]}{number:0{width}}" for number in range(head[1] + 1, tail[1] + 1)]


def split_number(id_: str) -> tuple[str, int] | None:
    """Split the number off the end of an id: `US-007` is `US-` and 7. None if it does not end in a number."""
    prefix = id_.rstrip("0123456789")
    digits = id_[len(prefix) :]
    return (prefix, int(digits)) if digits else None


def _trailing_id(text: str, plan_ids: Collection[str]) -> tuple[tuple[str, ...], str]:
    """Take an id in brackets off the end of a title: `Mend the gate (GATE-3)`."""
    start = max(text.rfind("("), text.rfind("["))
    if start <= 0 or text[-1:] not in ")]":
        return (), text
    inner = text[start + 1 : -1]
    id_, rest = _one_id(inner, plan_ids)
    is_whole = bool(id_) and not rest.strip() and not _UNIT.match(inner)
    return ((id_,), text[:start].rstrip()) if is_whole else ((), text)


def _clean_title(text: str) -> str:
    title = text.strip(SEPARATORS + ".")
    if title[:1] == "(" and title[-1:] == ")" and title.count("(") == 1:
        title = title[1:-1]
    if title.count(")") > title.count("("):
        title = title.replace(")", "", 1)
    return title.strip()
