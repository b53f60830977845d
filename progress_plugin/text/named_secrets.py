"""Find secrets by rule 2 of `text.redact`: values next to a name such as password, secret, token or key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from progress_plugin.core.tables import read_rows
from progress_plugin.text.patterns import LazyPattern, one_of
from progress_plugin.text.secret_values import (
    is_name,
    is_passphrase,
    is_reference,
    is_state,
    looks_generated,
    looks_mixed,
    word_list,
)

_MIN_SECRET = 3
_MIN_DIGITS = 6
_MIN_NEAR = 6
_MIN_WEAK = 8
_MIN_PHRASE_WORDS = 4
_MAX_PREFIX = 40
_MAX_MEMBER = 4000
_NO_QUOTES = str.maketrans("\"'`", "___")
_AFTER, _BEFORE = 60, 40  # characters around the word `password` that are searched for its value
_STRENGTHS = ("password", "key", "weak")
_END = (
    r"(?:\d{1,2}|[_-]?(?:base|prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|live|test|old|new|current|default"
    r"|confirm(?:ation)?|again|repeat|admin|root|user|app|v?\d{1,4})(?![a-z0-9]))?(?!_*[a-z0-9]|-\w)"
)
"""Words that may end the name of a secret: `DB_PASSWORD_PROD`. With others it names something else."""
_FOR = r"(?:\s(?:for|of|für|para|de|do|da|pour|от)(?:\s[^\s:=,;.!?\"]{1,40}){1,4}?)?"
_SEPARATOR = LazyPattern(
    r"(?P<closed>[\\\"'`*_~\])}]{0,4}+)(?:\s?[(\[][^()\[\]\n]{1,60}[)\]]\*{0,2})?"
    r"(?:\s{0,40}(?P<sign>(?:\?\?|\|\||[:?+|=])?=>?|->|→|：|＝|:)[*_`]{0,3}\s{0,80}(?:[|>]-?\s{1,40})?"
    r"|,?\s{0,40}[\"']?[Vv]alue(?P<value>[\"']?\s{0,3}[:=]\s{0,3})"
    r"|(?P<element>>)\s{0,80}"
    r"|(?P<listed>,\s{0,40}(?:- )?|\(\s?)(?=\\{0,3}[\"'])"
    rf"|{_FOR}\s(?P<is>(?:is|was|ist|war|lautet|es|era|est|é|to|jest)(?: now| set to)?:?)\s{{1,3}}"
    r"|(?P<spaced>[ \t]{1,3}))"
)
_VALUE = LazyPattern(
    r"[@$bfru]{0,2}(?P<q>\\{0,3}[\"'`])(?P<quoted>(?:(?!(?P=q))[^\n]){1,400})(?P=q)"
    r"|[*_\"'`「『“«]{0,2}(?P<bare>[^\s\"'`「」『』“”»。、，；\\]{1,400})"
)
_OPTION = LazyPattern(r"(?:^|(?<=[\s\"'\[(]))--?[\w-]*$")
_RANDOM_ID = LazyPattern(
    "[0-9a-f]{12,128}$|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
    "|(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]{32,}={0,2}$"
)
_END_OF_VALUE = LazyPattern(
    r"[\\\"'`*_.!?:]{0,3}(?:[ \t]*(?:$|\n|#|//|--|[,;)\]}|&]|</|\\n)|(?<=\S)[\"'`]\s)"
)
_REST_OF_SENTENCE = LazyPattern(r"[^\n.!?,;:()\"'`]{1,120}")
_MIXED_WORD = LazyPattern(r"[!#-&*+./0-9:?-\[\]^_a-z~-]{6,100}")
_NEXT = LazyPattern(
    r"[,;&|](?:[A-Za-z][\w.-]{2,40}[=:]|[&|;,]?(?:\s|$))|</|[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)


def find_named(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the value next to each name of a secret."""
    done = 0
    for name in find_names(text):
        if name.start() < done:
            continue
        value = _value_after(text, name)
        if value and _is_secret(value, name, text):
            done = value.start + len(value.text)
            yield value.start, done
        elif name["password"] and not (value and is_reference(value.text)):
            yield from _find_near(text, name)


def is_value_of(name: str, value: str) -> bool:
    """Return whether a value of one line is a secret if it belongs to a member with this name."""
    value = value.strip()
    if "\n" in value or len(value) > _MAX_MEMBER:
        return False
    line = f'"{name[-_MAX_PREFIX:]}": "{value.translate(_NO_QUOTES)}"'
    return any(end == len(line) - 1 for _, end in find_named(line))


class _Value(NamedTuple):
    """A value after the name of a secret."""

    text: str
    start: int
    joint: str  # the group of `_SEPARATOR` that matched between name and value
    is_quoted: bool
    is_last: bool  # its line or sentence ends with it


