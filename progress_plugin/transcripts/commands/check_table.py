"""The table of commands that check something: programs, their words, and what runs them."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.commands.check_names import check_name, program_of, without_secrets
from progress_plugin.transcripts.commands.dry_runs import is_dry_run, is_forgiving

TESTS, BUILD, TYPES, LINT = "tests", "build", "types", "lint"
_NO_CHECK = "none"

_ALWAYS = """
tests: pytest py.test nose2 nosetests tox nox jest mocha ava rspec phpunit pest ctest bats busted
tests: prove ginkgo gotestsum elm-test karma stestr trial green ward minitest valgrind
build: webpack rollup esbuild tsup msbuild xcodebuild javac kotlinc ninja py_compile compileall ant
types: mypy dmypy pyright basedpyright pytype tsc vue-tsc svelte-check phpstan psalm tsgo
lint: flake8 pylint eslint oxlint stylelint rubocop standardrb shellcheck hadolint yamllint
lint: markdownlint markdownlint-cli2 ktlint detekt swiftlint clang-tidy cppcheck lint-imports bandit
lint: staticcheck pycodestyle pydocstyle ansible-lint actionlint tflint vulture codespell xo standard
lint: pyflakes typos misspell
"""
"""Programs that do nothing else."""

_BY_WORD = """
go: tests=test build=build lint=vet
cargo: tests=test,t,nextest build=build,b,check,c,rustc lint=clippy,shear,deny,machete
dotnet: tests=test,vstest build=build
mix: tests=test build=compile lint=credo types=dialyzer
swift: tests=test build=build
flutter: tests=test lint=analyze build=build
dart: tests=test lint=analyze
deno: tests=test types=check lint=lint
bun: tests=test build=build
zig: tests=test build=build
stack: tests=test build=build
cabal: tests=test build=build
sbt: tests=test build=compile
lein: tests=test build=check
bazel: tests=test build=build
bazelisk: tests=test build=build
mvn: tests=test,verify build=package,compile,install
mvnw: tests=test,verify build=package,compile,install
meson: tests=test build=compile
rails: tests=test,spec
forge: tests=test build=build
hardhat: tests=test build=compile
playwright: tests=test
cypress: tests=run
vitest: tests=*,run none=bench,list,init
vite: build=build
next: build=build lint=lint
ng: tests=test build=build lint=lint
nx: tests=test build=build lint=lint
react-scripts: tests=test build=build
astro: types=check build=build
hatch: tests=test build=build
ruff: lint=check
biome: lint=check,lint,ci
ty: types=check
pyre: types=check,*
flow: types=check,*
srb: types=tc
golangci-lint: lint=run
terraform: lint=validate
helm: lint=lint
docker: build=build
black: lint=--check
isort: lint=--check,--check-only,-c
prettier: lint=--check,-c
gofmt: lint=-l
cmake: build=--build
manage.py: tests=test
setup.py: tests=test lint=check build=build,build_ext,build_py
pre-commit: lint=run
prek: lint=run,-
artisan: tests=test
unittest: tests=*
doctest: tests=*
build: build=*
"""
"""Programs that do other things, too, by the first of their words in here; `*` is any, `-` none at all."""


def _always() -> dict[str, str]:
    rows = (line.split(": ") for line in _ALWAYS.split("\n") if line)
    return {name: kind for kind, names in rows for name in names.split()}


def _names(text: str) -> list[str]:
    return text.split()


def _by_words() -> dict[str, dict[str, str]]:
    found = {}
    for line in _BY_WORD.strip().split("\n"):
        program, _, kinds = line.partition(": ")
        told = (each.split("=") for each in kinds.split())
        found[program] = {
            word: "" if kind == _NO_CHECK else kind for kind, words in told for word in words.split(",")
        }
    return found


_PROGRAMS, _WORDS = _always(), _by_words()
_FORMATTERS = {"ruff": "format", "cargo": "fmt", "mix": "format", "dart": "format", "deno": "fmt"}
"""Programs with a word that changes files, and with `--check` only looks."""
_GOALS = ("mvn", "mvnw", "nx", "xcodebuild")
"""Programs that are given several words, each something to do."""
_OTHER_WORDS = frozenset(
    _names("""
