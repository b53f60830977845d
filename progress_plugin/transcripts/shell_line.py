"""A shell command line taken apart, as far as it takes to know what it runs and what its exit code says.

Which commands it runs, those inside of `sh -c` too, is decided in `transcripts.line_commands`
(`commands_of`).

No shell is imitated: what is not understood is a word like any other, and nothing is ever run.
"""

import posixpath
import re
from collections.abc import Sequence

from progress_plugin.core.light_typing import NamedTuple

MAX_LINE = 4000
"""Characters of a command line that are looked at; a script in a here-document is longer."""
_TOKEN = re.compile(
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
_QUOTED = re.compile(r"""'([^']*+)'|"((?:\\.|[^"\\])*+)"|\\(.)""", re.DOTALL)
_HERE = re.compile(r"<<-?\s*['\"]?(\w+)")


class Part(NamedTuple):
    """One simple command of a line."""

    words: tuple[str, ...]
    after: str
    """The operator that follows: `&&`, `||`, `|`, `;`, `&`, or nothing at the end."""
    folder: str = ""
    """Where it runs, from where the line begins: what `cd` and parentheses before it say."""
    targets: tuple[str, ...] = ()
    """The files that its standard output goes to."""


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

    def closes(self) -> None:
        outer = self._outer.pop() if self._outer else None
        self.now = self.now if outer is None else outer

    def moves(self, words: Sequence[str]) -> None:
        words = words[1:] if words[0] in ("{", "then", "do", "else") else words
        if not words or words[0] not in ("cd", "pushd", "popd"):
            return
        named = next((word for word in words[1:] if word == "-" or not word.startswith("-")), "~")
        before, back = self.now, self._before
        if named == "-" or words[0] == "popd":
            self.now = back
        elif _TOP in named:
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


def parts_of(line: str) -> list[Part]:
    """Return the simple commands of a line, in order, without redirections, comments and here-documents."""
    found: list[Part] = []
    words: list[str] = []
    targets: list[str] = []
    folders = _Folders()
    redirected = ""

    def ends(operator: str) -> None:
        if words or targets:
            found.append(Part(tuple(words) or (":",), operator, folders.now, tuple(targets)))
            folders.moves(found[-1].words)
        words.clear()
        targets.clear()

    for token in _TOKEN.finditer(_without_here(line[:MAX_LINE])):
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
            folders.opens(subshell=not words)
        elif kind == "paren" and folders.closes_subshell():
            ends(";")
            folders.closes()
    ends("")
    if found and found[-1].after not in ("", "&"):
        found[-1] = found[-1]._replace(after="")
    return found


def _to_stream(redirection: str, word: str) -> bool:
    """Return whether it goes to another of the command's streams (`>&2`), not into a file."""
    return redirection.endswith("&") and (word.isdigit() or word == "-")


def tells_exit_code(parts: Sequence[Part], place: int) -> bool:
    """Return whether the line succeeds only if the command at `place` does: nothing hides its code."""
    options = {word for part in parts[:place] if part.words[0] == "set" for word in part.words[1:]}
    passed = {"&&"}
    if any(word.startswith("-") and "e" in word for word in options):
        passed.add(";")
    if "pipefail" in options:
        passed.add("|")
    return all(part.after in passed for part in parts[place:-1]) and not parts[-1].after


def _without_here(line: str) -> str:
    """Return a line without the text of its first here-document: that is no command."""
    here = _HERE.search(line)
    if here is None or "\n" not in line[here.end() :]:
        return line
    first, _, rest = line[here.end() :].partition("\n")
    rows = rest.split("\n")
    end = next((place for place, row in enumerate(rows) if row.strip() == here[1]), len(rows))
    return "\n".join([line[: here.end()] + first, *rows[end + 1 :]])


def _plain(word: str) -> str:
    return _QUOTED.sub(lambda match: next(group for group in match.groups() if group is not None), word)