def _value_after(text: str, name: re.Match[str]) -> _Value | None:
    separator = _SEPARATOR.match(text, name.end())
    found = _VALUE.match(text, separator.end()) if separator else None
    if not (separator and found):
        return None
    is_quoted = found["quoted"] is not None
    start = found.start("quoted" if is_quoted else "bare")
    value = found["quoted"] if is_quoted else _strip_rest(found["bare"])
    rest = None if is_quoted else _REST_OF_SENTENCE.match(text, start)
    if rest and len(rest[0].split()) >= _MIN_PHRASE_WORDS:
        value = rest[0].strip() if is_passphrase(rest[0]) else value
    is_last = _END_OF_VALUE.match(text, start + len(value) + is_quoted) is not None
    return _Value(value, start, separator.lastgroup or "", is_quoted, is_last)


def _is_secret(value: _Value, name: re.Match[str], text: str) -> bool:
    word, strength = value.text, name.lastgroup
    if len(word) < _MIN_SECRET or is_reference(word) or not any(map(str.isalnum, word)):
        return False
    is_option = _OPTION.search(text, max(0, name.start() - _MAX_PREFIX), name.start()) is not None
    if value.joint == "spaced" and not (is_option or (value.is_quoted and value.is_last)):
        return False
    if looks_generated(word) or (strength == "password" and looks_mixed(word)):
        return True
    if strength == "weak":
        is_likely = is_option or sum(map(str.isdigit, word)) > 1
        return is_likely and looks_mixed(word) and len(word) >= _MIN_WEAK
    if word.isdigit():
        return len(word) >= _MIN_DIGITS
    if " " in word.strip():
        return is_passphrase(word)
    if is_state(word) or (is_name(word) and not _RANDOM_ID.match(word)):
        return False
    if value.joint == "is":
        return bool(_RANDOM_ID.match(word)) or (strength == "password" and value.is_last)
    return value.is_quoted or is_option or text[value.start - 1] == "=" or value.is_last


def _strip_rest(value: str) -> str:
    """Return an unquoted value without the bracket, comma or member that follows it."""
    if following := _NEXT.search(value):
        value = value[: following.start()]
    for opening, closing in ("()", "[]", "{}", "<>"):
        if value.endswith(closing) and opening not in value:
            value = value.rstrip(closing)
    return value.rstrip(".,:;*_|")


def _find_near(text: str, name: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the mixed words near the word password: `hunter2 is the password`."""
    line_end = text.find("\n", name.end())
    stop = min(name.end() + _AFTER, line_end if line_end >= 0 else len(text))
    begin = max(text.rfind("\n", 0, name.start()) + 1, name.start() - _BEFORE)
    yield from find_mixed_words(text, begin, name.start())
    yield from find_mixed_words(text, name.end(), stop)


def find_mixed_words(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the words in a part of a text that mix letters with digits or signs."""
    for found in _MIXED_WORD.finditer(text, begin, end):
        word = found[0].strip("*_.:?-~[]")
        at = found.start() + found[0].find(word)
        is_part = text[at - 1 : at].isalnum() or text[at + len(word) : at + len(word) + 1].isalnum()
        if len(word) >= _MIN_NEAR and not is_part and looks_mixed(word):
            yield at, at + len(word)


@cache
def _stems() -> re.Pattern[str]:
    return one_of(phrases("stems"))


def phrases(name: str) -> list[str]:
    """Return a list of words from `secret_words.json`, where `_` after the first letter is a blank."""
    return [word[0] + word[1:].replace("_", " ") for word in word_list(name)]


@cache
def _names(prefixed: str = "") -> re.Pattern[str]:
    """Return a pattern of all names, or of those after a prefix (`api` in `api_key`), grouped by strength."""
    table = [*read_rows(__file__, "secret_names.tsv")]
    groups = {name: "|".join(row[1] for row in table if row[0] == prefixed + name) for name in _STRENGTHS}
    names = "|".join(f"(?P<{name}>{patterns or '(?!)'})" for name, patterns in groups.items())
    return re.compile(f"(?:{names}){_END}", re.IGNORECASE)


def find_names(text: str) -> Iterator[re.Match[str]]:
    """Yield each name of a secret; its last group is its strength: `password`, `key` or `weak`."""
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters have two characters in lower case
        lowered = text
    done = 0
    for stem in _stems().finditer(lowered):
        if stem.start() < done:
            continue
        before = text[max(0, stem.start() - _MAX_PREFIX) : stem.start()]
        words = before.lower().rstrip("_ -")
        prefixes = word_list("password_prefix" if stem[0] == "pass" else "key_prefix")
        is_storage = words.replace(" ", "").endswith(tuple(word_list("browser_storage")))
        is_prefixed = words.endswith(tuple(prefixes)) and not is_storage
        name = _names("prefixed ").match(text, stem.start()) if is_prefixed else None
        name = name or _names().match(text, stem.start())
        is_of_secret = name and (name.lastgroup != "weak" or not words.endswith(tuple(word_list("plain"))))
        if name and is_of_secret and not ("[REDACTED:" in before and text.startswith("]", name.end())):
            done = name.end()
            yield name
