"""Find secrets without a name: tokens of known services, private keys, secrets in addresses and commands.

The tables `secret_tokens.tsv`, `secret_places.tsv` and `secret_options.tsv` list them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from progress_plugin.core.tables import read_rows
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_values import (
    is_name,
    is_reference,
    is_state,
    is_technical,
    looks_generated,
    word_list,
)

_WHOLE = "*"  # before a part in the table: the expression matches the whole token
_KEY_EDGE = "(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_LINE = r"\s{0,12}(?:(?:[>*|+-]|\d{1,5}[:|)\t]?)[ \t]{1,4}){0,4}"
_KEY_BEGINS = LazyPattern(f"-----BEGIN {_KEY_EDGE}")
_KEY_ENDS = LazyPattern(f"-----END {_KEY_EDGE}")
_KEY_BODY = LazyPattern(
    rf"(?:{_KEY_LINE}(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{{1,200}}\n){{0,4}}"
    rf"(?:{_KEY_LINE}(?![^\n]{{0,200}}\w \w)[A-Za-z0-9+/=]{{16,200}}){{1,500}}"
)
_MAX_PROGRAMS = 20  # of one line
_MIN_SECRET_CHARS = 3
_MIN_HINT = 5
_COMMAND = LazyPattern(r"[\"']?(?![,.])(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|[^;|`\n]){0,1000}")
"""The arguments of a program; a quotation mark may end its name."""
_OPTION = r"(?<![\w-])(?:OPTIONS)"
_TO_VALUE = r"(?:=|\\?[\"']?,?\s{1,9})"
_WORD = r"\\?(?P<q>[\"'])?(?P<secret>(?(q)(?:(?!\\?(?P=q))[^\n]){1,400}|[^\s\"'\\]{1,400}))"
_LOGIN = (
    r"\\?[\"']?[\w.@+\\-]{1,100}[:%/,](?P<secret>(?!//)[^\s\"'\\]{3,300}?)(?:@[^@\s\"'\\]*)?(?=[\s\"'\\]|$)"
)
_NEXT_WORD = r"(?:\s{1,9}\\?[\"']?[-/]\S{0,400})*\s{1,9}\\?[\"']?(?![-/])"
_FORMS = {
    "value": f"{_OPTION}{_TO_VALUE}{_WORD}",
    "glued": f"{_OPTION}{_WORD}",
    "login": f"{_OPTION}{_TO_VALUE}{_LOGIN}",
    "login word": rf"^(?:\s{{1,9}}\S{{1,400}}){{0,4}}?\s{{1,9}}{_LOGIN}",
    "word after": rf"^(?:{_NEXT_WORD}\S{{1,400}}){{OPTIONS}}{_NEXT_WORD}{_WORD}",
    "words": rf"(?<!\S)[\"']?\w{{1,100}}={_WORD}",
}
"""Patterns of a program's arguments; `OPTIONS` is replaced by the last column of `secret_options.tsv`."""


@cache
def _tokens() -> list[tuple[str, str, LazyPattern]]:
    """Return kind, identifying part and pattern of each token."""
    tokens = []
    for kind, parts, rest, _source in read_rows(__file__, "secret_tokens.tsv"):
        for part in parts.split():
            start = "" if part.startswith(_WHOLE) else re.escape(part)
            pattern = LazyPattern(f"{start}(?:{rest})(?![A-Za-z0-9])")
            tokens.append((kind, part.removeprefix(_WHOLE), pattern))
    return tokens


def find_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each token of a known service."""
    for kind, _, pattern in [token for token in _tokens() if token[1] in text]:
        for found in pattern.finditer(text):
            before = text[found.start() - 1 : found.start()]
            if not (before.isascii() and before.isalnum()):
                yield *found.span(), kind


def find_private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each private key; an unclosed key ends with its lines of base64."""
    begins = list(_KEY_BEGINS.finditer(text))
    for begin, following in zip(begins, [*begins[1:], None], strict=False):
        stop = following.start() if following else len(text)
        found = _KEY_ENDS.search(text, begin.end(), stop) or _KEY_BODY.match(text, begin.end(), stop)
        if found:
            yield begin.start(), found.end(), "PRIVATE_KEY"


@cache
def _places() -> list[tuple[str, list[str], LazyPattern]]:
    rows = read_rows(__file__, "secret_places.tsv")
    return [(kind, hints.split(","), LazyPattern(pattern)) for kind, hints, pattern, _example in rows]


def find_places(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each secret in a place of `secret_places.tsv`."""
    lowered = text.lower()
    for kind, hints, pattern in _places():
        for found in pattern.finditer(text) if any(hint in lowered for hint in hints) else ():
            secret = found["secret"]
            is_word = is_reference(secret) or is_state(secret) or is_technical(secret.rstrip(".,;:"))
            if looks_generated(secret) or not is_word:
                yield *found.span("secret"), kind


@cache
def _options() -> dict[str, list[LazyPattern]]:
    """Map each program to the patterns of its secret arguments, from the forms and options of the table."""
    patterns: dict[str, list[LazyPattern]] = {}
    for programs, form, options in read_rows(__file__, "secret_options.tsv"):
        names = "|".join(map(re.escape, options.split()))
        pattern = LazyPattern(_FORMS[form].replace("OPTIONS", names))
        for program in programs.split():
            patterns.setdefault(program.replace("+", " "), []).append(pattern)
    return patterns


@cache
def _programs() -> re.Pattern[str]:
    names = sorted(_options(), key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")


def place_hints() -> list[str]:
    """Return lower-case hints: every line with a place or program of the tables contains one."""
    places = [hint for _, hints, _ in _places() for hint in hints]
    short = [program for program in _options() if len(program) < _MIN_HINT]
    ends = [f"{program}{end}" for program in short for end in " \"'"]
    return [*places, *ends, *(program.lower() for program in _options() if program not in short)]


def find_in_commands(line: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each secret among the arguments of the programs in a line."""
    for program in islice(_programs().finditer(line), _MAX_PROGRAMS):
        command = _COMMAND.match(line, program.end())
        given = command[0] if command else ""
        is_prose = not word_list("prose").isdisjoint(given.lower().split())
        for pattern in _options()[program[0]]:
            for found in pattern.finditer(given):
                secret = found["secret"].rstrip("`;),]")
                is_word = len(secret) >= _MIN_SECRET_CHARS and secret[0] != "-" and not is_reference(secret)
                if is_word and (looks_generated(secret) or not (is_prose or is_name(secret))):
                    start = program.end() + found.start("secret")
                    yield start, start + len(secret)
