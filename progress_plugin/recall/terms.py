"""The terms of a text, for what is indexed as for what is asked: stems, parts of names, pairs.

SQLite's own tokenizers know neither that `camelCase` has two words nor where one ends in Chinese; its
trigrams find nothing shorter than three letters, and most Chinese words have two. So terms are made here,
and the index sees nothing but them.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any

from progress_plugin.text.patterns import LazyPattern

_WIDE = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts without blanks between words: Thai, Lao, Khmer, Japanese, Chinese; Korean sets them elsewhere."""
WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
STOP_WORDS = frozenset(WORDS["stop"].split())
_ENDINGS = ("ing", "ies", "ed", "es", "s")
MIN_STEM_CHARS = 4
_TOKEN = LazyPattern(rf"[{_WIDE}]+|[^\W_{_WIDE}]+")
_ASCII_TOKEN = LazyPattern(r"[a-zA-Z0-9]+")
_RUN = LazyPattern(f"[{_WIDE}]")
_PART = LazyPattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_AS_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_TWO = LazyPattern("([aou])e(?=[^\\W_])")
MAX_WORD_CHARS = 64  # a longer one is a hash or a blob, and found by its beginning


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
    letters = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(filter(_is_no_mark, letters)))


def _is_no_mark(letter: str) -> bool:
    return not "\u0300" <= letter <= "\u036f"
