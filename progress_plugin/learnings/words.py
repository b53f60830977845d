"""The words of a learning: all of them for the rules, those that carry meaning for comparing.

What a line of the summary says already is compared by other words: `worth.said_already` (`words_of`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern

_STOP_WORDS = (
    "a about all also always an and any are as at be been being both but by can could do does each etc for "
    "from get had has have how if in into is it its just like make may might more most much need needs no "
    "not of on one only or other our out over same should so some such than that the their them then there "
    "these they this those to up use used uses using very via was we were what when where which while will "
    "with within would you your"
)
STOP = frozenset(_STOP_WORDS.split())
"""Words that say nothing of what a text is about."""
_WIDE = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ENDINGS = ("ing", "ies", "ed", "es", "s")
_LAST = ("g", "d", "s")
_SHORTEST_STEM = 4
# Bytes are split by a table six times as fast as text by a pattern, and every learning is split twice. The
# bytes of other scripts pass through as they are.
_PUNCTUATION = b'`~!#%^&*()=+[]{}\\|;",<>?\n\t'
_NO_LETTERS = _PUNCTUATION + b"0123456789_@$-:./"
_TOKENS = bytes.maketrans(_PUNCTUATION + b"'", b" " * (len(_PUNCTUATION) + 1))
_LETTERS_ONLY = bytes.maketrans(_NO_LETTERS, b" " * len(_NO_LETTERS))
_WIDE_SIGNS = LazyPattern(r"[‘’“”…–—→←↔•·（）：，。、「」]")
_OTHER_SCRIPT = bytes([*range(0xD0, 0xD4), *range(0xE3, 0xEE)])
"""What characters from Cyrillic to Hangul begin with in UTF-8; dashes, arrows and accents do not."""
_PARTS = LazyPattern(r"[./:-]+")
_MARKED = LazyPattern(r"`([^`\s]{2,60})`")
_NAMED = LazyPattern(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z0-9]+(?:_[a-z0-9]+)+)\b")
_JOINED = LazyPattern(r"[\w$@./-]+")
_CERTAIN = LazyPattern(r"\d|[/.]\w")
"""What a word has that is a figure, a path or a dotted name."""
_CAPITAL = LazyPattern(r"(?<=[\w,;)`] )[A-Z]\w+|\b[A-Z]{2,}\b")
"""A word with a capital inside of a sentence."""
_CAMEL = LazyPattern(r"[A-Z](?<!\w.)[a-z0-9]+(?:[A-Z][a-z0-9]*)+\b")
_SNAKE = LazyPattern(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")


@lru_cache(maxsize=16)
def bare_words(text: str) -> frozenset[bytes]:
    """Return the words of a text in small letters, as UTF-8; the last texts are kept, rules ask in rows."""
    if not text.isascii():
        text = _without_signs(text)
    return frozenset(text.lower().encode(errors="replace").translate(_LETTERS_ONLY).split())


def word_set(words: str) -> frozenset[bytes]:
    """Return words for comparing with `bare_words`."""
    return frozenset(words.encode().split())


def may_be_foreign(text: str) -> bool:
    """Return whether a text has letters of another script than the Latin: most have only a dash or arrow."""
    if text.isascii():
        return False
    data = text.encode(errors="replace")
    return len(data.translate(None, _OTHER_SCRIPT)) != len(data)


def words_of(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning; names of code whole, paths by their last part.

    Scripts without spaces give pairs of neighbouring characters.
    """
    pairs: list[str] = []
    if may_be_foreign(text):
        for run in _WIDE.findall(text):
            pairs += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
        text = _WIDE.sub(" ", text)
    if not text.isascii():
        text = _without_signs(text)
    tokens = text.encode(errors="replace").lower().translate(_TOKENS).decode().split()
    return frozenset(chain(pairs, chain.from_iterable(map(_stems, tokens))))


def _without_signs(text: str) -> str:
    """Return a text with spaces for typographic signs, its apostrophes plain."""
    text = text.replace("—", " ").replace("→", " ")  # mostly there is no other
    return text if text.isascii() else _WIDE_SIGNS.sub(" ", text.replace("’", "'"))


@lru_cache(maxsize=16384)
def _stems(word: str) -> tuple[str, ...]:
    token = word.strip("./:-").lower()
    if token.isalnum():  # nine of ten
        return () if token in STOP else (stem(token),)
    parts = _PARTS.split(token)
    if "/" in token or "." in token:  # a path or a dotted name: `src/db.ts`, `lib/db.ts` and `db.ts` are one
        parts = parts[-2:] if "." in token else parts[-1:]
    return tuple([stem(part) for part in parts if part and part not in STOP])


def stem(word: str) -> str:
    """Return a word in small letters without its ending, so that its forms are one."""
    if word.endswith(_LAST):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
                word = word[: -len(ending)]
                break
    return word[:-1] if len(word) > _SHORTEST_STEM and word.endswith("e") else word


def has_name(text: str) -> bool:
    """Return whether `names_in` finds anything in a text."""
    return bool(_MARKED.search(text) or ("_" in text and _SNAKE.search(text)) or _CAMEL.search(text))


def names_in(text: str) -> tuple[str, ...]:
    """Return what a text has in code marks and its CamelCase or snake_case names, in order."""
    return tuple(dict.fromkeys((*_MARKED.findall(text), *_NAMED.findall(text))))


class Names(NamedTuple):
    """The names in a text, as `words_of` has them."""

    certain: frozenset[str]
    """Those with code marks, figures, capitals inside or underscores, and paths."""
    all_of_them: frozenset[str]
    """These, and words with a capital inside of a sentence."""


def _certain_in(text: str) -> list[str]:
    """Return the words of a text that have a figure in them, its paths and dotted names."""
    return [word.rstrip("./-") for word in _JOINED.findall(text) if _CERTAIN.search(word)]


@lru_cache(maxsize=2048)
def names_among(text: str) -> Names:
    """Return which words of a text name something."""
    found = frozenset(chain.from_iterable(map(words_of, (*names_in(text), *_certain_in(text)))))
    return Names(found, found.union(*map(words_of, _CAPITAL.findall(text))))
