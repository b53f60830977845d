"""Which files a shell command writes, by its shape: a check before it proves nothing any more.

What a script does inside is not seen; where a client tells which files a command has changed, that counts.
"""

import posixpath
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.commands.check_names import program_of
from progress_plugin.transcripts.commands.check_results import is_quiet
from progress_plugin.transcripts.commands.check_table import unwrapped
from progress_plugin.transcripts.commands.line_commands import Command, commands_of
from progress_plugin.transcripts.commands.shell_line import joined
from progress_plugin.transcripts.timeline import ANY_FILE

_SOURCES = """
.py .pyi .pyx .js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .go .rs .java .kt .kts .scala .groovy
.gradle .c .h .cc .cpp .cxx .hpp .hh .m .mm .swift .cs .fs .vb .rb .erb .php .pl .pm .lua .r .jl .dart .ex
.exs .erl .hrl .elm .hs .ml .mli .clj .cljs .edn .lisp .el .scm .nim .zig .v .sv .sol .sh .bash .zsh .fish
.ps1 .sql .graphql .proto .css .scss .sass .less .toml .yaml .yml .ini .cfg .conf .tf .hcl .nix .cmake .mk
.json .json5 .jsonc .html .htm .xml .svg .csproj .properties .env .tmpl .j2 .mod .lock
.md .mdx .rst .adoc
"""
"""Endings of files that people write; what commands print goes into files of other kinds, too."""
_ENDINGS = frozenset(_SOURCES.split())
_NAMES = LazyPattern(
    r"(?i)(?:gnu)?makefile|dockerfile(?:\..*)?|containerfile|justfile|rakefile|gemfile|procfile|jenkinsfile|vagrantfile"
    r"|cmakelists\.txt|requirements.*\.txt|constraints.*\.txt|\.env(?:\..*)?|\.[\w-]+rc|\.gitignore|\.dockerignore"
)
"""Files without such an ending that people write."""
_DATA = (".json", ".xml", ".html", ".htm", ".svg", ".lock", ".md", ".mdx", ".rst", ".adoc")
"""Endings of what programs print, too."""
_PRINTING = ("cat", "echo", "printf", "jq", "yq", "sed", "awk", "envsubst", ":", "tee", "sort")
"""Programs whose output is what somebody wrote, whatever the file is."""
_MACHINES_TOLD = """
__pycache__ node_modules dist build target coverage htmlcov vendor venv site-packages tmp temp out obj
logs
"""
_MACHINES = frozenset(_MACHINES_TOLD.split())
"""Folders whose files nobody writes by hand."""
_HIDDEN = (".github", ".gitlab", ".circleci", ".storybook", ".husky")
"""Hidden folders whose files people write."""
_IN_PLACE = {"sed": ("-i", "-Ei", "-ni", "-ri", "--in-place"), "perl": ("-i", "-pi", "-ni", "-0pi")}
_REMOVING = ("rm", "unlink")
_FORMATTERS = {
    "ruff": ("format", "--fix", "--unsafe-fixes"),
    "prettier": ("--write", "-w"),
    "eslint": ("--fix",),
    "biome": ("--write", "--apply", "--fix"),
    "gofmt": ("-w",),
    "goimports": ("-w",),
    "go": ("fmt", "fix"),
    "cargo": ("fmt", "fix", "--fix"),
    "rubocop": ("-a", "-A", "--autocorrect", "--auto-correct"),
    "clang-format": ("-i",),
    "mix": ("format",),
    "dart": ("format",),
    "deno": ("fmt",),
    "black": ("",),
    "isort": ("",),
    "autopep8": ("-i",),
    "rustfmt": ("",),
    "stylelint": ("--fix",),
}
"""Programs that change files, with the words that have them do so; empty where they always do."""
_SCRIPTS = (
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "make",
    "gmake",
    "just",
    "task",
    "poe",
    "hatch",
    "pdm",
    "composer",
    "mise",
)
_FORMATTING = LazyPattern(r"(?:^|[-_:])(?:format|fmt|fix|prettier|autoformat)(?:$|[-_:])")
_NOT_FORMATTING = LazyPattern(r"check|verify|diff|dry")
"""What the names of scripts and targets say."""
_LOOKS = (
    "--check",
    "--check-only",
    "--diff",
    "--list-different",
    "--dry-run",
    "--version",
    "--help",
    "--stdout",
)
_LOOKS_OF = {"prettier": ("-c", "-l"), "isort": ("-c",), "rustfmt": ("-l",)}
_WORDS = ("format", "fmt", "check", "fix", "lint", "clippy")
_NOTHING = LazyPattern(
    r"\b\d+ files? (?:already formatted|(?:would be )?left unchanged)|\bAll checks passed|\bAll done\b"
    r"|\bNo fixes applied|\b0 files changed"
)
_SOMETHING = LazyPattern(r"\breformatted\b|\b[1-9]\d* fixed\b|\bFixed [1-9]|\bFixed \d+ files?")
_FORCES = LazyPattern(r"-[a-z]*f[a-z]*")
"""The option of `git checkout` that throws away what was changed."""
_GIT_OPTIONS = ("-C", "-c", "--git-dir", "--work-tree")


