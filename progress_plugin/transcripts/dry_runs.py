"""Runs of a checking program that check nothing: they list, explain, or say what they would do (S19.4).

Which programs check something is decided in `transcripts.check_table` (`check_of`).
"""

import re
from collections.abc import Sequence

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
}
_VERBOSE = ("ctest", "prove", "cmake")
"""Programs to which `-V` does not mean their version."""
_MAKE = ("make", "gmake")
_MAKES_LETTERS = re.compile(r"-[BbdeikrRsSw]*[nqtv][A-Za-z]*")
"""Options of make's that run no recipe, alone or among others: `-n`, `-Bn`."""


def is_dry_run(program: str, words: Sequence[str]) -> bool:
    """Return whether a program that is given these words checks nothing."""
    if not _ANY.isdisjoint(words) or any(word in _OF_PROGRAM.get(program, ()) for word in words):
        return True
    if "-V" in words and program not in _VERBOSE:
        return True
    return program in _MAKE and any(_MAKES_LETTERS.fullmatch(word) for word in words)
