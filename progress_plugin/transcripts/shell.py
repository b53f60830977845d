"""A shell command line split into simple commands, with the folder in which each one runs.

This is not a full parser. Exit code 0 proves that every command succeeded only if `&&` joins them all.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from progress_plugin.core.tables import read_json_table
from progress_plugin.text.patterns import LazyPattern

MAX_CHARS = 4000  # of a command line without its here-documents
_MAX_READ = 64_000
_MAX_DEPTH = 4
_OPERATORS = frozenset(";|&()\n")
_REDIRECTIONS = frozenset("<>&|")
_MERGED_STREAMS = LazyPattern(r"(?<=\s)[012]?>&[012-](?=[\s;|&)]|$)|(?<=\s)[012](?=>)")  # 2>&1
_COMMENT = LazyPattern(r"""^((?:[^'"\n#]++|'[^'\n]*+'|"[^"\n]*+"|(?<=[^\s])\#)*+)\#[^\n]*$""", re.MULTILINE)
_HERE_DOCUMENT = LazyPattern(r"""(?<!<)<<(?!<)-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))""")
_ASSIGNMENT = LazyPattern(r"[A-Za-z_]\w*=")
_PROGRAM_ENDING = LazyPattern(r"\.(?:exe|cmd|bat|phar)$")
_PYTHON = LazyPattern(r"(?:python|pypy)[\d.]*|py")

_TABLE = read_json_table(__file__, "command_words.json")
WORDS = {name: frozenset(words.split()) for name, words in _TABLE.items() if isinstance(words, str)}
WORDS_OF = {
    name: {key: frozenset(words.split()) for keys, words in lists.items() for key in keys.split()}
    for name, lists in _TABLE.items()
    if isinstance(lists, dict)
}
"""Lists of words by program."""


class Command(NamedTuple):
    """One simple command, without redirections."""

    words: tuple[str, ...]
    folder: str = ""  # relative to where the line starts, or absolute; from the `cd` commands before it
    operator: str = ""  # the operator after the command, such as `&&`, `||` and `|`; empty at the end
    writes_file: bool = False  # whether its standard output goes to a file

    @property
    def program(self) -> str:
        return program_name(self.words[0])

    @property
    def is_silent(self) -> bool:
        """Whether it prints nothing and, except by a redirection, changes no file."""
        return self.program in WORDS["silent_programs"] or all(map(is_assignment, self.words))

    @property
    def only_reads(self) -> bool:
        """Whether it only reads something, such as `grep` and `git log`."""
        inner = unwrap(self.words)
        program = program_name(inner[0]) if inner else ""
        is_git_look = program == "git" and not WORDS["looking_git"].isdisjoint(inner[1:2])
        return program in WORDS["looking_programs"] or is_git_look

    @property
    def may_edit(self) -> bool:
        """Whether it may change files of the project."""
        if self.writes_file or self.program != "git":
            return self.writes_file or not (self.is_silent or self.only_reads)
        return not WORDS["editing_git"].isdisjoint(self.words)


def split_line(line: str, folder: str = "", depth: int = 0) -> tuple[list[Command], bool]:
    """Return the simple commands of a line, those of a `sh -c` included, and whether the line is a chain.

    A chain has only commands joined by `&&`: exit code 0 means that all of them succeeded.
    """
    whole = _without_here_documents(line[:_MAX_READ].replace("\\\n", " "))
    whole = _COMMENT.sub(r"\1", _MERGED_STREAMS.sub("", whole)).strip()
    commands: list[Command] = []
    is_chain = len(line) <= _MAX_READ and len(whole) <= MAX_CHARS
    try:
        for words, operator, writes_file in _simple_commands(whole[:MAX_CHARS]):
            # A line may succeed although a command after `if`, `exit` and the like failed.
            is_chain = is_chain and operator in ("&&", "") and words[0] not in WORDS["breaking_chain"]
            found = [Command(tuple(words), folder, operator, writes_file)]
            inner = unwrap(found[0].words)
            if depth < _MAX_DEPTH and program_name(inner[0] if inner else "") in WORDS["shells"]:
                if inner[2:] and re.fullmatch("-[a-z]*c", inner[1]):
                    nested, is_nested_chain = split_line(inner[2], folder, depth + 1)
                    is_chain = is_chain and is_nested_chain
                    found = nested or found
                    found[-1] = found[-1]._replace(operator=operator)
            elif words[0] in ("cd", "pushd"):
                target = next((word for word in words[1:] if not word.startswith("-")), "~")
                folder = join_folder(folder, target)
            commands += found
    except ValueError:  # an open quotation mark
        is_chain = False
    return commands, is_chain


def unwrap(words: Sequence[str]) -> Sequence[str]:
    """Return a command without variables and wrappers before it: `A=1 timeout 5 uv run pytest` → `pytest`."""
    for _ in range(8):
        while words and (is_assignment(words[0]) or words[0] in WORDS["keywords"]):
            words = words[1:]
        program = program_name(words[0]) if words else ""
        program = "python" if _PYTHON.fullmatch(program) else program
        subcommands = WORDS_OF["wrappers"].get(program)
        if subcommands is None or words[1:2] == ("--test",):  # `node --test` is a check
            break
        inner = after_options([word for word in words[1:] if word != "compose"])
        if subcommands:
            if not inner or inner[0] not in subcommands:
                break
            inner = after_options(inner[1:])
        inner = inner[1:] if program in WORDS["wrappers_with_operand"] or inner[:1] == ["-m"] else inner
        if not inner or inner[0] == "-c":
            break
        words = tuple(inner)
    return words


def after_options(words: list[str]) -> list[str]:
    """Return the words after a wrapper's options and their values."""
    while words and words[0].startswith("-") and words[0] not in ("-m", "-c"):
        words = words[2:] if words[0] in WORDS["valued_wrapper_options"] else words[1:]
    return words


def program_name(word: str) -> str:
    """Return a program's name without its folder and the endings of Windows and PHP."""
    return _PROGRAM_ENDING.sub("", word.replace("\\", "/").rpartition("/")[2])


def is_assignment(word: str) -> bool:
    return _ASSIGNMENT.match(word) is not None


def join_folder(folder: str, path: str) -> str:
    """Return a path in a folder, relative to where the command line starts; empty for that place itself."""
    if path.startswith(("/", "~")):
        return path
    found = posixpath.normpath(posixpath.join(folder, path))
    return "" if found == "." else found


def _without_here_documents(line: str) -> str:
    """Return a command line without the bodies of its here-documents, which are no commands."""
    if "<<" not in line:
        return line
    rows = line.split("\n")
    present = {row.strip("\t\r") for row in rows}
    kept: list[str] = []
    remaining = iter(rows)
    for row in remaining:
        ends = [found[1] or found[2] or found[3] for found in _HERE_DOCUMENT.finditer(row)]
        ends = [end for end in ends if end in present]
        kept.append(_HERE_DOCUMENT.sub("", row) if ends else row)
        for end in ends:
            next((body for body in remaining if body.strip("\t\r") == end), None)
    return "\n".join(kept)


def _simple_commands(line: str) -> Iterator[tuple[list[str], str, bool]]:
    """Yield the words of each command, the operator after it, and whether its output goes to a file.

    Raises ValueError for an open quotation mark, after the commands before it were yielded.
    """
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();|&<>\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    words: list[str] = []
    redirection, writes_file = "", False
    for token in lexer:
        if token and _OPERATORS.issuperset(token):
            if words:
                yield words, token.strip("()\n") or ";", writes_file
            words, redirection, writes_file = [], "", False
        elif token and _REDIRECTIONS.issuperset(token):
            redirection = token
        elif redirection:
            writes_file = writes_file or ">" in redirection
            redirection = ""
        else:
            words.append(token)
    if words:
        yield words, "", writes_file
