"""Distinguish secrets from other values next to the name of a secret: placeholders, code, names."""

from __future__ import annotations

import re
from functools import cache, partial

from progress_plugin.core.tables import read_rows, word_set
from progress_plugin.text.patterns import LazyPattern

MAX_VALUE = 400
_MIN_GENERATED = 8
_MIN_RANDOM_PARTS = 3
_MIN_RANDOM_SHARE = 0.4
_MIN_SPOKEN_CHARS = 3
_MIN_PHRASE = 3
_PASSPHRASE_WORDS = range(2, 9)

_JOINED_WORDS = LazyPattern(
    r"(?:(?:^|[-_.+/,&]{1,2})(?:e2e|k8s|i18n|l10n|a11y|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+[a-z]?))+$"
)
_PARTS = LazyPattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\w\s]")
_LETTERS = LazyPattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_VOWEL = LazyPattern("[aeiouyAEIOUY]")
_MIXED = LazyPattern(r"(?=[ -~]*[A-Za-z])(?=[ -~]*[\d!#$%^&*=~?+@])[!-~]{5,}")
_WEAK_PASSWORD = LazyPattern(r"(?:test|admin|root|user|pass(?:word)?|welcome|login|guest)\d{2,}!?$")
_WORD = LazyPattern(r"[^\W\d_]+$")
_MARKS = ".!?:,;*_"

word_list = partial(word_set, __file__, "secret_words.json")  # by name, e.g. `stop`


@cache
def _kind(name: str) -> re.Pattern[str]:
    """Return the pattern of a kind of values in `value_kinds.tsv`."""
    rows = read_rows(__file__, "value_kinds.tsv")
    return re.compile("|".join(pattern for kind, pattern, _example in rows if kind == name))


def looks_generated(value: str) -> bool:
    """Return whether a word is random characters: digits among letters that cannot be spoken."""
    value = value[:MAX_VALUE]
    has_digit = any(map(str.isdigit, value))
    if (
        len(value) < _MIN_GENERATED
        or not has_digit
        or _kind("name").match(value)
        or _JOINED_WORDS.match(value)
    ):
        return False
    parts = _PARTS.findall(value)
    random = [part for at, part in enumerate(parts) if _looks_random(part, is_edge=at in (0, len(parts) - 1))]
    weight = sum(len(part) + (not part.isalnum()) for part in random)  # a sign counts twice
    return len(random) >= _MIN_RANDOM_PARTS and weight >= _MIN_RANDOM_SHARE * len(value)


def _looks_random(part: str, *, is_edge: bool) -> bool:
    if part.isdigit():
        return not is_edge
    if not part.isalpha():
        return not is_edge and part not in "./:@-"
    return len(part) < _MIN_SPOKEN_CHARS or not _VOWEL.search(part)


def looks_mixed(value: str) -> bool:
    """Return whether a word has letters and digits or signs, and does not name something: `hunter2`."""
    value = value[:MAX_VALUE].rstrip(_MARKS)
    return (
        bool(_MIXED.match(value))
        and not is_reference(value)
        and (looks_generated(value) or not is_name(value))
    )


def is_reference(value: str) -> bool:
    """Return whether a value is a name for another one: a variable, a template, a placeholder."""
    value = value[:MAX_VALUE]
    if "[REDACTED:" in value or _kind("reference").match(value):
        return True
    words = [word.lower() for word in _LETTERS.findall(value)]
    placeholders = word_list("placeholder")
    return not placeholders.isdisjoint(words) and all(
        word in placeholders or is_technical(word) for word in words
    )


def is_name(value: str) -> bool:
    """Return whether a value names something: a type, a variable, a path, a count, or a technical word.

    Of three or more words only the last counts: `my-jwt-secret` is a name, `please-rotate-moonlight` is not.
    """
    value = value[:MAX_VALUE].rstrip(_MARKS)
    if _WEAK_PASSWORD.match(value):
        return False
    if not value or _kind("name").match(value):
        return True
    words = _LETTERS.findall(value)
    return any(map(is_technical, words if len(words) < _MIN_PHRASE else words[-1:]))


def is_technical(word: str) -> bool:
    """Return whether a word belongs to programs and forms: `field`, `token`, `string`."""
    return word.lower() in word_list("technical")


def is_state(value: str) -> bool:
    """Return whether a word describes a password or is common in sentences: `required`, `wrong`, `from`."""
    word = value.strip(_MARKS).lower()
    return word in word_list("state") or word in word_list("stop")


def is_passphrase(text: str) -> bool:
    """Return whether a text is ordinary words that make no sentence: `correct horse battery staple`."""
    words = text.strip(_MARKS).split()
    return len(words) in _PASSPHRASE_WORDS and all(
        _WORD.match(word) and not is_technical(word) and word.lower() not in word_list("stop")
        for word in words
    )
