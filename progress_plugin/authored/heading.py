"""Read the heading of an entry: ids, date, title, status."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from progress_plugin.authored.dates import Date, find_date
from progress_plugin.core.files import content_digest
from progress_plugin.core.memo import Memo
from progress_plugin.model.status import (
    ALL_MARKS,
    LEADING_MARKS,
    MAKING_VERBS,
    STATE_WORDS,
    VERBS,
    WORDS_AFTER_DASH,
    Status,
    first_mark,
    parse_mark,
    parse_status,
    parse_verb,
    parse_wording,
    pattern_of,
)
from progress_plugin.text.bounds import shortened
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.patterns import LazyPattern

_ID = (
    r"(?:[A-Z][A-Z0-9]*(?:[-_][A-Z][A-Z0-9]*)*[-_]\d+(?:\.\d+)*[A-Za-z]?"  # US-001, PROJ-API-12, US-126B
    r"|[A-Z]{1,5}\d{1,4}(?:\.\d+)*"  # T001, A1
    r"|[a-z]{1,8}-\d{2,4}"  # us-001
    r"|(?:feature|story|task|ticket)-\d"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|\#\d+|\d+(?:\.\d+)+|\d+[A-Z]{1,2}\.\d+)"
)
_LEADING = LazyPattern(rf"[\[(]?({_ID})[\])]?(?![\w/-])")
_LISTED = LazyPattern(
    r"[\[(]?([A-Z][A-Z0-9]*-\d+(?=(?:/(?:[A-Z][A-Z0-9]*-)?\d+)+(?![\w/-]))|\#\d+(?=-\#?\d+(?![\w/-])))"
)
"""The first of `MILL-1/2/3` or `#4-6`, which are neither a path nor a day."""
_NAME = LazyPattern(r"\A[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+")
_SLUG = LazyPattern(
    r"([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)"
    rf"(?=\s*[:：]\s|\s+[-–—]+\s+(?:{pattern_of(word.upper() for word in WORDS_AFTER_DASH)})(?![\w-]))"
)
"""A name in kebab case where a colon or, in capitals, a status follows: `crane-oiling — PASSED`."""
_JOIN = LazyPattern(r"\s*(?:,|&|\+|/|;|and|und|y|et|e|和|、)\s*(?:and\s+|&\s*)?")
_RANGE = LazyPattern(r"\s*(?:through|thru|to|until|bis|–|—|\.\.\.?|~|→|-)\s*")
_UNIT = LazyPattern(
    r"(?:user\s+)?(?:stor(?:y|ies)|tasks?|features?|tickets?|issues?|bugs?|shots?|"
    r"historias?|tareas?|tarefas?|aufgaben?|tâches?|任务|功能|故事|タスク|ストーリー|스토리|작업|задач[аи]|"
    r"истори[яи])"
    r"\s*(?:id)?\s*[:：]?\s*(?:#|no\.?\s*)?(?=\d)",
    re.IGNORECASE,
)
_NUMBER = LazyPattern(r"#?(\d+(?:\.\d+)*[a-z]?)(?![\w/%-])", re.IGNORECASE)
_SPAN = LazyPattern(r"(?:(?<=s )|(?<=s #))(\d+)(?=-#?\d+\s*(?:[:：]|$))", re.IGNORECASE)
"""The first of `Features 4-6`; one `Task 4-6` is a part of the fourth."""
_NEXT = LazyPattern(r"#?(\d+(?:\.\d+)*[a-z]?)(?![\w%-]|/(?!\d))", re.IGNORECASE)
"""A number in a list of ids, where `/` may join another to it."""
_REPORT = LazyPattern(
    r"(?:[a-z' ]{0,40}\s)?(?:report|log|notes|update|progress)\s*[-–—:|]\s*"
    r"(?=(?:session|iteration|sprint|day)\s*#?\d)",
    re.IGNORECASE,
)
_SESSION = LazyPattern(
    r"[\[(]?(?:session|iteration|sprint|run|loop|round|cycle|attempt|turn|day|sesi[oó]n|sitzung|itera(?:ción|ção|"
    r"tion)|"
    r"会话|迭代|第|セッション|세션|сессия|итерация)"
    r"\s*(?:#|no\.?\s*)?(?P<number>\d+(?:\.\d+)*)?\s*(?:次|轮|回)?(?P<end>\s*$|\s*[:：–—|(（-]\s*|[\])]\s*|\s+)",
    re.IGNORECASE,
)
_LEAD_WORDS = LazyPattern(
    r"(?:(?:ticket|story|task|feature|issue|entry)?\s*(?:completed?|done|finished|implemented|started|update|"
    r"完成|erledigt|completad[oa]|terminé)|story|ticket|task|feature|entry)\s*[:：]\s*|"
    r"(?:phase|stage|milestone|step|part|wave|fix|chunk)\s+\d+(?:\.\d+)?\s*[:–—-]\s*(?=(?-i:[A-Z][A-Z0-9]*-\d))|"
    r"\([^()]{1,20}\)\s*[:–—-]\s*(?=(?-i:[A-Z][A-Z0-9]*-\d))|"
    r"(?:(?:user story|story|ticket|task|feature|issue)\s+|(?-i:[a-z]+(?:-[a-z]+)?(?:\([^)]*\))?!?:\s+))"
    rf"(?=(?-i:{_ID})(?![\w/-]))",  # `Task T-1`, `feat: T-1`
    re.IGNORECASE,
)
_VERB = LazyPattern(
    rf"(?P<word>{pattern_of(VERBS)}|"
    rf"(?:{pattern_of(MAKING_VERBS)})(?=\s++(?:prd )?(?:story|task|feature|item)))"
    r"(?:\s*+[:：-]\s++|\s++)(?:(?:prd )?(?:story|task|feature|item)s? )?"
    rf"(?=(?-i:{_ID})(?:(?![\w/-])|-#?\d))",
    re.IGNORECASE,
)
_AFTER_SPACE = "".join(mark for mark in ALL_MARKS if mark not in "→○") + "⚠"
_TRAILING_STATUS = LazyPattern(
    rf"(?<!\s)(?:\s+[-–—:|]++\s*|(?P<bracket>\s*[\[(（]\s*)|\s+(?=[{_AFTER_SPACE}]))"
    rf"(?P<mark>[^\w\s(\[`]*)\s*(?P<word>(?(bracket)(?:{pattern_of(STATE_WORDS)})|(?:{pattern_of(WORDS_AFTER_DASH)})))?"
    r"\s*[\])）]?\s*(?P<after>[^\w\s`(\[]*)$",
    re.IGNORECASE,
)
_REMARKED = LazyPattern(r"(?<=[A-Z])\s*\([^()]{1,80}\)\s*$")
"""What is said of a status in capitals: `— FAILED (no commit)`."""
_CALLED = LazyPattern(rf"(?<!\s)\s+(?P<mark>[{_AFTER_SPACE}])\ufe0f?\s*(?=[A-Z]{{3}})[A-Z][A-Z '’:–—-]*$")
"""A mark and what it means, in capitals: `❌ FALSE ENTRY`."""
_MAY_END_STATUS = frozenset(")ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LEADING_STATUS = LazyPattern(
    rf"[\[(]?({pattern_of(STATE_WORDS)})\b[\])]?(?: \w+ly)?(?:\s*\([^()]{{1,80}}\))?\s*[:–—.-]\s*",
    re.IGNORECASE,
)
_BARE = LazyPattern(
    r"(?:completed?|done|work|started|ended|finished|current|notes?|log|continued|part \d+)?", re.IGNORECASE
)
_AGENT = LazyPattern(
    r"\b(?:agent|claude|codex|copilot|cursor|gemini|gpt|ai|assistant|bot|llm)\b", re.IGNORECASE
)
_WHO = LazyPattern(
    r"(?:(?:with|by|mit|von) )?(?:[A-Z][\w'-]*|agent|assistant|bot|me)"
    r"(?: ?(?:[+&,/]|and|und|et|y) ?(?:the )?(?:[A-Z][\w'-]*|agent|assistant|bot|me))*"
)
"""Who took part in a session, an agent among them: `Ana + agent`."""
_HASH = LazyPattern(r"(?<!\s)\s*[(\[](?:[0-9a-f]{7,40}|#\d+)[)\]]\s*$")
_TRAILING_ID = LazyPattern(rf"(?<!\s)\s*[(\[]({_ID})[)\]]\s*$")
_CLOSED_EARLY = LazyPattern(r"\([^()]*\).")
_TAG = LazyPattern(r"\s*\(([^()]{2,60})\)")
_STATED = LazyPattern(rf"\s*[:：]\s*(?:{pattern_of(word.upper() for word in WORDS_AFTER_DASH)})(?![\w-])")
"""A status in capitals behind an id: `B1: DONE — oiled the crane`."""
_LONGEST = 400
"""Characters of a heading that are looked at: what comes later names nothing."""
_QUOTES = frozenset("\"'“‘「=/")
_TITLE_GAPS = 2
"""Spaces from which words in parentheses are a title: `MILL-7 (Mend the wheel)`."""
_LONGEST_TAG = 20
"""Characters, with the parentheses, up to which fewer are a tag: `MILL-7 (second attempt)`."""
_SEPARATORS = " \t-–—:：|·•,>»~"
_NOT_IDS = frozenset(
    [
        "UTF",
        "SHA",
        "MD",
        "ISO",
        "RFC",
        "GPT",
        "ES",
        "CVE",
        "UTC",
        "HTTP",
        "P",
        "V",
        "H",
        "L",
        "Q",
        "CP",
        "ADR",
        "AES",
        "RSA",
        "TLS",
        "B",
        "PART",
        "STEP",
        "PHASE",
        "WEEK",
        "DAY",
        "ROUND",
        "SPRINT",
    ]
)


_BY_VALUE: dict[str, Status | None] = {"": None, **{status.value: status for status in Status}}


class Heading(NamedTuple):
    """What the heading of an entry says; ids may be empty and title may be missing."""

    ids: tuple[str, ...]
    title: str | None
    date: Date | None
    status: Status | None
    session: bool
    """It counts sessions, iterations or the like."""
    number: int | None = None
    """Which of them it is, where a whole number says so."""
    tag: str = ""
    """What is in parentheses right behind the ids; `authored.id_scopes` decides whether it is a plan."""


def heading_reader(known: Mapping[str, str], memo: Memo) -> Callable[[str], Heading]:
    """Return what reads headings as `read_heading` does; `memo` remembers them for the next process."""
    remembered = memo.of_key(f"{__name__}.heading")
    ids = content_digest(repr(sorted(known)).encode("utf-8", "replace")).decode() if known else ""

    def read(text: str) -> Heading:
        ids_, title, date, status, *rest = remembered((text, ids), text, partial(_plain_heading, text, known))
        return Heading(ids_, title, Date(*date) if date else None, _BY_VALUE[status], *rest)

    return read


def _plain_heading(text: str, known: Mapping[str, str]) -> tuple[Any, ...]:
    """Return what a heading says in plain values."""
    ids, title, date, status, *rest = read_heading(text, known)
    return ids, title, date and tuple(date), status.value if status else "", *rest


def read_heading(text: str, known: Mapping[str, str]) -> Heading:
    """Take a heading apart; `known` are the ids of the plan, which need no particular form."""
    text = plain(shortened(text, _LONGEST))
    mark = parse_mark(text) if text[:1] in LEADING_MARKS else None
    text = undecorated(text)
    date = find_date(text)
    if date and text[max(0, date.start - 1) : date.start] in _QUOTES:
        date = None  # quoted: an example, or data
    if date:
        text = _without_date(text, date)
    text, status = _without_status(text)
    report = _REPORT.match(text)
    text = text[report.end() :] if report else text
    session = _SESSION.match(text)
    counted = bool(session and (session["number"] or session["end"].strip() or _is_dated(session, date)))
    number = session["number"] or "" if session and counted else ""
    if session and counted:
        text = text[session.end() :]
    text, status = _without_lead(undecorated(text).lstrip(_SEPARATORS), status)
    ids, text = _leading_ids(text, known)
    tag = _TAG.match(text) if ids and "(" in text else None
    if ids:
        text, more = _status_behind_id(text)
    elif status and _NAME.fullmatch(text):
        ids, text, more = (text,), "", status
    else:
        text, more = _without_status(text)
        ids, text = _trailing_id(text, known)
    title = _title_of(text, with_id=bool(ids))
    if counted and (_BARE.fullmatch(title) or (text[-1:] == ")" and _says_who(title))):
        title = ""  # "Session 2 Completed" has a status, and no title, "Session 2 (Ana + agent)" neither
    which = int(number) if number.isdigit() else None
    status = more or status or (mark if ids else None)
    return Heading(ids, title or None, date, status, counted, which, tag[1].strip() if tag else "")


def _without_date(text: str, date: Date) -> str:
    """Take a date out of a heading; a parenthesis that ends with it stays closed: `(seen 2026-03-08)`."""
    before, after = text[: date.start].rstrip(_SEPARATORS), text[date.end :].lstrip(_SEPARATORS)
    if text[date.end - 1 : date.end] == ")" and before.count("(") > before.count(")"):
        return f"{before}){after}"
    return f"{before} {after}".strip()


def _says_who(title: str) -> bool:
    return bool(_AGENT.search(title) and _WHO.fullmatch(title))


def _without_lead(text: str, status: Status | None) -> tuple[str, Status | None]:
    """Take off what may precede an id: `Task`, `feat:`, `Completed`."""
    lead = _LEAD_WORDS.match(text)
    if lead:
        text = text[lead.end() :]
    verb = _VERB.match(text)
    if not verb:
        return text, status
    return text[verb.end() :], status or parse_verb(verb["word"])


def _status_behind_id(text: str) -> tuple[str, Status | None]:
    """Take the status off the text after an id: `: DONE - title`, `: title (done)`, or a bare `done`."""
    text, status = _without_status(f" - {text.lstrip(_SEPARATORS)}")
    text = text.lstrip(_SEPARATORS)
    leading = _LEADING_STATUS.match(text)
    return (text[leading.end() :], status_of(leading[1])) if leading else (text, status)


def _title_of(text: str, *, with_id: bool) -> str:
    title = _HASH.sub("", text).lstrip(_SEPARATORS + ".").rstrip(" \t-–—:：|·•,~.") if text else ""
    if title.count(")") > title.count("("):
        title = title.replace(")", "", 1).strip()
    if title[-1:] == "*" and title.count("*") % 2:
        title = title[:-1].rstrip()  # of emphasis whose other end went with a status
    if with_id and title.startswith("(") and title.endswith(")") and not _CLOSED_EARLY.match(title):
        is_title = title.count(" ") >= _TITLE_GAPS or len(title) > _LONGEST_TAG
        return title[1:-1] if is_title else ""  # a tag such as (retry) is no title
    return title


def _is_dated(session: re.Match[str], date: Date | None) -> bool:
    """Distinguish `Session 2026-01-05`, which counts, from `2026-01-05 - Session Complete`, a mark."""
    after = date is not None and date.start > 0
    return after and not _BARE.fullmatch(session.string[session.end() :].strip() or "x")


def status_of(text: str) -> Status | None:
    """Return the status a value such as `✅ Complete (all tests pass)` stands for, or None."""
    text = plain(text).strip()
    words = re.split(r"\s*[(（,;:.。|–—]|\s-\s", undecorated(text), maxsplit=1)[0].strip()
    exact = parse_status(words) if words else None
    return exact or parse_mark(text) or (parse_wording(words.split(" ", 1)[0]) if words else None)


def _without_status(text: str) -> tuple[str, Status | None]:
    found = _TRAILING_STATUS.search(text) if text else None
    if not found or not (found["word"] or found["mark"] or found["after"]):
        return _without_told_status(text) if text[-1:] in _MAY_END_STATUS else (text, None)
    status = (parse_wording(found["word"]) if found["word"] else None) or first_mark(
        f"{found['mark']}{found['after']}"
    )
    return (text[: found.start()], status) if status else (text, None)


def _without_told_status(text: str) -> tuple[str, Status | None]:
    """Take off a status with a remark behind it, or a mark with what it means."""
    called = _CALLED.search(text) if text[-1:] != ")" else None
    if called and (status := first_mark(called["mark"])):
        return text[: called.start()], status
    remark = _REMARKED.search(text)
    bare, status = _without_status(text[: remark.start()]) if remark else (text, None)
    return (bare, status) if status else (text, None)


def _leading_ids(text: str, known: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """Take the ids off the beginning of a text, lists and ranges too."""
    first, rest = _one_id(text, known)
    if not first:
        return (), text
    ids = [first]
    while rest:
        gap = _RANGE.match(rest)
        last, after = _one_id(rest[gap.end() :], known, like=ids[-1]) if gap else ("", rest)
        span = _between(ids[-1], last) if last else []
        if span:
            ids += span
            rest = after
            continue
        join = _JOIN.match(rest)
        other, after = _one_id(rest[join.end() :], known, like=ids[-1]) if join else ("", rest)
        if not other:
            break
        ids.append(other)
        rest = after
    return tuple(dict.fromkeys(ids)), rest


def _one_id(text: str, known: Mapping[str, str], like: str = "") -> tuple[str, str]:
    """Return the id a text begins with and what follows; `like` is the one before it in a list."""
    unit = _UNIT.match(text)
    number = (_NUMBER.match(text, unit.end()) or _SPAN.match(text, unit.end())) if unit else None
    if number:
        return number[1], text[number.end() :]
    if like and (number := _NEXT.match(text)) and (like.isdigit() or "-" in like):
        prefix = "" if like[0].isdigit() else like[: like.rindex("-") + 1]
        return prefix + number[1], text[number.end() :]
    found = _LEADING.match(text) or _LISTED.match(text)
    if found and (_is_id(found[1], known) or (found[1][1:].isdigit() and _STATED.match(text, found.end()))):
        return found[1].lstrip("#"), text[found.end() :]
    slug = _SLUG.match(text)
    if slug:
        return slug[1], text[slug.end() :]
    return _known_id(text, known)


def _is_id(word: str, known: Mapping[str, str]) -> bool:
    if word in known or word[0] in "#0123456789abcdef":
        return word[0] != "0" or len(word) > 8 or word in known  # noqa: PLR2004 - 0.1 is a version
    return re.split(r"[-_\d]", word, maxsplit=1)[0] not in _NOT_IDS


def _known_id(text: str, known: Mapping[str, str]) -> tuple[str, str]:
    """Return an id of the plan that a text begins with, as a whole word followed by a separator."""
    word = re.split(r"[\s:：,;)\]]", text.lstrip("[("), maxsplit=1)[0]
    if word and word in known and not word.isdigit():
        return word, text.lstrip("[(")[len(word) :].lstrip("])")
    return "", text


def _trailing_id(text: str, known: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    found = _TRAILING_ID.search(text)
    if found and found[1][0] not in "#0123456789" and _is_id(found[1], known):
        return (found[1],), text[: found.start()]
    return (), text


def _between(first: str, last: str) -> list[str]:
    """Return the ids after `first` up to `last` of one series, empty where they are none."""
    head, tail = re.match(r"(.*?)(\d+)$", first), re.match(r"(.*?)(\d+)$", last)
    if not head or not tail or head[1] != tail[1]:
        return []
    start, end = int(head[2]), int(tail[2])
    if not start < end <= start + 200:
        return []
    return [f"{head[1]}{number:0{len(head[2])}}" for number in range(start + 1, end + 1)]
