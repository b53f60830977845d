"""How the checks of a command line ended: by the exit code where it is theirs, else by their own words.

What it cannot be told of is unknown: neither passed nor failing.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redacted_end
from progress_plugin.transcripts.commands.check_names import program_of
from progress_plugin.transcripts.commands.check_places import files_of, is_known, place_of
from progress_plugin.transcripts.commands.check_table import CheckShape, check_of
from progress_plugin.transcripts.commands.empty_runs import checked_nothing
from progress_plugin.transcripts.commands.exit_code_owner import bare
from progress_plugin.transcripts.commands.line_commands import Command, commands_of
from progress_plugin.transcripts.commands.output_owner import OwnWords

_FAILED = LazyPattern(
    r"""
    \b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b | ^FAILED\b | ^FAIL\b
  | \bBUILD\sFAILED\b
  | \bTests?:\s+[1-9]\d*\s+failed | \btest\sresult:\sFAILED | ^---\sFAIL | \bBuild\sFAILED\b
  | ^not\sok\b(?!.*\#\s(?:TODO|SKIP)\b) | ^[#ℹ]\s+(?:fail|cancelled)\s+[1-9]
  | \berror\sTS\d+: | ^error\[E\d+\]: | \bnpm\sERR! | \bELIFECYCLE\b | \bFound\s[1-9]\d*\serrors?
  | [✖✗]\s+[1-9]\d*\s+problems?\b(?!\s\(0\serrors) | \b[1-9]\d*\s+offenses?\sdetected
  | \bmake(?:\[\d+\])?:\s\*\*\* | \bwould\sreformat\b | \bCode\sstyle\sissues\b
    """,
    re.VERBOSE | re.MULTILINE,
)
"""What only a check says of its own failure."""
_COMPLAINT = LazyPattern(
    r"^error: | ^Traceback\s\(most\srecent | \berror:\s | \bCommand\sfailed\b", re.VERBOSE | re.MULTILINE
)
"""What a failing check says, and a passing one's tests, and any other command."""
_PASSED = LazyPattern(
    r"""
    \b[1-9]\d*\s+(?:tests?\s+)?(?:passed|passing)\b | ^OK\b | \btest\sresult:\sok | ^ok\s+\S
  | \bBUILD\sSUCCESS
  | \bAll\schecks\spassed | \bSuccess:\sno\sissues | \bno\soffenses\sdetected | \b0\sproblems?\b
  | \b0\s+failures\b
  | \bBuild\ssucceeded\b | \b0\serrors\b | \bFinished\s.*\bprofile\b | \bTests?:\s.*\bpassed\b
  | \bAll\smatched\sfiles\suse\b | \bwould\sbe\sleft\sunchanged\b | \bbuilt\sin\s | ^[#ℹ]\s+pass\s+[1-9]
    """,
    re.VERBOSE | re.MULTILINE,
)
_IGNORED = LazyPattern(r"^make(?:\[\d+\])?: \[.{0,200}\] Error \d+ \(ignored\)", re.MULTILINE)
_IN_CONTAINER = " (in container "
_ASSIGNMENT = LazyPattern(r"[A-Za-z_]\w*=")
_QUIET_TOLD = """
cd pushd popd export source . set unset echo printf true : mkdir touch sleep pwd sed cp mv rm tee cat
date read tail head grep egrep rg awk sort uniq wc cut tr less more column } fi done exit test [ xargs
ts strings find ls wait
"""
_QUIET = frozenset(_QUIET_TOLD.split())
"""Commands that hardly fail, and print no words of a check: a line's result is not theirs."""
_ASKING = ("test", "[", "[[", "grep", "egrep", "rg", "find", "ls", "false")
_ONE_SUMMARY = LazyPattern(r"\b[1-9]\d* (?:tests? )?(?:passed|passing)\b")
"""What says how many failed in the same line, or would have."""
_SHOWING = ("cat", "head", "tail", "grep", "egrep", "rg", "less", "more", "ls", "find", "strings")
_PRINTED = 20_000
"""Characters of an output that are looked at, from its end."""
_LONGEST_OUTPUT_LINE = 400


class Check(NamedTuple):
    """A command that checks something, and how it ended."""

    name: str
    """Program and what it was run on, without options: `pytest tests/log`."""
    kind: str
    passed: bool | None
    """None where the transcript does not tell."""
    folder: str = ""
    """Where it ran, from where the line began."""
    place: int = 0
    """Which of the line's commands it is."""
    paths: tuple[str, ...] = ()
    """What it was run on as far as its words name folders and files, from where the line began."""


def checks_of(line: str, exit_code: int | None, output: str) -> list[Check]:
    """Return the checks that a command line ran, and how each one ended."""
    commands = commands_of(line)
    found = _found(commands)
    told: list[Check] = []
    printed = _looked_at(output) if found else ""
    for place, (name, kind, at, forgives) in found.items():
        command = commands[place]
        tells = command.tells and not forgives
        in_container = _IN_CONTAINER in name
        where = "" if in_container else place_of(command.folder, command.words)
        if not (is_known(command.folder) and is_known(where)):
            passed: bool | None = None
        elif exit_code == 0 and tells:
            passed = True
        elif exit_code and tells and _is_the_codes(commands, place):
            passed = False
        elif len(found) > 1:
            passed = None  # what several printed is one text, and one of them failed
        else:
            passed = _of_one(commands, place, exit_code, output, tells=tells)
        if passed and (checked_nothing(kind, printed) or _IGNORED.search(printed)):
            passed = None
        paths = (where,) if where else files_of(command.folder, command.words[at + 1 :])
        told.append(Check(name, kind, passed, command.folder, place, () if in_container else paths))
    return told


def _found(commands: Sequence[Command]) -> dict[int, CheckShape]:
    """Return the checks among a line's commands by their places."""
    found: dict[int, CheckShape] = {}
    variables: list[str] = []
    functions = {command.words[0] for command in commands if command.words[1:2] == ("{",)} - {"!"}
    for place, command in enumerate(commands):
        words = command.words[1:] if command.words[0] == "export" else command.words
        if all(_ASSIGNMENT.match(word) for word in words):
            variables += words
        elif (
            command.words[0] not in functions
            and (shape := check_of((*variables, *command.words))) is not None
        ):
            found[place] = shape._replace(at=shape.at - len(variables))
    return found


def _of_one(
    commands: Sequence[Command], place: int, exit_code: int | None, output: str, *, tells: bool
) -> bool | None:
    """Return how a line's only check ended, by whether something else may have failed or spoken."""
    others = [(at, each) for at, each in enumerate(commands) if at != place]
    is_alone = all(is_quiet(each) and not _shows(commands, at) for at, each in others)
    if exit_code and tells and is_alone and not any(_answers(each) for _, each in others):
        return False
    own = OwnWords(commands, place, _PASSED)
    said = verdict(output, is_alone=is_alone)
    if said and not own.are_alone:
        return None
    return None if said and own.is_chosen and not _ONE_SUMMARY.search(_looked_at(output)) else said


def _answers(command: Command) -> bool:
    """Return whether a command asks something: that it fails is an answer."""
    words = bare(command.words)
    return bool(words) and program_of(words[0]) in _ASKING


def verdict(output: str, *, is_alone: bool = True) -> bool | None:
    """Return what a check's own words say of its success; None where they say nothing known.

    `is_alone` is whether all words are its own. What only complains counts where no summary follows it.
    """
    text = _looked_at(output)
    passed = max((found.end() for found in _PASSED.finditer(text)), default=-1)
    ended = max((found.end() for found in _SUMMARY.finditer(text)), default=-1)
    if _FAILED.search(text, 0 if ended < 0 or _FAILED_SUMMARY.search(text) else ended):
        return False
    complains = any(found.end() > passed for found in _COMPLAINT.finditer(text)) and is_alone
    if passed >= 0:
        return None if complains else True
    return False if complains else None


def _looked_at(output: str) -> str:
    return "\n".join(row[:_LONGEST_OUTPUT_LINE] for row in tail(output, _PRINTED).splitlines())


_SUMMARY = LazyPattern(
    r"^OK(?: \(.{0,80}\))?$|^=*\s?\d+ passed\b[^\n]{0,200} in [\d.]+s\b|^[#ℹ] +fail +0$", re.MULTILINE
)
"""The last line of runners whose tests may print anything before it."""
_FAILED_SUMMARY = LazyPattern(
    r"^FAILED \(|\b[1-9]\d* (?:failed|errors?)\b[^\n]{0,200} in [\d.]+s\b|^[#ℹ] +(?:fail|cancelled) +[1-9]",
    re.MULTILINE,
)


def _is_the_codes(commands: Sequence[Command], place: int) -> bool:
    """Return whether the line's exit code is this command's alone: the last one's, which all reach."""
    return place == len(commands) - 1 and not any(each.tells for each in commands[:place])


def is_quiet(command: Command) -> bool:
    """Return whether a command hardly fails, and says nothing that a check would say."""
    words: Sequence[str] = command.words
    return program_of(words[0]) in _QUIET or " ".join(words[:2]) == "git add"


def _shows(commands: Sequence[Command], place: int) -> bool:
    """Return whether a command prints what stands in files, and is no filter of another one's output."""
    here = commands[place]
    is_filter = here.after == "|" or (place > 0 and commands[place - 1].after == "|")
    return program_of(here.words[0]) in _SHOWING and not is_filter and not here.targets


def telling_line(output: str) -> str:
    """Return the line of a failing command's output that says most; empty without one.

    It is chosen of what has no secrets: a line of a key says nothing of being one.
    """
    rows = [head(row.strip(), _LONGEST_OUTPUT_LINE) for row in redacted_end(output, _PRINTED).splitlines()]
    rows = [row for row in rows if any(char.isalnum() for char in row)]
    named = next((place for place, row in enumerate(rows) if _NAMES_A_TEST.search(row)), None)
    if named is not None and (said := _telling(rows[named + 1 :])):
        return f"{rows[named].split()[1]}: {said}"
    return _telling(rows) or (rows[-1] if rows else "")


def _telling(rows: Sequence[str]) -> str:
    return next((row for pattern in _TELLING for row in rows if pattern.search(row)), "")


_NAMES_A_TEST = LazyPattern(r"^(?:FAIL|ERROR): \w+ \([\w.]+\)$")
"""Stands above what Python's unittest says of a failing test."""


_TELLING = (
    LazyPattern(r"^E\s+\S"),
    # What names a test: cargo, Go's subtests, Vitest, Jest, Gradle, PHPUnit, dotnet test, TAP.
    LazyPattern(
        r"^thread '(?!main')[^']+' (?:\(\d+\) )?panicked at|^--- FAIL: \S+/\S|^FAIL\s+\S+ > \S"
        r"|^● (?!Test suite failed|Console$|\w+ Warning:)\S|^[^>\s][^>]* > .* FAILED$"
        r"|^\d+\) [\w\\]+::\w|^Failed [\w+]+\.[\w.+]+[ (]"
        # TAP, which node's runner prints behind a pipe, and what it prints to a person.
        r"|^not ok \d+ - \S(?!.*# (?:TODO|SKIP)\b)|^✖ (?!failing tests:).{1,200} \(\d[\d.]*ms\)$"
    ),
    LazyPattern(r"^--- FAIL|^test \S.* \.\.\. FAILED$"),
    # What names an error: of any program, by its place (`a.go:7:2: …`, `A.java:5: error: …`), Kotlin, Ruff.
    LazyPattern(
        r"^[\w.]*+(?<=Error|ption):|^FAILED\s|^error(?:\[E\d+\])?:|\berror TS\d+|panicked at"
        r"|^[\w./\\-]+:\d+:\d+: (?!warning|note|info)\S|^[\w./\\-]+:\d+: error: |^e: \S"
        r"|^[A-Z]{1,5}\d{3,4} (?:\[\*\] )?\S|^[Ww]ould reformat:? \S|^Cannot find module\b"
    ),
    LazyPattern(r"(?i)\b(?:error|failed|failure|fatal|cannot|not found|expected)\b"),
)  # fmt: skip
