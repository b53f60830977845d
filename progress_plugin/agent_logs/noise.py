"""Recognise text that says nothing to a later reader: empty, placeholder, bare date, checks that passed."""

from __future__ import annotations

import re
from functools import cache

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.sections import word_list
from progress_plugin.core.tables import read_json_table
from progress_plugin.plans.status_phrases import fold_phrase, statuses
from progress_plugin.text.labels import plain, split_label, undecorated

MAX_NOISE_CHARS = 200  # a longer text says something
MIN_TEXT_CHARS = 4  # shorter ASCII text says nothing
MAX_MARK_CHARS = 80
MAX_LABEL_WORDS = 2
MAX_STATUS_WORDS = 8  # more than any status phrase has


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    expressions = read_json_table(__file__, "words.json")[kind].values()
    return re.compile("|".join(f"(?:{''.join(expression)})" for expression in expressions), re.IGNORECASE)


def is_empty(text: str) -> bool:
    """Return whether a text only says that there is nothing: "None yet", or a template's placeholder."""
    words = _bare(text)
    return len(text) <= MAX_NOISE_CHARS and (not words or _matches("empty", text, words))


def is_run_mark(text: str) -> bool:
    """Return whether a text only sums up a plan or a run: `PRD Status: COMPLETE`, `Session 3 started`."""
    words = [word.strip(":.,!()*—–-").casefold() for word in _bare(text[:MAX_MARK_CHARS]).split()]
    words = [word for word in words if word and not word.isdigit()]
    subject, marks = words[:1], words[1:3] if len(words) > 1 else words
    is_about_run = len(words) == 1 or word_list("run_subjects").issuperset(subject)
    return is_about_run and not word_list("run_marks").isdisjoint(marks)


def is_noise(text: str) -> bool:
    """Return whether a text says nothing that a later reader could use, or begins with struck-out words."""
    name, value = split_label(text)
    if value.startswith("~~"):
        return True
    if len(text) > MAX_NOISE_CHARS:
        return False
    if name and _bare(value) and is_empty(value):
        return True
    words = _bare(text)
    is_short = len(words) < MIN_TEXT_CHARS and words.isascii()
    is_status = words.count(" ") < MAX_STATUS_WORDS and fold_phrase(words) in statuses("phrases")
    if is_short or is_status or _is_bare_date(words):
        return True
    return _matches("empty", text, words) or _matches("noise", text, words)


def is_report(text: str) -> bool:
    """Return whether a text only reports a result of its day: checks that passed, work that was finished."""
    words = _bare(text[: MAX_NOISE_CHARS + 1])
    if len(text) > MAX_NOISE_CHARS or not words:
        return False
    is_foreign = not words.isascii() and any(phrase in words for phrase in word_list("foreign_status"))
    return is_foreign or _matches("report", text, words)


def _is_bare_date(words: str) -> bool:
    """Return whether a text is a date, with at most a label of two words: `Started: 2026-01-05 09:10`."""
    date = find_date(words)
    return date is not None and len((words[: date.start] + words[date.end :]).split()) <= MAX_LABEL_WORDS


def _bare(text: str) -> str:
    return undecorated(plain(text)).strip(" -–—*.!✓✅")


def _matches(kind: str, text: str, words: str) -> bool:
    return bool(_pattern(kind).fullmatch(words) or (text[0] in "`[_" and _pattern(kind).fullmatch(text)))
