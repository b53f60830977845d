"""Decide which kind of section a heading or label announces, by tables of words in JSON files."""

from __future__ import annotations

from functools import cache, lru_cache, partial

from progress_plugin.core.tables import read_json_table, word_set
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.patterns import LazyPattern

MAX_NAME_CHARS = 70
MAX_LEADING_WORDS = 4

TEACHING = frozenset({"learned", "pattern", "gotcha", "dependency"})  # their statements are learnings
_NUMBERING = LazyPattern(r"^(?:\d+[.)]\s*|#+\s*)+")
_NUMBER = LazyPattern(r"\s#?\d+$")
_REMARK = LazyPattern(r"\s*[(（\[].*$")
_WORD = LazyPattern(r"[\w'’-]+|[&+/,:—–]")

word_list = partial(word_set, __file__, "words.json")  # by name, e.g. `advice`
_names = partial(word_set, __file__, "sections.json")


@cache
def _by_phrase(kind: str) -> dict[str, str]:
    return {
        phrase: section
        for section, phrases in read_json_table(__file__, "sections.json")[kind].items()
        for phrase in phrases
    }


def normalise(name: str) -> str:
    """Return a name in small letters, without marks, numbering, emoji and closing punctuation."""
    bare = undecorated(_NUMBERING.sub("", undecorated(plain(name)).casefold()))
    return _NUMBER.sub("", bare.replace("’", "'").rstrip(" :：.!-–—*"))


@lru_cache(maxsize=4096)
def section_of(name: str, *, exactly: bool = False) -> str | None:
    """Return the section that a heading or label of this name announces, or None for an unknown name.

    `exactly`: a known word somewhere among the first words is not enough.
    """
    whole = normalise(name[: 3 * MAX_NAME_CHARS])
    bare = _REMARK.sub("", whole)
    if not bare or len(bare) > MAX_NAME_CHARS:
        return None
    if bare in _by_phrase("phrases"):
        return _by_phrase("phrases")[bare]
    section = None
    if bare.startswith(tuple(_by_phrase("beginnings"))):
        beginnings = _by_phrase("beginnings").items()
        section = next(section for beginning, section in beginnings if bare.startswith(beginning))
    section = section or _section_of_words(_WORD.findall(bare), exactly=exactly) or _section_of_stem(bare)
    if section is None and bare != whole and any(each.isalpha() and not each.isascii() for each in bare):
        return section_of(
            whole[len(bare) :].strip(" ()（）[]"), exactly=exactly
        )  # `既知の問題 (Known Issues)`
    return section


def _section_of_words(words: list[str], *, exactly: bool) -> str | None:
    """Return the section of the last word if it is in TEACHING (`Decisions & Learnings`), else the head's.

    Unless `exactly`, one of the first words is enough.
    """
    known, heads = _by_phrase("any_words"), _by_phrase("last_words")
    if words and heads.get(words[-1]) in TEACHING and not any(word.endswith("ed") for word in words[:-1]):
        return heads[words[-1]]
    section = _section_of_head(words)
    if section or exactly:
        return section
    return next((known[word] for word in words[:MAX_LEADING_WORDS] if word in known), None)


def _section_of_head(words: list[str]) -> str | None:
    """Return the section of a name's head: the name without qualifiers before it and without its tail."""
    head = _without_tail(words)
    for start in range(len(head)):
        if section := _by_phrase("phrases").get(" ".join(head[start:])):
            return section
        if head[start] not in _names("qualifiers") and not head[start].isdigit():
            break
    is_verb_before = any(word.endswith("ed") for word in head[:-1])
    return None if is_verb_before or not head else _by_phrase("last_words").get(head[-1])


def _without_tail(words: list[str]) -> list[str]:
    """Return the words before a tail: `patterns` of `patterns discovered in the code`."""
    end = next((at for at, word in enumerate(words) if at and word in _names("tails")), len(words))
    return words[:end]


def _section_of_stem(name: str) -> str | None:
    """Return the section whose stem is in a name, unless the name is a sentence; few stems are English."""
    if any(mark in name for mark in "，。；、"):
        return None
    for section, stems in read_json_table(__file__, "sections.json")["stems"].items():
        if any(map(name.__contains__, stems)):
            return str(section)
    return None


@lru_cache(maxsize=4096)
def is_report_label(name: str) -> bool:
    """Return whether a text behind this label is a report and no learning: `Findings: 3 issues`."""
    return normalise(name) in _names("reporting")


@lru_cache(maxsize=4096)
def is_neutral(name: str) -> bool:
    """Return whether a sentence keeps its meaning without this label in front of it."""
    words = _WORD.findall(normalise(name))
    return " ".join(_without_tail(words)) in _names("neutral")
