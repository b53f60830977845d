"""Rule 3: secrets that a program is given on its command line, by the table of programs and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_values import (
    is_name,
    is_reference,
    is_state,
    is_technical,
    looks_generated,
    word_list,
)

_MAX_COMMAND = 1000
_MAX_PROGRAMS = 20  # of one line
_MIN_SECRET = 3
_MIN_HINT = 5
_READERS = ("sudo -s", "chpasswd", "kinit", "cryptsetup")  # of a password from a pipe
_MAX_LOGIN_PLACE = 4
_WORD = LazyPattern(
    r"(?P<q>\\?[\"'])(?P<quoted>(?:(?!(?P=q))[^\n]){0,400})(?P=q)|(?P<bare>[^\s\"'\\]{1,400})"
)
_LOGIN = LazyPattern(r"[\w.@+\\-]{1,100}[:%/,](?P<secret>(?!//).{3,300})")
_ENDS_COMMAND = frozenset(["|", "||", "&&", ";", "&", "`", "<<<"])
_PIPED = LazyPattern(
    r"(?:echo|printf)\s(?:-\w\s)?(?P<text>[^|\n]{3,200})\|\s?(?:sudo\s(?!-S))?"
    r"(?:sudo -S|chpasswd|(?:smb|vnc)?passwd|kinit|cryptsetup|(?:docker|podman)\s(?:\S+\s)?login"
    r"|(?:wrangler|gcloud|gh|fly) secret)"
)
"""What a program reads from a pipe."""
_PIPED_WORD = LazyPattern(r"(?:[^\s\"'|`:\\]*:)?([^\s\"'|`\\]{3,200})")


class _Word(NamedTuple):
    text: str
    start: int
    is_quoted: bool = False

    def behind(self, length: int) -> _Word:
        return _Word(self.text[length:], self.start + length)


def read_table(name: str) -> Iterator[list[str]]:
    """Yield the columns of each row of a table of this package."""
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


@cache
def _options() -> dict[str, list[tuple[str, list[str]]]]:
    """Return for each program its forms with their options."""
    options: dict[str, list[tuple[str, list[str]]]] = {}
    for programs, form, names in read_table("secret_options.tsv"):
        for program in programs.split():
            options.setdefault(program.replace("+", " "), []).append((form, names.split()))
    return options


@cache
def _programs() -> re.Pattern[str]:
    names = sorted(_options(), key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")


def program_hints() -> list[str]:
    """Return texts in small letters of which one is in every line that runs a program."""
    short = [program for program in _options() if len(program) < _MIN_HINT]
    ends = [f"{program}{end}" for program in short for end in " \"'"]
    return [*_READERS, *ends, *(program.lower() for program in _options() if program not in short)]


def runs_program(line: str) -> bool:
    """Return whether a line runs a program of the table."""
    return _programs().search(line) is not None


def find_in_commands(line: str) -> Iterator[tuple[int, int]]:
    """Yield where the secrets are that the programs of a line are given."""
    for program in islice(_programs().finditer(line), _MAX_PROGRAMS):
        words = list(_words_behind(line, program.end()))
        is_prose = any(word.text.lower() in word_list("prose") for word in words)
        for form, options in _options()[program[0]]:
            for word in _given(form, options, words):
                if _is_secret(word.text, is_prose=is_prose):
                    yield word.start, word.start + len(word.text)
    for sent in _PIPED.finditer(line):
        for found in _PIPED_WORD.finditer(line, *sent.span("text")):
            if found[0][0] not in "%-" and not (
                is_reference(found[0]) or is_state(found[1]) or is_technical(found[1])
            ):
                yield found.span(1)


def _words_behind(line: str, start: int) -> Iterator[_Word]:
    """Yield the words of a command behind its program, also of a list of quoted words."""
    if line[start : start + 1] in (",", "."):
        return
    start += line[start : start + 1] in ("'", '"')
    for found in _WORD.finditer(line, start, start + _MAX_COMMAND):
        if found["quoted"] is not None:
            yield _Word(found["quoted"], found.start("quoted"), is_quoted=True)
            continue
        word = found[0].rstrip("`;),]")
        if found[0] in _ENDS_COMMAND:
            return
        if any(map(str.isalnum, word)) or word[:1] == "-":
            yield _Word(word, found.start())
        if found[0].endswith(("`", ";")):
            return


def _given(form: str, options: list[str], words: list[_Word]) -> Iterator[_Word]:
    """Yield the words that a form says are secrets."""
    plain = [word for word in words if not word.text.startswith(("-", "/"))]
    if form == "word":
        place = int(options[0])
        yield from plain[place - 1 : place]
    elif form == "words":
        yield from (word.behind(word.text.index("=") + 1) for word in words if "=" in word.text)
    elif form == "glued":
        for word, following in pairwise([*words, _Word("", 0)]):
            for option in options:
                if (
                    word.text == option
                    and following.is_quoted
                    and following.start == word.start + len(option) + 1
                ):
                    yield following
                elif word.text.startswith(option):
                    yield word.behind(len(option))
    elif form == "login":
        logins = plain[:_MAX_LOGIN_PLACE] if options == ["word"] else _values(options, words)
        for word in logins:
            if found := _LOGIN.fullmatch(word.text):
                secret = found["secret"].rpartition("@")[0] or found["secret"]
                yield _Word(secret, word.start + found.start("secret"))
    else:
        yield from _values(options, words)


def _values(options: list[str], words: list[_Word]) -> Iterator[_Word]:
    for word, following in pairwise([*words, _Word("", 0)]):
        name, sign, value = word.text.partition("=")
        if name in options:
            yield word.behind(len(name) + 1) if sign and value else following


def _is_secret(value: str, *, is_prose: bool) -> bool:
    if len(value) < _MIN_SECRET or value.startswith("-") or is_reference(value):
        return False
    return looks_generated(value) or not (is_prose or is_name(value))
