"""Runs of a checking program that check nothing, or that succeed whatever they find.

The first list, explain, or say what they would do.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from progress_plugin.text.patterns import LazyPattern

_ANY_TOLD = """
--version --help help --collect-only --co --listTests --list-tests --dry-run --dryrun --no-run --list
--showConfig --show-config --show-settings --show-files --print-config --just-print --recon --question
--fixtures --markers --setup-plan --setup-only --listenvs --notest --install-only --show-only --nobuild
--env-info --tasks -h
"""
_ANY = frozenset(_ANY_TOLD.split())
"""Options that no program checks anything with."""
_OF_PROGRAM = {
    "tsc": ("--init", "--all", "--listFilesOnly", "-v"),
    "eslint": ("--init",),
    "jest": ("--init",),
    "just": ("-n", "-l", "--show", "--summary", "--evaluate"),
    "task": ("-n", "-l", "-a", "--list-all", "--summary", "--status"),
    "rake": ("-T", "-P", "-n", "-D", "--prereqs"),
    "gradle": ("-m", "-v"),
    "gradlew": ("-m", "-v"),
    "ninja": ("-n",),
    "ctest": ("-N",),
    "nox": ("-l",),
    "tox": ("-l", "-a", "--listenvs-all"),
    "dotnet": ("-t",),
    "go": ("-list", "-n", "-c"),
    "mvn": ("-v",),
    "mvnw": ("-v",),
    "pytest": ("--cache-show", "-hh"),
}
_VERBOSE = ("ctest", "prove", "cmake")
"""Programs to which `-V` does not mean their version."""
_MAKE = ("make", "gmake")
_MAKES_LETTERS = LazyPattern(r"-[BbdeikrRsSw]*[nqtv][A-Za-z]*")
"""Options of make's that run no recipe, alone or among others: `-n`, `-Bn`."""
_MAKES_IGNORING = LazyPattern(r"-[BbdekrRsSw]*i[A-Za-z]*")
_SHELLS = ("sh", "bash", "zsh", "dash", "ash")
_SHELLS_LETTERS = LazyPattern(r"-[A-Za-z]*n[A-Za-z]*")
"""Options of shells that only read a script: `bash -n`."""
_FORGIVING = LazyPattern(
    r"--(?:exit-zero|no-fail|soft-fail|ignore-errors?|if-present)(?:=.*)?|--[\w-]*exit-code=0", re.DOTALL
)
"""Options with which a program succeeds whatever it finds, or though there is nothing."""
_OPTIONS_OF = LazyPattern(r"(?:GNU)?([A-Z]+?)_?(?:ADDOPTS|OPTS|OPTIONS|FLAGS|ARGS)=(.*)", re.DOTALL)
"""Variables that hold options of a program: `PYTEST_ADDOPTS`, `MAKEFLAGS`."""


def is_dry_run(program: str, words: Sequence[str], before: Sequence[str] = ()) -> bool:
    """Return whether a program that is given these words, by the variables before it too, checks nothing."""
    return any(_only_tells(each, options) for each, options in _given(program, words, before))


def is_forgiving(program: str, words: Sequence[str], before: Sequence[str] = ()) -> bool:
    """Return whether a program succeeds with these words whatever it finds."""
    return any(_forgives(each, options) for each, options in _given(program, words, before))


def _given(program: str, words: Sequence[str], before: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """Return programs with the options that each of them is given."""
    given: list[tuple[str, Sequence[str]]] = [(program, words)]
    for found in filter(None, map(_OPTIONS_OF.fullmatch, before)):
        options = found[2].split()
        if found[1] == "MAKE" and options and not options[0].startswith("-") and "=" not in options[0]:
            options[0] = f"-{options[0]}"
        given.append((found[1].lower(), options))
    return given


def _only_tells(program: str, words: Sequence[str]) -> bool:
    if not _ANY.isdisjoint(words) or any(word in _OF_PROGRAM.get(program, ()) for word in words):
        return True
    if "-V" in words and program not in _VERBOSE:
        return True
    if program in _SHELLS:
        options = words[: next((at for at, word in enumerate(words) if word[:1] != "-"), len(words))]
        return "noexec" in words[:2] or any(_SHELLS_LETTERS.fullmatch(word) for word in options)
    return program in _MAKE and any(_MAKES_LETTERS.fullmatch(word) for word in words)


def _forgives(program: str, words: Sequence[str]) -> bool:
    if any(_FORGIVING.fullmatch(word) for word in words) or (program == "ruff" and "-e" in words):
        return True
    if any(option.endswith("exit-code") and code == "0" for option, code in pairwise(words)):
        return True
    return program in _MAKE and any(_MAKES_IGNORING.fullmatch(word) for word in words)