class ShellEdit(NamedTuple):
    """A file that a command writes."""

    path: str
    """As the line names it, from where the line began; `ANY_FILE` where it does not say which."""
    place: int
    """Which of the line's commands it is."""
    is_last: bool
    """Whether the line ends with that command."""


def edits_of(line: str, output: str = "") -> list[ShellEdit]:
    """Return what a command line writes of what people write, in its order."""
    found: dict[str, ShellEdit] = {}
    commands = commands_of(line)
    for place, command in enumerate(commands):
        for path in _written(command, output):
            found.pop(path, None)
            found[path] = ShellEdit(path, place, place == len(commands) - 1)
    return list(found.values())


def written_by(line: str) -> list[str]:
    """Return the files that a command line writes, each once."""
    return [edit.path for edit in edits_of(line)]


def writes_behind(line: str, place: int) -> bool:
    """Return whether behind a check of a line something runs that may write files unseen."""
    behind = commands_of(line)[place + 1 :]
    return any(not is_quiet(each) and program_of(each.words[0]) != "git" for each in behind)


def of_people(paths: Iterable[str]) -> list[str]:
    """Return which of these are files that somebody may have written, each once."""
    return [path for path in dict.fromkeys(paths) if _is_peoples(path)]


def _written(command: Command, output: str) -> list[str]:
    at = next((at for at, word in enumerate(command.words) if program_of(word) in _IN_PLACE), None)
    # `perl` also runs what is behind it
    words = unwrapped(command.words) if at is None else command.words[at:]
    program = program_of(words[0]) if words else ""
    targets = [path for path in command.targets if _is_peoples(path)]
    if program in _PRINTING:
        targets = [
            ANY_FILE if _is_unknown(path) else path
            for path in command.targets
            if _is_peoples(path) or (_is_unknown(path) and not _has_ending(path))
        ]
    else:
        targets = [path for path in targets if not path.lower().endswith(_DATA)]
    found = targets + _arguments(program, words[1:], output)
    return [path if path == ANY_FILE else joined(command.folder, path) for path in dict.fromkeys(found)]


def _is_unknown(path: str) -> bool:
    """Return whether the name of a file is what a variable or command says: it may be any."""
    return path.rpartition("/")[2].startswith(("$", "`"))


def _arguments(program: str, words: Sequence[str], output: str) -> list[str]:
    options = [word for word in words if word.startswith("-")]
    names = [word for word in words if not word.startswith("-")]
    if program in _IN_PLACE:
        edits = any(option.startswith(_IN_PLACE[program]) for option in options)
        return _in_place(names) if edits else []
    if program == "tee":
        return of_people(names)
    if program in _REMOVING:
        whole = any(option.startswith("-") and "r" in option.lower() for option in options)
        return [name for name in names if _is_peoples(name) or (whole and _is_folder(name))]
    if program in ("cp", "mv", "install"):
        return _moved([name for name in names if not name.isdigit()], keeps=program != "mv")
    if program == "patch":
        return [] if "--dry-run" in options else [ANY_FILE]
    if program == "git":
        return _of_git(words)
    if program in _SCRIPTS and not any(word in _LOOKS for word in words):
        said = any(_FORMATTING.search(name) and not _NOT_FORMATTING.search(name) for name in names)
        return [ANY_FILE] if said and not _says_nothing_changed(output) else []
    if program in _FORMATTERS and _formats(program, words):
        return [] if _says_nothing_changed(output) else _formatted(names)
    return []


def _says_nothing_changed(output: str) -> bool:
    return _NOTHING.search(output) is not None and _SOMETHING.search(output) is None


