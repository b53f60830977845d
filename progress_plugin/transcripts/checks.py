"""Which commands are checks (tests, builds, type checks, linters), and what a check is called.

`command_words.json` has the tables. The name of a script is judged by its whole words: `npm run test:unit` is
a test, `npm run deploy-test` and `npm run check-in` are none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact_value
from progress_plugin.transcripts.shell import (
    SHELLS,
    WORDS,
    after_options,
    is_assignment,
    join_folder,
    program_name,
    unwrap,
    word_set,
)

TESTS, BUILD, LINT = "tests", "build", "lint"


def _subcommands() -> dict[str, dict[str, str]]:
    """Return for each program the kind of check that its subcommands make; empty for one that makes none."""
    found = {}
    for programs, kinds in WORDS["subcommands"].items():
        pairs = [each.split("=") for each in kinds.split()]
        words = {word: "" if kind == "none" else kind for kind, named in pairs for word in named.split(",")}
        found.update(dict.fromkeys(programs.split(), words))
    return found


_PROGRAMS = {name: kind for kind, names in WORDS["programs"].items() for name in names.split()}
_SUBCOMMANDS = _subcommands()
_FORMATTERS: dict[str, str] = WORDS["formatters"]  # the subcommand that only looks with `--check`
_OTHER_SUBCOMMANDS, _SEVERAL_SUBCOMMANDS = word_set("other_subcommands"), word_set("several_subcommands")
_SCRIPT_RUNNERS = word_set("script_runners")
_TARGET_RUNNERS = word_set("target_runners")  # a run of these without a target does not run all targets
_NPM_TEST, _MAKE = ("test", "t", "tst"), ("make", "gmake")

_SURE_WORDS = {kind: frozenset(words.split()) for kind, words in WORDS["sure_words"].items()}
_WEAK_WORDS = {kind: frozenset(words.split()) for kind, words in WORDS["weak_words"].items()}
_WEAK_OR_QUALIFIER = word_set("qualifiers").union(*_WEAK_WORDS.values())
_DENIED, _DENIED_FIRST = word_set("denied"), word_set("denied_first")

_CHECKS_NOTHING = word_set("checks_nothing")
_CHECKS_NOTHING_FOR = {name: options.split() for name, options in WORDS["checks_nothing_for"].items()}
_MAKE_DRY, _MAKE_IGNORES = LazyPattern(r"-[BbdeikrRsSw]*[nqtv]\w*"), LazyPattern(r"-[BbdekrRsSw]*i\w*")
_ALWAYS_SUCCEEDS = LazyPattern(
    r"--(?:exit-zero|no-fail|soft-fail|ignore-errors?|if-present)(?:=.*)?|--[\w-]*exit-code=0"
)
_OPTIONS_VARIABLE = LazyPattern(r"(\w*MAKEFLAGS|\w+_ADDOPTS)=(.*)", re.DOTALL)

_SELECTING, _SELECTING_FLAGS = word_set("selecting_options"), word_set("selecting_flags")
_FOLDER_OPTIONS, _TARGET_VALUES = word_set("folder_options"), word_set("target_values")
_FLAGS = LazyPattern(
    r"-[qvxslri]+|-[a-zA-Z]\d+|-race|--no-[\w-]+|--(?:verbose|quiet|exitfirst|fail-?fast|bail|strict|all|fix|ci|run"
    r"|check|build|write|release|locked|coverage|if-present|runInBand|parallel|workspaces|noEmit|diff)"
)
"""Options that no value follows; the word behind any other option is its value."""
_CONTAINER_PROGRAMS = ("docker", "docker-compose", "podman", "podman-compose")
_NAME_WORD = LazyPattern(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_MAX_NAME = 200


class Check(NamedTuple):
    """A command that checks something."""

    name: str  # the program, its paths, and the options that select: `pytest tests/log -k tide`
    kind: str
    can_fail: bool  # False if its exit code is 0 in any case
    folder: str = ""  # where its own options have it run
    paths: tuple[str, ...] = ()  # the files and folders it is given
    container: str = ""


def classify(words: Sequence[str]) -> Check | None:
    """Return the check that a simple command makes; None for every other command."""
    inner = list(unwrap(words))
    if not inner:
        return None
    wrapper = words[: len(words) - len(inner)]
    program, path, given = program_name(inner[0]), inner[0], inner[1:]
    if program in SHELLS:
        if any(word.startswith("-") and "n" in word for word in given[:2]) or not given:
            return None
        path = next((word for word in given if not word.startswith("-")), "")
        program, given = program_name(path), given[given.index(path) + 1 :] if path else []
    if program in ("yarn", "pnpm") and given and (given[0] in _PROGRAMS or given[0] in _SUBCOMMANDS):
        program, given = given[0], given[1:]
    options = [*given, *_options_in_variables(wrapper)]
    if _checks_nothing(program, options):
        return None
    own = given[: given.index("--")] if "--" in given else given
    kind = _PROGRAMS.get(program) or _by_subcommand(program, own, given)
    if not kind and program in _SCRIPT_RUNNERS:
        kind = _by_target(program, own)
    elif not kind and wrapper and wrapper[-1] == "run" and program_name(wrapper[-2]) in _SCRIPT_RUNNERS:
        kind = kind_of_script(program)  # `hatch run test`
        program = f"{wrapper[-2]} run {program}" if kind else program
    if not kind:
        kind, program = _by_file(path), posixpath.normpath(path)
    if not kind:
        return None
    name, folder, paths = _described(program, given, wrapper)
    can_fail = not _always_succeeds(program, options)
    return Check(name, kind, can_fail, folder, paths, _container(wrapper))


def kind_of_script(name: str) -> str:
    """Return what the name of a script or target says that it checks; empty if it is no check."""
    words = [word.lower() for word in _NAME_WORD.findall(name)]
    if not words or words[0] in _DENIED_FIRST or not _DENIED.isdisjoint(words):
        return ""
    sure = next((kind for kind, known in _SURE_WORDS.items() if not known.isdisjoint(words)), "")
    if sure or not _WEAK_OR_QUALIFIER.issuperset(words):
        return sure
    return next((kind for kind, known in _WEAK_WORDS.items() if not known.isdisjoint(words)), "")


def covers(whole: str, part: str) -> bool:
    """Return whether a passing check includes another one: `pytest` includes `pytest tests/a.py`."""
    if whole == part:
        return True
    (whole, folder), (part, other) = _split_folder(whole), _split_folder(part)
    program, *selected = whole.split(" ")
    if folder != other or program in _TARGET_RUNNERS or "." in program or "/" in program:
        return False
    if any(word in _SELECTING_FLAGS or word.partition("=")[0] in _SELECTING for word in selected):
        return False
    return part.startswith((f"{whole} ", f"{whole}/", f"{whole}::"))


def name_in_folder(name: str, folder: str) -> str:
    """Return the name of a check with where it ran; `folder` is empty at the project's root."""
    return f"{name} (in {folder.replace('(', '').replace(')', '')})" if folder else name