run install add get new create init generate exec publish update upgrade clean doc deps.get fmt format remove
push pull apply plan serve start dev task pub
""")
)
"""Words that have other programs do something else: what follows them is no word of the program's."""
_MOST_WORDS = 3
"""Words of a program that are looked at: `cargo hack test`."""
_MAKE = ("make", "gmake")
_MAKES_VALUES = ("-C", "-f", "-I", "-o", "-W", "--directory", "--file")
"""Options of make that are followed by a value."""
_NPMS_VALUES = ("--prefix", "-C", "-w", "--workspace", "--loglevel")
_SCRIPTS = frozenset(
    (
        *_MAKE, "just", "task", "rake", "npm", "pnpm", "yarn", "bun", "composer", "gradle", "gradlew", "mage",
        "invoke", "inv", "poe", "turbo", "run-s", "run-p", "npm-run-all",
    )
)  # fmt: skip
"""Programs that run what the project calls by a name of its own."""
_NPMS_TEST = ("test", "t", "tst")
"""All scripts that npm runs without `run`; its other words are its own, such as `ci`."""
_EDGE, _END = r"(?:^|[-_:.])", r"(?:$|[-_:.])"
_MEANINGS = tuple(
    (kind, LazyPattern(f"{_EDGE}(?:{words}){_END}{more}"))
    for kind, words, more in (
        (TYPES, r"types?|typecheck|type-check|check-types|tsc|mypy|pyright", ""),
        (LINT, r"lint\w*|eslint|style|clippy|ruff|(?:format|fmt|vet|imports)[-_:]?check", "|[a-z]Lint$"),
        (
            TESTS,
            r"tests?|t|specs?|unit|e2e|integration|checks?|verify|ci|validate|vitest|jest",
            "|[a-z](?:Tests?|Check)$|^test[A-Z]",
        ),
        (BUILD, r"build|compile|dist|bundle|assemble|package", "|[a-z]Build$|^(?:assemble|compile)[A-Z]"),
    )
)
"""What the name of a script or target says, by the words in it."""
_PREPARES = LazyPattern(
    r"(?:new|create|gen|generate|update|setup|install|clean|watch|serve|start|dev|fix|publish|release)[-_:]"
)
"""How names begin of what only has to do with checks: `new-test`, `install-lint`."""
_FILE_MEANINGS = tuple(
    (kind, LazyPattern(f"{_EDGE}(?:{words}){_END}"))
    for kind, words in (
        (TYPES, r"typecheck|type-check|tsc|mypy|pyright|flow"),
        (LINT, r"lint|eslint"),
        (TESTS, r"tests?|runtests?|specs?|e2e|jest|vitest|check|verify"),
    )
)
"""What the name of a script's file says; it is of anybody's choice, so fewer words count."""
_BUILDS_ALL = LazyPattern(r"(?:build|compile)(?:[-_]all.*)?")
_RUNNERS = ("run", "all", "main", "index", "runner")
"""Files that run what their folder is called: `tests/run.py`."""
_SHELLS = ("sh", "bash", "zsh", "dash", "ash")
_RUNNING_ANY = frozenset(
    _names("""
uvx npx bunx time nice nohup env sudo command exec xvfb-run cross-env stdbuf unbuffer then do if !
else while until { ionice caffeinate rtk php node dotenv xargs tsx ts-node ruby perl
""")
)
"""Programs and words of the shell that run the command behind them."""
_TELLING = (("command", "-v"), ("command", "-V"))
"""How they only tell of it."""
_RUNNING = {
    "uv": ("run",),
    "poetry": ("run",),
    "pdm": ("run",),
    "pipenv": ("run",),
    "rye": ("run",),
    "pixi": ("run",),
    "hatch": ("run",),
    "bundle": ("exec",),
    "coverage": ("run",),
    "mise": ("exec", "x"),
    "conda": ("run",),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"),
    "npm": ("exec", "x"),
}
"""Programs that run the command behind one of these words of theirs."""
_RUNNING_SCRIPTS = ("hatch", "pdm", "pixi", "rye", "pipenv", "poetry")
"""Those of them that also run what the project calls by a name of its own: `hatch run test`."""
_WITH_VALUE = frozenset(
    (
        "-n",
        "-p",
        "--with",
        "--package",
        "--python",
        "--extra",
        "--group",
        "--project",
        "--env-file",
        "--directory",
        "-u",
        "-I",
        "-P",
        "-d",
        "-e",
        "-f",
        "-w",
        "-C",
        "--chdir",
        "--cwd",
    )
)
"""Their options that are followed by a value."""
_CONTAINERS = ("docker", "docker-compose", "podman", "podman-compose")
_PYTHON = LazyPattern(r"(?:python|pypy)[\d.]*|py")
_ASSIGNMENT = LazyPattern(r"[A-Za-z_]\w*=")
_DEEPEST = 8
"""Wrappers around a command that are taken off."""


