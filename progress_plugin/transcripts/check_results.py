"""How the checks of a command line ended: by its exit code, else by what a check printed itself.

The exit code proves something only for a chain of commands joined by `&&`. An uncertain result is None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redacted_end
from progress_plugin.transcripts.checks import BUILD, TESTS, Check, classify, name_in_folder
from progress_plugin.transcripts.disk_edits import EDITS_BEFORE, EDITS_BEHIND, NO_EDITS
from progress_plugin.transcripts.shell import (
    Command,
    is_assignment,
    join_folder,
    program_name,
    split_line,
    unwrap,
    word_set,
)

_MAX_OUTPUT, _MAX_LINE = 20_000, 400
_SILENT = word_set("silent_programs")
_LOOKS, _GIT_LOOKS = word_set("looking_programs"), word_set("looking_git")
_GIT_EDITS = word_set("editing_git")
_SILENT_ECHO = LazyPattern(r"(?!.*(?i:\bok\b|pass|succe))[\w :=.-]*(?:\$\?|\$\{PIPESTATUS\[\d\]\})?")


class CheckResult(NamedTuple):
    """A check that a command line ran."""

    name: str
    kind: str
    passed: bool | None  # None if the transcript does not show it
    folder: str = ""  # where it ran, relative to where the line started, or absolute
    paths: tuple[str, ...] = ()  # the files and folders it was given, as its words name them


def check_results(line: str, exit_code: int | None, output: str) -> list[CheckResult]:
    """Return the checks that a command line ran, and how each one ended."""
    commands, is_chain = split_line(line)
    checks = [(place, check) for place, each in enumerate(commands) if (check := classify(each.words))]
    results = []
    for place, check in checks:
        folder = join_folder(commands[place].folder, check.folder)
        if "$" in folder or "`" in folder:
            passed = None
        elif is_chain and check.can_fail and exit_code == 0:
            passed = True
        elif is_chain and check.can_fail and exit_code and _is_only_command(commands, place):
            passed = False
        else:
            passed = _printed_result(line, commands, place, output) if len(checks) == 1 else None
        if passed and _checked_nothing(check, output):
            passed = None
        name = name_in_folder(check.name, check.container and f"container {check.container}")
        paths = () if check.container else check.paths
        results.append(CheckResult(name, check.kind, passed, folder, paths))
    return results


def only_looks(line: str) -> bool:
    """Return whether a command line only looks at something: that it finds nothing is no failure."""
    commands = split_line(line).commands
    return bool(commands) and all(_only_looks(each.words) for each in commands)


def edits_around_checks(line: str) -> str:
    """Return where the last command of a line that may edit files is, as seen from its last check."""
    commands = split_line(line).commands
    edits = max((place for place, each in enumerate(commands) if _may_edit(each)), default=-1)
    checks = max((place for place, each in enumerate(commands) if classify(each.words)), default=-1)
    return NO_EDITS if edits < 0 else EDITS_BEHIND if edits > checks else EDITS_BEFORE


def _may_edit(command: Command) -> bool:
    words = command.words
    program = program_name(words[0])
    if program == "git":
        return not _GIT_EDITS.isdisjoint(words)
    is_silent = program in _SILENT or program in ("export", "tee") or all(map(is_assignment, words))
    return not (is_silent or classify(words)) and (command.writes_file or not _only_looks(words))


def telling_line(output: str) -> str:
    """Return the most informative line of a failing command's output; empty without one.

    Secrets are redacted before, because a single line of a key does not look like one.
    """
    rows = [head(row.strip(), _MAX_LINE) for row in redacted_end(output, _MAX_OUTPUT).splitlines()]
    rows = [row for row in rows if any(char.isalnum() for char in row)]
    named = next((place for place, row in enumerate(rows) if _pattern("unittest name").search(row)), None)
    if named is not None and (reason := _most_telling(rows[named + 1 :])):
        return f"{rows[named].split()[1]}: {reason}"
    return _most_telling(rows) or (rows[-1] if rows else "")


def _only_looks(words: Sequence[str]) -> bool:
    inner = unwrap(words)
    program = program_name(inner[0]) if inner else ""
    return program in _LOOKS or (program == "git" and inner[1:2] != () and inner[1] in _GIT_LOOKS)


def _is_only_command(commands: Sequence[Command], place: int) -> bool:
    """Return whether a failure of the line is this command's: all others set variables and change folders."""
    others = (each.words for at, each in enumerate(commands) if at != place)
    return all(words[0] in ("cd", "set", "export") or is_assignment(words[-1]) for words in others)


def _printed_result(line: str, commands: Sequence[Command], place: int, output: str) -> bool | None:
    text = _end_of(output)
    passed = max((found.end() for found in _pattern("passed").finditer(text)), default=-1)
    summary = max((found.end() for found in _pattern("summary").finditer(text)), default=0)
    if _pattern("failed").search(text, 0 if _pattern("failed summary").search(text) else summary):
        return False
    is_own = "$(" not in line and "`" not in line and not commands[place].writes_file
    if not is_own or not all(_prints_nothing(commands, at) for at in range(len(commands)) if at != place):
        return None
    if any(found.end() > passed for found in _pattern("complaint").finditer(text)):
        return None if passed >= 0 else False
    return True if passed >= 0 else None


def _prints_nothing(commands: Sequence[Command], place: int) -> bool:
    """Return whether a command prints nothing that could be taken for the words of a check."""
    words = commands[place].words
    program = program_name(words[0])
    if place and commands[place - 1].after.startswith("|") and commands[place - 1].after != "||":
        operands = [word for word in words[1:] if not word.startswith("-") and not word.isdigit()]
        return program == "tee" or (program in ("tail", "cat", "}") and not operands)
    if program in ("echo", "printf"):
        return _SILENT_ECHO.fullmatch(" ".join(words[1:])) is not None
    return program in _SILENT or all(map(is_assignment, words)) or words[:1] == ("export",)


def _checked_nothing(check: Check, output: str) -> bool:
    text = _end_of(output)
    if _pattern("failure ignored").search(text) or (
        check.kind != BUILD and _pattern("nothing made").search(text)
    ):
        return True
    return (
        check.kind == TESTS
        and bool(_pattern("none ran").search(text))
        and not _pattern("some ran").search(text)
    )


def _end_of(output: str) -> str:
    return "\n".join(row[:_MAX_LINE] for row in tail(output, _MAX_OUTPUT).splitlines())


def _most_telling(rows: Sequence[str]) -> str:
    patterns = (_pattern(f"telling {rank}") for rank in range(1, 6))
    return next((row for pattern in patterns for row in rows if pattern.search(row)), "")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of all lines of this name in the table."""
    table = Path(__file__).with_name("check_output.tsv").read_text("utf-8")
    rows = [row.split("\t") for row in table.splitlines() if row.startswith(f"{name}\t")]
    flags = re.MULTILINE | (re.IGNORECASE if name.endswith(" ran") else 0)
    return re.compile("|".join(pattern for _, pattern in rows), flags)