def _split_folder(name: str) -> tuple[str, str]:
    check, mark, folder = name.rpartition(" (in ")
    return (check, folder) if mark and folder.endswith(")") else (name, "")


def _by_subcommand(program: str, own: Sequence[str], given: Sequence[str]) -> str:
    known = _SUBCOMMANDS.get(program, {})
    plain = [word for word in own if not word.startswith("-")]
    if plain and _FORMATTERS.get(program) == plain[0] and any(word.startswith("--check") for word in given):
        return LINT
    if option := next((word for word in own if word.startswith("-") and word in known), ""):
        return known[option]
    for word in plain if program in _SEVERAL_SUBCOMMANDS else plain[:3]:
        if word in known:
            return known[word]
        if word in _OTHER_SUBCOMMANDS and program not in _SEVERAL_SUBCOMMANDS:
            return ""
    return known.get("*", "") or ("" if plain else known.get("bare", ""))


def _by_target(program: str, own: Sequence[str]) -> str:
    targets = _targets(program, own)
    if program in _MAKE and not targets:
        return BUILD
    if program == "rake" and not targets:
        return TESTS
    if program == "npm" and targets and targets[0] not in _NPM_TEST and not {"run", "run-script"} & set(own):
        return ""
    kinds = (kind_of_script(name.rpartition(":")[2] if "gradle" in program else name) for name in targets[:3])
    return next(filter(None, kinds), "")