class CheckShape(NamedTuple):
    """What the words of a command say of the check that it makes."""

    name: str
    """What is run and on what, with the options that make less of it: `pytest tests/log --lf`."""
    kind: str
    at: int
    """Which of the words is its program."""
    forgives: bool
    """Whether it succeeds whatever it finds."""


def check_of(words: Sequence[str]) -> CheckShape | None:
    """Return the check that a simple command makes; None where it makes none."""
    inner = unwrapped(words)
    if not inner:
        return None
    program, rest = program_of(inner[0]), inner[1:]
    at = len(words) - len(inner)
    if is_dry_run(program, rest, words[:at]):
        return None
    forgives = is_forgiving(program, rest, words[:at])
    before = rest[: rest.index("--")] if "--" in rest else rest
    kind = _kind(program, inner[0], rest)
    if kind is None and program in _SHELLS:
        plain = [word for word in before if not word.startswith("-")]
        kind = _by_file(plain[0]) if plain else None
        program = ""
    runs_script = at > 1 and words[at - 1] == "run" and words[at - 2] in _RUNNING_SCRIPTS
    if kind is None and runs_script:
        kind = _by_meaning(inner[0].rpartition(":")[2])
        program = f"{words[at - 2]} run {inner[0]}"
    if not kind:
        return None
    safe = without_secrets(words)
    return CheckShape(check_name(program, safe[at + 1 :], safe[:at]), kind, at, forgives)


def _kind(program: str, path: str, given: Sequence[str]) -> str | None:
    words = given[: given.index("--")] if "--" in given else given
    kind = _PROGRAMS.get(program)
    if kind is None and program in _WORDS:
        kind = _by_word(program, words)
    if kind is None and program in _SCRIPTS:
        kind = _by_script(program, words)
    if kind is None and words and _FORMATTERS.get(program) == words[0]:
        kind = LINT if any(word.startswith("--check") for word in given) else None
    if kind is None and program == "node" and "--test" in words:
        kind = TESTS
    return _by_file(path) if kind is None and program not in _SHELLS else kind


def unwrapped(words: Sequence[str]) -> Sequence[str]:
    """Return a command without what stands in front of it: assignments, wrappers, `python -m`."""
    for _ in range(_DEEPEST):
        while words and (_ASSIGNMENT.match(words[0]) or words[0] in ("(", "{")):
            words = words[1:]
        inner = _inside(words) if words else None
        if inner is None:
            return words
        words = inner
    return words


