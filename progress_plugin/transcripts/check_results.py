"""Find the results of the checks in a command line: by its exit code, else by their output.

The exit code proves something only for a chain of commands joined by `&&`. An uncertain result is None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redacted_end
from progress_plugin.transcripts.checks import Check, classify
from progress_plugin.transcripts.shell import (
    WORDS,
    Command,
    is_assignment,
    join_folder,
    program_name,
    split_line,
    unwrap,
)

_MAX_OUTPUT, _MAX_LINE = 20_000, 400
_SILENT_ECHO = LazyPattern(r"(?!.*(?i:\bok\b|pass|succe))[\w :=.-]*(?:\$\?|\$\{PIPESTATUS\[\d\]\})?")


def check_results(line: str, exit_code: int | None, output: str) -> list[Check]:
    """Return the checks that a command line ran, and how each one ended."""
    commands, is_chain = split_line(line)
    checks = [(place, check) for place, each in enumerate(commands) if (check := classify(each.words))]
    results = []
    for place, check in checks:
        folder = join_folder(commands[place].folder, check.folder)
        proves = is_chain and check.can_fail
        passed = None
        if "$" in folder or "`" in folder:
            pass
        elif proves and exit_code == 0:
            passed = True
        elif proves and exit_code and _is_only_command(commands, place):
            passed = False
        elif len(checks) == 1:
            passed = _printed_result(line, commands, place, output)
        if passed and _checked_nothing(_end_of(output)):
            passed = None
        results.append(check._replace(folder=folder, passed=passed))
    return results


def only_looks(line: str) -> bool:
    """Return whether a command line only looks at something: that it finds nothing is no failure."""
    commands = split_line(line)[0]
    return bool(commands) and all(_only_looks(each.words) for each in commands)


def may_edit_after_checks(line: str) -> bool:
    """Return whether a command that may edit files follows the last check of a line."""
    commands = split_line(line)[0]
    last = max((place for place, each in enumerate(commands) if classify(each.words)), default=-1)
    return any(map(_may_edit, commands[last + 1 :]))


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
    is_git_look = program == "git" and not WORDS["looking_git"].isdisjoint(inner[1:2])
    return program in WORDS["looking_programs"] or is_git_look


def _may_edit(command: Command) -> bool:
    if command.program == "git":
        return not WORDS["editing_git"].isdisjoint(command.words)
    return command.writes_file or not (_is_silent(command) or _only_looks(command.words))


def _is_silent(command: Command) -> bool:
    return command.program in WORDS["silent_programs"] or all(map(is_assignment, command.words))


def _is_only_command(commands: Sequence[Command], place: int) -> bool:
    """Return whether a failure of the line is this command's: all others set variables and change folders."""
    others = (each.words for at, each in enumerate(commands) if at != place)
    return all(words[0] in ("cd", "set", "export") or is_assignment(words[-1]) for words in others)


def _printed_result(line: str, commands: Sequence[Command], place: int, output: str) -> bool | None:
    text = _end_of(output)
    passed = _last_end("passed", text)
    is_summed_up = _pattern("failed summary").search(text) is None
    if _pattern("failed").search(text, max(_last_end("summary", text), 0) if is_summed_up else 0):
        return False
    is_own = "$(" not in line and "`" not in line and not commands[place].writes_file
    if not is_own or not all(_prints_nothing(commands, at) for at in range(len(commands)) if at != place):
        return None
    if _last_end("complaint", text) > passed:
        return None if passed >= 0 else False
    return True if passed >= 0 else None


def _prints_nothing(commands: Sequence[Command], place: int) -> bool:
    """Return whether a command prints nothing that could be taken for the words of a check."""
    program, operands = commands[place].program, commands[place].words[1:]
    if place and commands[place - 1].after in ("|", "|&"):
        files = [word for word in operands if not word.startswith("-") and not word.isdigit()]
        return program == "tee" or (program in ("tail", "cat", "}") and not files)
    if program in ("echo", "printf"):
        return _SILENT_ECHO.fullmatch(" ".join(operands)) is not None
    return _is_silent(commands[place])


def _checked_nothing(text: str) -> bool:
    if _pattern("nothing made").search(text) or _pattern("failure ignored").search(text):
        return True
    return bool(_pattern("none ran").search(text)) and not _pattern("some ran").search(text)


def _end_of(output: str) -> str:
    return "\n".join(row[:_MAX_LINE] for row in tail(output, _MAX_OUTPUT).splitlines())


def _last_end(name: str, text: str) -> int:
    """Return where the last match of a pattern ends; -1 without one."""
    return max((found.end() for found in _pattern(name).finditer(text)), default=-1)


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
