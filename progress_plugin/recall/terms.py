"""The terms of passages and questions: stems, parts of names, pairs.

SQLite's own tokenizers know neither that `camelCase` has two words nor where one ends in Chinese; its
trigrams find nothing shorter than three letters, and most Chinese words have two. So terms are made here,
and the index sees nothing but them.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.tables import read_json_table
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import normalise_query

_WIDE = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts without blanks between words: Thai, Lao, Khmer, Japanese, Chinese; Korean sets them elsewhere."""
WORDS = read_json_table(__file__, "words.json")
STOP_WORDS = frozenset(WORDS["stop"].split())
_ENDINGS = ("ing", "ies", "ed", "es", "s")
MIN_STEM_CHARS = 4
_TOKEN = LazyPattern(rf"[{_WIDE}]+|[^\W_{_WIDE}]+")
_ASCII_TOKEN = LazyPattern(r"[a-zA-Z0-9]+")
_RUN = LazyPattern(f"[{_WIDE}]")
_PART = LazyPattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ACCENTS = LazyPattern("[\u0300-\u036f]+")
_AS_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_TWO = LazyPattern("([aou])e(?=[^\\W_])")
MAX_WORD_CHARS = 64  # a longer one is a hash or a blob, and found by its beginning
MAX_QUESTION_CHARS = 2000
MAX_TERMS = 40
_ASKING: str = WORDS["asking"]
"""Words that ask, in the languages agents are asked in; beside other words nothing is looked for by them."""
_ASKING_WIDE = LazyPattern(WORDS["asking in wide scripts"])
_GENERAL: str = WORDS["general"]
"""Words that say little in a log of work: they count like those of `_MEANINGS`."""
_MEANINGS: dict[str, str] = WORDS["meanings"]  # words by the kind of answer that they ask for
_ALSO: dict[str, str] = WORDS["also"]  # meanings of words that are not searched themselves
_ID = LazyPattern(r"[^\W\d_]+-\d+(?:[.-]\d+)*")
"""The id of a story or a ticket: `US-012`, `HARB-7`."""
_ROUND = "?!,.:;()[]\"'`"


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in its order; words that say nothing are left out.

    A name such as `lastTide` gives itself and its parts, `last_tide` and a path their parts.
    """
    is_plain = text.isascii()
    tokens = _ASCII_TOKEN.findall(text) if is_plain else _TOKEN.findall(_without_accents(text))
    return [term for token in tokens for term in _terms(token)]


def spellings(word: str) -> tuple[str, ...]:
    """Return a name of several parts as other places may spell it: `isShut` as `is_shut`, and as one word.

    A word of German with `ü` may be spelt with `ue`, and the other way round; the index knows no accents.
    """
    umlauts = [word.casefold().translate(_AS_TWO), _TWO.sub(r"\1", word.casefold())]
    spelt = [" ".join(terms_of(each)) for each in umlauts if each != word.casefold()]
    parts = _PART.findall(word)
    if len(parts) > 1 and not (word.isupper() and "_" not in word):
        spelt = [" ".join(terms_of(" ".join(parts))), " ".join(terms_of("".join(parts).lower())), *spelt]
    return tuple(term for term in spelt if term)


@lru_cache(maxsize=32768)
def _terms(token: str) -> tuple[str, ...]:
    if token.islower() or token.isdigit():  # nearly all
        return _single(token)
    if not token.isascii() and _RUN.match(token):
        return tuple(token[at : at + 2] for at in range(max(1, len(token) - 1)))
    whole = _single(token.casefold())
    if token[1:].islower() or token.isupper() or not token.isascii():
        return whole
    parts = _PART.findall(token[:MAX_WORD_CHARS])
    return whole if len(parts) < 2 else (*whole, *(term for part in parts for term in _single(part.lower())))  # noqa: PLR2004 - a word of one part


def _single(word: str) -> tuple[str, ...]:
    return () if word in STOP_WORDS else (_stem(word[:MAX_WORD_CHARS]),)


def _stem(word: str) -> str:
    """Return a word in small letters without its ending, so that its forms are one."""
    stems = (word.removesuffix(each) for each in _ENDINGS if word.endswith(each))
    word = next((stem for stem in stems if len(stem) >= MIN_STEM_CHARS), word)
    return word[:-1] if len(word) > MIN_STEM_CHARS and word.endswith("e") else word


def _without_accents(text: str) -> str:
    if unicodedata.is_normalized("NFC", text) and max(text) < "\u00c0":
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


@cache
def _stems(words: str) -> frozenset[str]:
    return frozenset(terms_of(words))


def _meanings_of(stem: str) -> set[str]:
    return {meaning for meaning, words in _MEANINGS.items() if stem in _stems(words)}


class Term(NamedTuple):
    """One thing to look for: stems that follow each other."""

    text: str  # stems parted by blanks, without any character that SQLite takes for an operator
    is_name: bool  # a name of code, a path or a number, which is not used for something else
    is_part: bool = False  # only a part of a name that is looked for, too
    is_weak: bool = False  # describes the kind of answer rather than its subject
    id: str = ""  # as it was asked for, if it is an id: neither a part of it nor a longer one is meant


class Question(NamedTuple):
    """The terms of a question, and the kind of answer that it wants."""

    terms: tuple[Term, ...]
    meant: frozenset[str]  # kinds of answers: keys of `_MEANINGS` and values of `_ALSO`

    @property
    def topic(self) -> str:
        """The topic if only the state is asked for: `blocker`, `next`, `command`; else empty."""
        if not self.terms or not all(term.is_weak for term in self.terms):
            return ""
        if "blocker" in self.meant:
            return "blocker"
        if "next" in self.meant and "checks" not in self.meant:
            return "next"
        return "" if _stems("run command").isdisjoint(term.text for term in self.terms) else "command"


def question_of(words: str) -> Question:
    """Read a question. Raises BadInput for a text that is too long."""
    if len(words) > MAX_QUESTION_CHARS:
        most = f"at most {MAX_QUESTION_CHARS} are looked for"
        raise BadInput(f"the question has {len(words)} characters, {most}; shorten it")
    plain = _ASKING_WIDE.sub(" ", normalise_query(words))
    found: dict[str, Term] = {}
    asked: dict[str, Term] = {}
    meant: set[str] = set()
    for word in plain.split():
        stems = terms_of(word)
        phrase = " ".join(stems)
        spelt_otherwise = spellings(word)
        is_name = len(stems) > 1 or any(map(str.isdigit, word)) or not (word.islower() or word.istitle())
        meant.add(_ALSO.get(word.strip("?!,.:;").lower(), ""))
        named = id_.group() if len(stems) > 1 and (id_ := _ID.fullmatch(word.strip(_ROUND))) else ""
        parts = () if named else stems
        for stem in dict.fromkeys((phrase, *spelt_otherwise, *parts) if stems else ()):
            is_part = stem != phrase
            is_weak = not is_name and (stem in _stems(_GENERAL) or bool(_meanings_of(stem)))
            if not is_part:
                meant |= _meanings_of(stem)
            term = Term(stem, is_name, is_part, is_weak, "" if is_part else named)
            (asked if stem in _stems(_ASKING) else found).setdefault(stem, term)
    terms = tuple((found or asked).values())[:MAX_TERMS]
    return Question(terms, frozenset(meant - {""}))
