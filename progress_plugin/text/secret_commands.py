"""Rule 3: secrets that a program is given on its command line, by the table of programs and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_values import (
    is_name,
    is_reference,
    is_state,
    is_technical,
    looks_generated,
    word_list,
)

_MAX_PROGRAMS = 20  # of one line
_MIN_WORD = 3
_MIN_HINT = 5
_READERS = ("sudo -s", "chpasswd", "kinit", "cryptsetup")  # of a password from a pipe
_COMMAND = LazyPattern(r"[\"']?(?![,.])(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|[^;|`\n]){0,1000}")
"""The rest of a command after the program, which may be in quotation marks."""
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
    "word behind": rf"^(?:{_NEXT_WORD}\S{{1,400}}){{OPTIONS}}{_NEXT_WORD}{_WORD}",
    "words": rf"(?<!\S)[\"']?\w{{1,100}}={_WORD}",
}
"""Patterns of what a program is given, with the options or the number of the table for `OPTIONS`."""
_PIPED = LazyPattern(
    r"(?:echo|printf)\s(?:-\w\s)?(?P<text>[^|\n]{3,200})\|\s?(?:sudo\s(?!-S))?"
    r"(?:sudo -S|chpasswd|(?:smb|vnc)?passwd|kinit|cryptsetup|(?:docker|podman)\s(?:\S+\s)?login"
    r"|(?:wrangler|gcloud|gh|fly) secret)"
)
"""The input of a program from a pipe."""
_PIPED_WORD = LazyPattern(r"(?:[^\s\"'|`:\\]*:)?([^\s\"'|`\\]{3,200})")


def read_table(name: str) -> Iterator[list[str]]:
    """Yield the columns of each row of a table of this package."""
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


@cache
def _options() -> dict[str, list[LazyPattern]]:
    """Return for each program the patterns of what it is given, by the forms and options of the table."""
    patterns: dict[str, list[LazyPattern]] = {}
    for programs, form, options in read_table("secret_options.tsv"):
        names = "|".join(map(re.escape, options.split()))
        pattern = LazyPattern(_FORMS[form].replace("OPTIONS", names))
        for program in programs.split():
            patterns.setdefault(program.replace("+", " "), []).append(pattern)
    return patterns


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
        command = _COMMAND.match(line, program.end())
        given = command[0] if command else ""
        is_prose = not word_list("prose").isdisjoint(given.lower().split())
        for pattern in _options()[program[0]]:
            for found in pattern.finditer(given):
                secret = found["secret"].rstrip("`;),]")
                is_word = len(secret) >= _MIN_WORD and secret[0] != "-" and not is_reference(secret)
                if is_word and (looks_generated(secret) or not (is_prose or is_name(secret))):
                    start = program.end() + found.start("secret")
                    yield start, start + len(secret)
    for sent in _PIPED.finditer(line):
        for found in _PIPED_WORD.finditer(line, *sent.span("text")):
            if found[0][0] not in "%-" and not (
                is_reference(found[0]) or is_state(found[1]) or is_technical(found[1])
            ):
                yield found.span(1)
