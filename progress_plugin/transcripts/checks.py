"""Recognise the commands that are checks (tests, builds, linters), name them, and find their results.

`command_words.json` has the tables. The name of a script is judged by its whole words: `npm run test:unit` is
a test, `npm run deploy-test` and `npm run check-in` are not.

If a line is only commands joined by `&&`, exit code 0 means that its checks passed, and another one that the
check failed if no other command can have failed. Else the output tells the result of a line's only check, by
the patterns of `check_output.tsv`. An uncertain result is None.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from progress_plugin.core.tables import read_rows
from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact_value, redacted_end
from progress_plugin.transcripts.shell import (
    WORDS,
    WORDS_OF,
    Command,
    after_options,
    is_assignment,
    join_folder,
    program_name,
    split_line,
    unwrap,
)

_SUBCOMMANDS = WORDS_OF["subcommands"]  # by program: `*` is any subcommand, `!x` one that checks nothing
_NPM_TEST, _MAKE = ("test", "t", "tst"), ("make", "gmake")
_SELECTING, _SELECTING_FLAGS = WORDS["selecting_options"], WORDS["selecting_flags"]
_ALWAYS_SUCCEEDS = LazyPattern(
    r"--(?:exit-zero|no-fail|soft-fail|ignore-errors?|if-present|[\w-]*exit-code)(?:=.*)?"
    r"|(?:\w*MAKEFLAGS|\w+_ADDOPTS)=.*"
)
_FLAGS = LazyPattern(
    r"--?|-[qvxslri]+|-[a-zA-Z]\d+|-race|--no-[\w-]+|--(?:verbose|quiet|exitfirst|fail-?fast|bail|strict|all|fix|ci"
    r"|run|check|build|write|release|locked|coverage|if-present|runInBand|parallel|workspaces|noEmit|diff)"
)
"""Options without a value; the word after any other option is its value."""
_NAME_WORD = LazyPattern(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_MAX_NAME = 200
_MAX_OUTPUT, _MAX_LINE = 20_000, 400
_SILENT_ECHO = LazyPattern(r"(?!.*(?i:\bok\b|pass|succe))[\w :=.-]*(?:\$\?|\$\{PIPESTATUS\[\d\]\})?")


class Check(NamedTuple):
    """A command that checks something."""

    name: str  # the program, its paths, and the options that select: `pytest tests/log -k tide`
    can_fail: bool  # False if its exit code is 0 in any case
    folder: str = ""  # where it runs, relative to where its line starts, or absolute
    paths: tuple[str, ...] = ()  # the files and folders it is given, as they were typed
    passed: bool | None = None  # None if the transcript does not show the result


def classify(words: Sequence[str]) -> Check | None:
    """Return a simple command as a check; None if it checks nothing."""
    inner = list(unwrap(words))
    if inner and program_name(inner[0]) in WORDS["shells"]:  # `bash scripts/test.sh`
        inner = after_options(inner[1:])
    if inner[1:] and inner[0] in ("yarn", "pnpm") and inner[1] in (WORDS["programs"] | _SUBCOMMANDS.keys()):
        inner = inner[1:]
    if not inner:
        return None
    program, path, given = program_name(inner[0]), inner[0], inner[1:]
    if not (WORDS["checks_nothing"] | WORDS_OF["checks_nothing_for"].get(program, set())).isdisjoint(given):
        return None
    own = given[: given.index("--")] if "--" in given else given  # the others are for what the program runs
    wrapper = words[: len(words) - len(inner)]
    is_check = program in WORDS["programs"] or _by_subcommand(program, own, given) or _by_target(program, own)
    is_script = wrapper[-1:] == ("run",) and program_name(wrapper[-2]) in WORDS["script_runners"]
    if not is_check and is_script:
        is_check, program = is_check_name(program), f"{wrapper[-2]} run {program}"  # `hatch run test`
    if not is_check:
        is_check, program = _by_file(path), posixpath.normpath(path)
    if not is_check:
        return None
    unable = WORDS_OF["always_succeeds_for"].get(program, ())
    can_fail = not any(_ALWAYS_SUCCEEDS.fullmatch(word) or word in unable for word in words)
    named, selection = _named(program, given)
    paths = tuple(word for word in named[1:] if "/" in word or word.startswith(".."))
    return Check(" ".join([*named, *selection])[:_MAX_NAME], can_fail, _folder(words), paths)


def is_check_name(name: str) -> bool:
    """Return whether the name of a script or target says that it checks something."""
    found = [word.lower() for word in _NAME_WORD.findall(name)]
    words = set(found)
    if not found or found[0] in WORDS["denied_first"] or words & WORDS["denied"]:
        return False
    weak = WORDS["weak_words"]
    return bool(words & WORDS["sure_words"] or (words & weak and words <= weak | WORDS["qualifiers"]))


def covers(whole: str, part: str) -> bool:
    """Return whether a passing check includes another one: `pytest` includes `pytest tests/a.py`."""
    if whole == part:
        return True
    (whole, _, folder), (part, _, part_folder) = whole.partition(" (in "), part.partition(" (in ")
    program, *selected = whole.split(" ")
    if folder != part_folder or program in WORDS["target_runners"] or "." in program or "/" in program:
        return False
    if any(word in _SELECTING_FLAGS or word.partition("=")[0] in _SELECTING for word in selected):
        return False
    return part.startswith((f"{whole} ", f"{whole}/", f"{whole}::"))


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
            pass  # a variable hides where the check ran
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


def may_edit_after_checks(line: str) -> bool:
    """Return whether a command that may edit files follows the last check of a line."""
    commands = split_line(line)[0]
    last = max((place for place, each in enumerate(commands) if classify(each.words)), default=-1)
    return any(each.may_edit for each in commands[last + 1 :])


def informative_line(output: str) -> str:
    """Return the most informative line of a failing command's output; empty if no line has words.

    Secrets are redacted before the split into lines: a single line of a key does not look like a secret.
    """
    rows = [head(row.strip(), _MAX_LINE) for row in redacted_end(output, _MAX_OUTPUT).splitlines()]
    rows = [row for row in rows if any(char.isalnum() for char in row)]
    index = next((place for place, row in enumerate(rows) if _pattern("unittest name").search(row)), None)
    if index is not None and (reason := _most_telling(rows[index + 1 :])):
        return f"{rows[index].split()[1]}: {reason}"
    return _most_telling(rows) or (rows[-1] if rows else "")


def _by_subcommand(program: str, own: Sequence[str], given: Sequence[str]) -> bool:
    known = _SUBCOMMANDS.get(program, frozenset())
    plain = [word for word in own if not word.startswith("-")]
    is_formatter = not WORDS_OF["formatters"].get(program, set()).isdisjoint(plain[:1])
    if is_formatter and any(word.startswith("--check") for word in given):
        return True
    if any(word.startswith("-") and word in known for word in own):
        return True
    for word in plain:
        if word in known:
            return True
        if word in WORDS["other_subcommands"] or f"!{word}" in known:
            return False
    return "*" in known or ("bare" in known and not plain)


def _by_target(program: str, own: Sequence[str]) -> bool:
    if program not in WORDS["script_runners"]:
        return False
    valued = WORDS["target_values"]
    words = [each for before, each in pairwise(("", *own)) if before not in valued and each[:1] != "-"]
    skipped = () if program in _MAKE else ("run", "run-script", "workspace")
    targets = [word for word in words if word not in skipped and not is_assignment(word)]
    if not targets:
        return program in (*_MAKE, "rake")
    if program == "npm" and targets[0] not in _NPM_TEST and not {"run", "run-script"} & set(own):
        return False
    return any(map(is_check_name, targets[:3]))


def _by_file(path: str) -> bool:
    """Return whether a script is a check by its file name; a word without folder and ending is no file."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    stem, dot, _ = name.partition(".")
    if not (folder or dot):
        return False
    is_runner = stem in ("run", "all", "main", "index", "runner")
    return (is_runner and folder.rpartition("/")[2] in ("test", "tests")) or is_check_name(stem)