def _by_word(program: str, words: Sequence[str]) -> str | None:
    """Return the kind of check that a program's words tell; empty where they tell that it is none."""
    known = _WORDS[program]
    plain = [word for word in words if not word.startswith("-")]
    if not plain:
        return known.get("-", next((known[word] for word in words if word in known), known.get("*")))
    for word in plain if program in _GOALS else words:
        if word in known:
            return known[word]
        if word in _OTHER_WORDS and program not in _GOALS:
            return None
        if word in plain[_MOST_WORDS - 1 :]:
            break
    return known.get("*")


def _by_script(program: str, words: Sequence[str]) -> str | None:
    if program in _MAKE:
        words = _without_values(words, _MAKES_VALUES)
    plain = [word for word in words if not word.startswith("-")]
    if program == "npm":
        words = _without_values(words, _NPMS_VALUES)
        plain = [word for word in words if not word.startswith("-")]
    if program == "npm" and plain and plain[0] not in ("run", "run-script", *_NPMS_TEST):
        return None
    names = [word for word in plain if program in _MAKE or word not in ("run", "run-script", "workspace")]
    for name in names[:3]:
        kind = _by_meaning(name.rpartition(":")[2] if program.startswith("gradle") else name)
        if kind is not None:
            return kind
    if names:
        return None
    return BUILD if program in _MAKE else TESTS if program == "rake" else None


def _by_meaning(name: str) -> str | None:
    """Return what the name of a script or target says that it checks."""
    if _PREPARES.match(name):
        return None
    return next((kind for kind, meaning in _MEANINGS if meaning.search(name)), None)


def _without_values(words: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return targets and options, without variables and the values of these options."""
    kept = [word for before, word in zip(("", *words), words, strict=False) if before not in options]
    return [word for word in kept if not _ASSIGNMENT.match(word)]


def _by_file(path: str) -> str | None:
    """Return what a script checks by its file's name: only that of a path, or of one with an ending."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    stem, dot, _ = name.partition(".")
    if not folder and not dot:
        return None
    if stem in _RUNNERS and folder.rpartition("/")[2] in ("test", "tests"):
        return TESTS
    if _PREPARES.match(stem):
        return None
    if _BUILDS_ALL.fullmatch(stem):
        return BUILD
    return next((kind for kind, words in _FILE_MEANINGS if words.search(stem)), None)


def _inside(words: Sequence[str]) -> Sequence[str] | None:
    """Return the command that this one runs; None where it is one itself."""
    program, rest = program_of(words[0]), words[1:]
    if (program, *rest[:1]) in _TELLING or (program == "node" and "--test" in rest):
        return None
    if _PYTHON.fullmatch(program):
        return _run_by_python(rest)
    if program == "timeout":
        return _after_options(rest)[1:] or None
    if program in ("yarn", "pnpm") and rest and (rest[0] in _PROGRAMS or rest[0] in _WORDS):
        return rest
    if program in _CONTAINERS:
        return _in_container(rest[1:] if rest and rest[0] == "compose" else rest)
    if program in _RUNNING:
        if not rest or rest[0] not in _RUNNING[program]:
            return None
        rest = rest[1:]
    elif program not in _RUNNING_ANY:
        return None
    inner = _after_options(rest)
    return (inner[1:] if inner and inner[0] == "-m" else inner) or None


def _in_container(words: Sequence[str]) -> Sequence[str] | None:
    """Return what is run in a container or service that stands: `exec web pytest`."""
    words = _after_options(words)
    if not words or words[0] not in ("exec", "run"):
        return None
    return _after_options(words[1:])[1:] or None


def _run_by_python(rest: Sequence[str]) -> Sequence[str] | None:
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c"):
        rest = rest[2:] if rest[0] in ("-W", "-X") else rest[1:]
    if rest and rest[0] == "-m":
        return rest[1:] or None
    return rest if rest and (os.path.basename(rest[0]) in _WORDS or _by_file(rest[0])) else None


def _after_options(words: Sequence[str]) -> Sequence[str]:
    while words and words[0].startswith("-") and words[0] != "-m":
        words = words[2:] if words[0] in _WITH_VALUE else words[1:]
    return words
