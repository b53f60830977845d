"""A shell command line taken apart, as far as it takes to know what it runs, where, and how it is joined.

No shell is imitated: what is not understood is a word like any other, and nothing is ever run.
"""

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.text.bounds import head
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.commands.here_documents import without_documents

MAX_LINE = 4000
"""Characters of a command line that are looked at; a script in a here-document is longer."""
_MOST_READ = 16 * MAX_LINE
_CUT = " \N{HORIZONTAL ELLIPSIS}"
"""What a line ends with whose end is not known."""
_TOKEN = LazyPattern(
    r"""
    (?P<space>[^\S\n]++|\\\n)
  | (?P<comment>(?<!\S)\#[^\n]*+)
  | (?P<operator>&&|\|\||\|&|;;|[;|\n]|&(?!>))
  | (?P<redirection>\d?(?:>>|>\||>&|<<<|<<-?|[<>])|&>>?)
  | (?P<paren>[()])
  | (?P<word>(?:'[^']*+'|"(?:\\.|[^"\\])*+"|\\.|[^\s'"\\;|&()<>]|['"])++)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED = LazyPattern(r"""'([^']*+)'|"((?:\\.|[^"\\])*+)"|\\(.)""", re.DOTALL)
BEFORE_COMMAND = ("!", "time", "{", "if", "then", "elif", "else", "while", "until", "do")
"""Words of the shell that a command, or a parenthesis with some, follows."""


class Part(NamedTuple):
    """One simple command of a line."""

    words: tuple[str, ...]
    after: str
    """The operator that follows: `&&`, `||`, `|`, `;`, `&`, or nothing at the end."""
    folder: str = ""
    """Where it runs, from where the line begins: what `cd` and parentheses before it say."""
    targets: tuple[str, ...] = ()
    """The files that its standard output goes to."""
    opens: tuple[int, ...] = ()
    """Of each parenthesis that opens with it, behind how many of its words."""
    closes: int = 0
    """Parentheses that close behind it."""


class _Folders:
    """Where a line is, while it is taken apart."""

    def __init__(self) -> None:
        self.now = ""
        self._outer: list[str | None] = []
        """Where each open parenthesis began; None for one inside of a command."""
        self._before = ""

    def opens(self, *, subshell: bool) -> None:
        self._outer.append(self.now if subshell else None)

    def closes_subshell(self) -> bool:
        if self._outer and self._outer[-1] is None:
            self._outer.pop()
        else:
            return True
        return False

    def closes(self) -> bool:
        """Return whether one was open, and go back to where it began."""
        if not self._outer:
            return False
        outer = self._outer.pop()
        self.now = self.now if outer is None else outer
        return True

    def moves(self, words: Sequence[str]) -> None:
        words = words[1:] if words[0] in ("{", "then", "do", "else") else words
        if not words or words[0] not in ("cd", "pushd", "popd"):
            return
        named = next((word for word in words[1:] if word == "-" or not word.startswith("-")), "~")
        before, back = self.now, self._before
        if named == "-" or words[0] == "popd":
            self.now = back
        elif _TOP in " ".join(words):
            self.now = ""
        else:
            self.now = joined(self.now, named)
        self._before = before


_TOP = "rev-parse --show-toplevel"


def joined(folder: str, path: str) -> str:
    """Return a path that a command names which runs in a folder of the line's."""
    if path.startswith(("/", "~")):
        return path
    found = posixpath.normpath(posixpath.join(folder, path))
    return "" if found == "." else found


def kept_line(line: str) -> str:
    """Return of a command line what is kept to be looked at; of a long one without what it only writes."""
    if len(line) <= MAX_LINE:
        return line
    whole = without_documents(head(line, _MOST_READ), keeps_ends=True)
    is_whole = len(line) <= _MOST_READ and len(whole) <= MAX_LINE
    return whole if is_whole else head(whole, MAX_LINE) + _CUT


def is_cut(line: str) -> bool:
    """Return whether nobody knows how a command line goes on."""
    return len(line) > MAX_LINE + len(_CUT) or line.endswith(_CUT)


def parts_of(line: str) -> list[Part]:
    """Return the simple commands of a line, in order, without redirections, comments and here-documents."""
    found: list[Part] = []
    words: list[str] = []
    targets: list[str] = []
    opens: list[int] = []
    folders = _Folders()
    redirected = ""

    def ends(operator: str) -> None:
        if words or targets:
            found.append(Part(tuple(words) or (":",), operator, folders.now, tuple(targets), tuple(opens)))
            folders.moves(found[-1].words)
            opens.clear()
        words.clear()
        targets.clear()

    for token in _TOKEN.finditer(without_documents(line[: MAX_LINE + len(_CUT)])):
        kind, text = token.lastgroup, token.group()
        if kind == "operator":
            if words or targets:
                ends({"\n": ";", "|&": "|", ";;": ";"}.get(text, text))
            elif found and text != "\n":
                found[-1] = found[-1]._replace(after=text)
            redirected = ""
        elif kind == "redirection":
            redirected = text
        elif kind == "word":
            if not redirected:
                words.append(_plain(text))
            elif ">" in redirected and not redirected.startswith("2") and not _to_stream(redirected, text):
                targets.append(_plain(text))
            redirected = ""
        elif kind == "paren" and text == "(":
            is_subshell = all(word in BEFORE_COMMAND for word in words)
            folders.opens(subshell=is_subshell)
            opens += [len(words)] if is_subshell else []
        elif kind == "paren" and folders.closes_subshell():
            ends(";")
            if folders.closes() and found:
                found[-1] = found[-1]._replace(closes=found[-1].closes + 1)
    ends("")
    if found and found[-1].after not in ("", "&"):
        found[-1] = found[-1]._replace(after="")
    return found


def _to_stream(redirection: str, word: str) -> bool:
    """Return whether it goes to another of the command's streams (`>&2`), not into a file."""
    return redirection.endswith("&") and (word.isdigit() or word == "-")


def _plain(word: str) -> str:
    return _QUOTED.sub(lambda match: next(group for group in match.groups() if group is not None), word)