def _named(program: str, given: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return program and paths of a check, and the options that select tests; others are left out."""
    named, selection, option = [program], [], ""
    deciding = {"--check", *_SUBCOMMANDS.get(program, ())}  # `black --check` is a check, `black` is not
    for word in redact_value(list(given))[0]:
        name, equals, _ = word.partition("=")
        if word.startswith("-"):
            named += [word] if word in deciding else []
            selection += [word] if name in _SELECTING_FLAGS or (equals and name in _SELECTING) else []
            has_value = not (equals or word in deciding or word in _SELECTING_FLAGS or _FLAGS.fullmatch(word))
            option = word if has_value else ""
            continue
        if not option:
            named.append(word)
        elif option in _SELECTING:
            selection.append(f"{option} {word}")
        option = ""
    can_omit_run = program in ("pnpm", "yarn") or (program == "npm" and named[2:3] == ["test"])
    if can_omit_run and named[1:2] in (["run"], ["run-script"]):
        del named[1]
    return named, selection


def _folder(words: Sequence[str]) -> str:
    """Return the folder that the options of a command or its wrappers set: `api` for `make -C api`."""
    folder = ""
    for option, following in pairwise([*words, ""]):
        name, equals, value = option.partition("=")
        if name in WORDS["folder_options"]:
            path = value if equals else following
            folder = join_folder(folder, posixpath.dirname(path) if name == "--manifest-path" else path)
    return folder


def _is_only_command(commands: Sequence[Command], place: int) -> bool:
    """Return whether only this command can have failed: all others set variables or change the folder."""
    others = (each.words for at, each in enumerate(commands) if at != place)
    return all(words[0] in ("cd", "set", "export") or is_assignment(words[-1]) for words in others)


def _printed_result(line: str, commands: Sequence[Command], place: int, output: str) -> bool | None:
    """Return whether the only check of a line has passed, by the output of the line; None if uncertain."""
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
    """Return whether a command prints nothing that could be taken for the result of a check."""
    program, operands = commands[place].program, commands[place].words[1:]
    if place and commands[place - 1].operator in ("|", "|&"):
        files = [word for word in operands if not word.startswith("-") and not word.isdigit()]
        return program == "tee" or (program in ("tail", "cat", "}") and not files)
    if program in ("echo", "printf"):
        return _SILENT_ECHO.fullmatch(" ".join(operands)) is not None
    return commands[place].is_silent


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
    """Return the pattern of all rows of `check_output.tsv` with this name."""
    rows = read_rows(__file__, "check_output.tsv")
    flags = re.MULTILINE | (re.IGNORECASE if name.endswith(" ran") else 0)
    return re.compile("|".join(pattern for kind, pattern in rows if kind == name), flags)