def _targets(program: str, own: Sequence[str]) -> list[str]:
    pairs = pairwise(("", *own))
    words = [word for before, word in pairs if before not in _TARGET_VALUES and not word.startswith("-")]
    skipped = () if program in _MAKE else ("run", "run-script", "workspace")
    return [word for word in words if word not in skipped and not is_assignment(word)]


def _by_file(path: str) -> str:
    """Return what a script checks by its file's name, if it is called by a path or has an ending."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    stem, dot, _ = name.partition(".")
    if not (folder or dot) or path.startswith("-"):
        return ""
    if stem in ("run", "all", "main", "index", "runner") and folder.rpartition("/")[2] in ("test", "tests"):
        return TESTS
    return kind_of_script(stem)


def _checks_nothing(program: str, given: Sequence[str]) -> bool:
    if not _CHECKS_NOTHING.isdisjoint(given) or any(
        word in _CHECKS_NOTHING_FOR.get(program, ()) for word in given
    ):
        return True
    if program in _MAKE:
        return any(_MAKE_DRY.fullmatch(word) for word in given)
    return "-V" in given and program not in ("ctest", "prove", "cmake")


def _always_succeeds(program: str, given: Sequence[str]) -> bool:
    if any(_ALWAYS_SUCCEEDS.fullmatch(word) for word in given):
        return True
    if any(word.endswith("exit-code") for word in given) or (program == "ruff" and "-e" in given):
        return True
    return program in _MAKE and any(_MAKE_IGNORES.fullmatch(word) for word in given)


def _options_in_variables(wrapper: Sequence[str]) -> list[str]:
    """Return the options in `MAKEFLAGS=n` and `PYTEST_ADDOPTS='-q --co'` before a command."""
    found: list[str] = []
    for name, value in (match.groups() for match in map(_OPTIONS_VARIABLE.fullmatch, wrapper) if match):
        has_letters = name.endswith("MAKEFLAGS") and not value.startswith("-") and "=" not in value
        found += (f"-{value}" if has_letters else value).split()
    return found


def _described(
    program: str, given: Sequence[str], wrapper: Sequence[str]
) -> tuple[str, str, tuple[str, ...]]:
    """Return a check's name without the values of other options, the folder its options name, its paths."""
    kept, selection, paths, folder, before = [program], [], [], _folder_of_wrapper(wrapper), ""
    deciding = {"--check", *_SUBCOMMANDS.get(program, ())}  # `black --check` is a check, `black` is none
    for word in redact_value(list(given))[0]:
        option, _, value = word.partition("=")
        if word.startswith("-"):
            kept += [word] if word in deciding else []
            selection += [word] if option in _SELECTING_FLAGS or (value and option in _SELECTING) else []
            folder = _joined_folder(folder, option, value) if value and option in _FOLDER_OPTIONS else folder
        elif before in _FOLDER_OPTIONS:
            folder = _joined_folder(folder, before, word)
        elif (
            before in deciding
            or before in ("", "--")
            or before in _SELECTING_FLAGS
            or _FLAGS.fullmatch(before)
        ):
            kept.append(word)
            paths += [word] if "/" in word or word.startswith("..") else []
        elif before in _SELECTING:
            selection.append(f"{before} {word}")
        before = word if word.startswith("-") and "=" not in word else ""
    if program in ("npm", "pnpm", "yarn") and kept[1:2] in (["run"], ["run-script"]):
        del kept[1]
    if program == "npm" and len(kept) > 1:
        kept[1:2] = ["test"] if kept[1] in _NPM_TEST else ["run", kept[1]]
    return " ".join([*kept, *selection])[:_MAX_NAME], folder, tuple(paths)


def _folder_of_wrapper(wrapper: Sequence[str]) -> str:
    for option, value in zip(wrapper, [*wrapper[1:], ""], strict=False):
        name, equals, inline = option.partition("=")
        if name in _FOLDER_OPTIONS:
            return inline if equals else value
    return ""


def _joined_folder(folder: str, option: str, value: str) -> str:
    return join_folder(folder, posixpath.dirname(value) if option == "--manifest-path" else value)


def _container(wrapper: Sequence[str]) -> str:
    if not any(program_name(word) in _CONTAINER_PROGRAMS for word in wrapper):
        return ""
    start = next((at for at, word in enumerate(wrapper) if word in ("exec", "run")), len(wrapper))
    return next(iter(after_options(list(wrapper[start + 1 :]))), "")
