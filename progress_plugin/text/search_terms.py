"""The terms of passages and questions: stems, parts of names, pairs.

SQLite's own tokenizers do not split `camelCase`, and do not know where a Chinese word ends. Its trigrams find
no word under three letters, but most Chinese words have two. So this module makes the terms, and only they
are indexed.
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
"""Scripts without blanks between words, and Korean, which joins particles to words."""
WORDS = read_json_table(__file__, "search_words.json")
STOP_WORDS = frozenset(WORDS["stop"].split())
_ENDINGS = ("ing", "ies", "ed", "es", "s")
MIN_STEM_CHARS = 4
_TOKEN = LazyPattern(rf"[{_WIDE}]+|[^\W_{_WIDE}]+")
_ASCII_TOKEN = LazyPattern(r"[a-zA-Z0-9]+")
_WIDE_LETTER = LazyPattern(f"[{_WIDE}]")
_PART = LazyPattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WORD = LazyPattern(r"[^\W_]+")
_ACCENTS = LazyPattern("[\u0300-\u036f]+")
_UMLAUTS_AS_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_TWO_AS_UMLAUT = LazyPattern("([aou])e(?=[^\\W_])")
MAX_WORD_CHARS = 64  # a longer one is a hash or a blob, and found by its beginning
MAX_QUESTION_CHARS = 2000
MAX_TERMS = 40
_ASKING: str = WORDS["asking"]
"""Question words of several languages; they are searched only if a question has no other words."""
_ASKING_WIDE = LazyPattern(WORDS["asking in wide scripts"])
_GENERAL: str = WORDS["general"]
"""Words that say little in a log of work: like those of `_MEANINGS`, they are weak terms."""
_MEANINGS: dict[str, str] = WORDS["meanings"]  # words by the kind of answer that they ask for
_ALSO: dict[str, str] = WORDS["also"]  # kinds of answer by words that are not searched
_ID = LazyPattern(r"[^\W\d_]+-\d+(?:[.-]\d+)*")
"""The id of a story or a ticket: `US-012`, `HARB-7`."""
_PUNCTUATION = "?!,.:;()[]\"'`"


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in its order; words that say nothing are left out.

    `lastTide` gives the whole name and its parts; `last_tide` and a path give only their parts.
    """
    is_plain = text.isascii()
    tokens = _ASCII_TOKEN.findall(text) if is_plain else _TOKEN.findall(_without_accents(text))
    return [term for token in tokens for term in _terms(token)]


def spellings(word: str) -> tuple[str, ...]:
    """Return a name of several parts as other places may spell it: `isShut` as `is_shut`, and as one word.

    In German `ü` may be spelt `ue`, and the other way round; the index has no accents.
    """
    umlauts = [word.casefold().translate(_UMLAUTS_AS_TWO), _TWO_AS_UMLAUT.sub(r"\1", word.casefold())]
    spelt = [" ".join(terms_of(each)) for each in umlauts if each != word.casefold()]
    parts = (_PART if word.isascii() else _WORD).findall(word)
    if len(parts) > 1 and not (word.isupper() and "_" not in word):
        spelt = [" ".join(terms_of(" ".join(parts))), " ".join(terms_of("".join(parts).lower())), *spelt]
    return tuple(term for term in spelt if term)


@lru_cache(maxsize=32768)
def _terms(token: str) -> tuple[str, ...]:
    if token.islower() or token.isdigit():  # nearly all
        return _single(token)
    if not token.isascii() and _WIDE_LETTER.match(token):
        return tuple(token[at : at + 2] for at in range(max(1, len(token) - 1)))
    whole = _single(token.casefold())
    if token[1:].islower() or token.isupper() or not token.isascii():
        return whole
    parts = _PART.findall(token[:MAX_WORD_CHARS])
    return whole if len(parts) < 2 else (*whole, *(term for part in parts for term in _single(part.lower())))  # noqa: PLR2004 - a word of one part


def _single(word: str) -> tuple[str, ...]:
    return () if word in STOP_WORDS else (_stem(word[:MAX_WORD_CHARS]),)


def _stem(word: str) -> str:
    """Return a word in lower case without its ending, so that its forms are equal."""
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
    """One term of a question: stems that follow each other."""

    text: str  # stems separated by blanks, without any character that SQLite takes for an operator
    is_name: bool  # it has several parts, a digit or unusual capitals, or is a part of such a name
    is_part: bool = False  # a part of a name that is another term
    is_weak: bool = False  # describes the kind of answer rather than its subject
    id: str = ""  # the id as asked, `US-012`: neither a part of it nor a longer id matches


class Question(NamedTuple):
    """The terms of a question, and the kind of answer that it wants."""

    terms: tuple[Term, ...]
    answer_kinds: frozenset[str]  # keys of `_MEANINGS` and values of `_ALSO`

    @property
    def topic(self) -> str:
        """`blocker`, `next` or `command` if the question asks for nothing else; else empty."""
        if not self.terms or not all(term.is_weak for term in self.terms):
            return ""
        if "blocker" in self.answer_kinds:
            return "blocker"
        if "next" in self.answer_kinds and "checks" not in self.answer_kinds:
            return "next"
        return "" if _stems("run command").isdisjoint(term.text for term in self.terms) else "command"


def question_of(words: str) -> Question:
    """Read a question. Raises BadInput for a text that is too long."""
    if len(words) > MAX_QUESTION_CHARS:
        raise BadInput(f"the question has {len(words)} characters; at most {MAX_QUESTION_CHARS} are allowed")
    plain = _ASKING_WIDE.sub(" ", normalise_query(words))
    found: dict[str, Term] = {}
    asked: dict[str, Term] = {}
    answer_kinds: set[str] = set()
    for word in plain.split():
        stems = terms_of(word)
        phrase = " ".join(stems)
        spelt_otherwise = spellings(word)
        is_name = len(stems) > 1 or any(map(str.isdigit, word)) or not (word.islower() or word.istitle())
        answer_kinds.add(_ALSO.get(word.strip("?!,.:;").lower(), ""))
        named = id_.group() if len(stems) > 1 and (id_ := _ID.fullmatch(word.strip(_PUNCTUATION))) else ""
        parts = () if named else stems
        for stem in dict.fromkeys((phrase, *spelt_otherwise, *parts) if stems else ()):
            is_part = stem != phrase
            is_weak = not is_name and (stem in _stems(_GENERAL) or bool(_meanings_of(stem)))
            if not is_part:
                answer_kinds |= _meanings_of(stem)
            term = Term(stem, is_name, is_part, is_weak, "" if is_part else named)
            (asked if stem in _stems(_ASKING) else found).setdefault(stem, term)
    terms = tuple((found or asked).values())[:MAX_TERMS]
    return Question(terms, frozenset(answer_kinds - {""}))