def _in_place(names: Sequence[str]) -> list[str]:
    """Return the files among the words of `sed -i`; one that it is given by others may be any."""
    found = [name for name in names if _is_named(name)]
    is_given = len(names) <= 1 or any(name in ("{}", "$") or name.startswith("$") for name in names[1:])
    return found or ([ANY_FILE] if is_given else [])


def _moved(names: Sequence[str], *, keeps: bool) -> list[str]:
    """Return what `cp` or `mv` writes: what it makes, and what is no longer where it was."""
    if len(names) <= 1:
        return []
    *sources, target = names
    if target.endswith("/") or len(sources) > 1 or (_has_ending(sources[0]) and not _has_ending(target)):
        made = [posixpath.join(target, posixpath.basename(source.rstrip("/"))) for source in sources]
    else:
        made = [target]
    gone = [] if keeps else sources
    return [path for path in [*gone, *made] if _is_peoples(path) or _is_folder(path)]


def _of_git(words: Sequence[str]) -> list[str]:
    """Return what git changes of the files of a checkout; other branches and pulls are no edits."""
    folder = ""
    while words and words[0].startswith("-"):
        folder = words[1] if words[0] == "-C" and len(words) > 1 else folder
        words = words[2:] if words[0] in _GIT_OPTIONS else words[1:]
    verb, rest = (words[0], words[1:]) if words else ("", ())
    plain = [word for word in rest if not word.startswith("-")]
    if verb == "checkout" and ("--" in rest or "." in plain or any(_is_source(word) for word in plain)):
        named = rest[rest.index("--") + 1 :] if "--" in rest else plain
    elif verb in ("restore", "rm", "mv") and ("--staged" not in rest or "--worktree" in rest):
        named = [] if "--cached" in rest else plain
    elif _changes_any(verb, rest, plain):
        return [ANY_FILE]
    else:
        return []
    return [ANY_FILE if name in (".", ":/", "*") else joined(folder, name) for name in named]


def _changes_any(verb: str, rest: Sequence[str], plain: Sequence[str]) -> bool:
    if verb in ("checkout", "switch"):
        return any(word in ("--force", "--discard-changes") or _FORCES.fullmatch(word) for word in rest)
    if verb == "stash":
        return not plain or plain[0] in ("push", "save", "pop", "apply")
    if verb == "reset":
        return any(word in ("--hard", "--merge", "--keep") for word in rest)
    if verb == "apply":
        return not any(word in ("--check", "--stat", "--numstat", "--cached", "--summary") for word in rest)
    if verb == "clean":
        return any(word.startswith("-") and "f" in word for word in rest) and "-n" not in rest
    return verb in ("revert", "cherry-pick", "am")


def _formats(program: str, words: Sequence[str]) -> bool:
    if any(word in _LOOKS or word in _LOOKS_OF.get(program, ()) for word in words):
        return False
    return any(not each or each in words for each in _FORMATTERS[program])


def _formatted(names: Sequence[str]) -> list[str]:
    named = [name for name in names if name not in _WORDS]
    return named if named and all(_has_ending(name) and "*" not in name for name in named) else [ANY_FILE]


def _has_ending(path: str) -> bool:
    return bool(posixpath.splitext(path.rstrip("/"))[1])


def _is_named(word: str) -> bool:
    """Return whether a word of `sed -i` is a file, and no script for it."""
    return _is_peoples(word) or (_NAMES.fullmatch(word.rpartition("/")[2]) is not None)


def _is_folder(path: str) -> bool:
    name = path.rstrip("/")
    return bool(name) and not _has_ending(name) and "*" not in name and not _is_machines(f"{name}/x")


def _is_peoples(path: str) -> bool:
    return _is_source(path) and not _is_machines(path)


def _is_source(path: str) -> bool:
    name = path.replace("\\", "/").rpartition("/")[2]
    return posixpath.splitext(name)[1].lower() in _ENDINGS or _NAMES.fullmatch(name) is not None


def _is_machines(path: str) -> bool:
    """Return whether a path of the project, or of the line's folder, is one that programs write to."""
    if path.startswith("/"):
        return False  # the folders above the project say nothing
    folders = path.replace("\\", "/").split("/")[:-1]
    hidden = any(each.startswith(".") and each.strip(".") and each not in _HIDDEN for each in folders)
    return hidden or not _MACHINES.isdisjoint(folders)
