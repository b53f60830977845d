"""Secrets that a program is given on its command line, by the table of programs and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
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
_MAX_PROGRAMS = 20  # in one line
_MIN_SECRET = 3
_MIN_HINT = 5
_SENDERS = ("sudo -s", "chpasswd", "kinit", "cryptsetup")  # read a password from a pipe
_MAX_LOGIN_PLACE = 4
_WORD = LazyPattern(r"(?P<q>[\"'])(?P<quoted>(?:(?!(?P=q))[^\n]){0,400})(?P=q)|(?P<bare>[^\s\"']{1,400})")
_LOGIN = LazyPattern(r"[\w.@+\\-]{1,100}(?P<sign>[:%/,])(?P<secret>(?!//).{3,300})")
_ENDS_COMMAND = frozenset(["|", "||", "&&", ";", "&", "`", "<<<"])
_PUNCTUATION = frozenset("[](),:")
_PIPED = LazyPattern(
    r"(?:echo|printf)\s(?:-\w\s)?(?P<text>[^|\n]{3,200}(?:\n[^|\n]{0,100}){0,3})\|\s?(?:sudo\s(?!-S))?"
    r"(?:sudo -S|chpasswd|(?:smb|vnc)?passwd|kinit|cryptsetup|(?:docker|podman)\s(?:\S+\s)?login"
    r"|(?:wrangler|gcloud|gh|fly) secret)"
)
"""What a program reads from a pipe."""
_HERE_STRING = LazyPattern(
    r"(?:sudo -S|chpasswd|passwd|kinit|cryptsetup|login|secrets?)\b[^\n|;]{0,80}<<<"
    r"\s?[\"']?(?P<text>[^\s\"']{3,200})"
)
_JOINED_LETTERS = LazyPattern(r"-[A-Za-z]{2,8}$")
_PROGRAM_WORD = LazyPattern(r"[\w.-]{2,40}")
_SENT_WORD = LazyPattern(r"[^\s\"'|`]{3,200}")


class _Option(NamedTuple):
    form: str
    options: tuple[str, ...]


class _Word(NamedTuple):
    text: str
    start: int
    is_quoted: bool = False


def read_table(name: str) -> Iterator[list[str]]:
    """Yield the columns of each row of a table of this package."""
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


@cache
def _options() -> dict[str, list[_Option]]:
    options: dict[str, list[_Option]] = {}
    for programs, form, names in read_table("secret_options.tsv"):
        for program in programs.split():
            options.setdefault(program.replace("+", " "), []).append(_Option(form, tuple(names.split())))
    return options


@cache
def _programs() -> re.Pattern[str]:
    names = sorted(_options(), key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")


def program_hints() -> list[str]:
    """Return texts in small letters of which one is in every line that runs a program."""
    short = [program for program in _options() if len(program) < _MIN_HINT]
    ends = [f"{program}{end}" for program in short for end in " \"'"]
    return [*_SENDERS, *ends, *(program.lower() for program in _options() if program not in short)]


@cache
def _first_words() -> frozenset[str]:
    return frozenset(program.partition(" ")[0] for program in _options())


def runs_program(line: str) -> bool:
    """Return whether a line runs a program of the table."""
    return not _first_words().isdisjoint(_PROGRAM_WORD.findall(line)) and _programs().search(line) is not None


def find_in_commands(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the secrets are that the programs in a text are given."""
    in_line, last = 0, 0
    for program in _programs().finditer(text):
        in_line = 0 if "\n" in text[last : program.start()] else in_line + 1
        last = program.end()
        if in_line > _MAX_PROGRAMS:
            continue
        words = list(_words_behind(text, program.end()))
        is_prose = any(not word.is_quoted and word.text.lower() in word_list("prose") for word in words)
        for option in _options()[program[0]]:
            for word in _given(option, words):
                if _is_secret(word.text, is_prose=is_prose):
                    yield word.start, word.start + len(word.text)
    for pattern in (_PIPED, _HERE_STRING):
        for found in pattern.finditer(text):
            for sent in _SENT_WORD.finditer(text, *found.span("text")):
                user, sign, secret = sent[0].rpartition(":")
                if not (
                    sent[0][0] in "%-"
                    or is_reference(user or secret)
                    or is_reference(secret)
                    or is_state(secret)
                    or is_technical(secret)
                ):
                    yield sent.start() + len(user) + len(sign), sent.end()


def _words_behind(text: str, at: int) -> Iterator[_Word]:
    """Yield the words of a command behind its program, also of a list of quoted words."""
    if text[at : at + 1] in ("'", '"'):
        at += 1
    elif text[at : at + 1] in (",", "."):
        return
    line_end = text.find("\n", at)
    stop = min(at + _MAX_COMMAND, line_end if line_end >= 0 else len(text))
    for found in _WORD.finditer(text, at, stop):
        if found["quoted"] is not None:
            yield _Word(found["quoted"], found.start("quoted"), is_quoted=True)
            continue
        word = found[0].rstrip("`;),]")
        if found[0] in _ENDS_COMMAND:
            return
        if word and not set(word) <= _PUNCTUATION:
            yield _Word(word, found.start())
        if found[0].endswith(("`", ";")):
            return


def _given(option: _Option, words: list[_Word]) -> Iterator[_Word]:
    """Yield the words that an option says are secrets."""
    plain = [word for word in words if not word.text.startswith(("-", "/"))]
    if option.form == "word":
        place = int(option.options[0])
        yield from plain[place - 1 : place]
    elif option.form == "words":
        yield from (_behind(word, word.text.index("=") + 1) for word in words if "=" in word.text)
    elif option.form == "glued":
        yield from _glued(option.options, words)
    elif option.options == ("word",):
        yield from _secrets_of_logins(plain[:_MAX_LOGIN_PLACE])
    elif option.form == "login":
        yield from _secrets_of_logins(_arguments(option.options, words))
    else:
        yield from _arguments(option.options, words)


def _behind(word: _Word, length: int) -> _Word:
    return _Word(word.text[length:], word.start + length)


def _glued(options: tuple[str, ...], words: list[_Word]) -> Iterator[_Word]:
    for word, following in zip(words, [*words[1:], None], strict=False):
        name = next((name for name in options if word.text.startswith(name)), None)
        if name is None:
            continue
        if word.text != name:
            yield _behind(word, len(name))
        elif following and following.is_quoted and following.start == word.start + len(name) + 1:
            yield following


def _arguments(options: tuple[str, ...], words: list[_Word]) -> Iterator[_Word]:
    for word, following in zip(words, [*words[1:], None], strict=False):
        name, sign, _ = word.text.partition("=")
        if name not in options and _JOINED_LETTERS.match(name):  # curl -su
            name = f"-{name[-1]}"
        if name not in options:
            continue
        if sign and not word.text.endswith("="):
            yield _behind(word, word.text.index("=") + 1)
        elif following:
            yield following


def _secrets_of_logins(words: list[_Word] | Iterator[_Word]) -> Iterator[_Word]:
    for word in words:
        found = _LOGIN.fullmatch(word.text)
        if found:
            secret = (
                found["secret"].rpartition("@")[0]
                if "@" in found["secret"] and found["sign"] == "/"
                else found["secret"]
            )
            yield _Word(secret, word.start + found.start("secret"))


def _is_secret(value: str, *, is_prose: bool) -> bool:
    if len(value) < _MIN_SECRET or value.startswith("-") or is_reference(value) or is_state(value):
        return False
    if looks_generated(value):
        return True
    return False if is_prose else not is_name(value)
