"""A shell command line without the text of its here-documents, which is no command."""

import re

from progress_plugin.text.patterns import LazyPattern

_PIECE = LazyPattern(
    r"""
    (?P<continued>\\\n)
  | (?P<plain>\\.|[^'"\\$`()<\n\#]++)
  | (?P<comment>(?<![^\s;|&()])\#[^\n]*+)
  | (?P<literal>'[^']*+')
  | (?P<arithmetic>\$?\(\()
  | (?P<substitution>\$?\()
  | (?P<string><<<)
  | (?P<document><<(?P<tabs>-?)[ \t]*+(?P<end>(?:'[^'\n]*+'|"[^"\n]*+"|\\.|[^\s'"\\;|&()<>])++))
  | (?P<row>\n)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
"""What a line consists of where it is no text in double quotes."""
_QUOTED_PIECE = LazyPattern(
    r"(?P<continued>\\\n)|(?P<plain>\\.|[^\"\\$]++)|(?P<substitution>\$\()|(?P<other>.)", re.DOTALL
)
"""What a text in double quotes consists of."""
_MARKS = LazyPattern(r"['\"\\]")
_TEXT, _SUMS, _COMMANDS = '"', "((", "("


def without_documents(line: str, *, keeps_ends: bool = False) -> str:
    """Return a line without the bodies of its here-documents and without its continuations.

    With their ends it can be read again as what it was.
    """
    if "<<" not in line and "\\\n" not in line:
        return line
    kept: list[str] = []
    inside: list[str] = []
    waiting: list[tuple[str, bool]] = []
    at = 0
    while at < len(line):
        is_text = bool(inside) and inside[-1] == _TEXT
        found = (_QUOTED_PIECE if is_text else _PIECE).match(line, at)
        if found is None:  # every character is some piece
            break
        at, kind, piece = found.end(), found.lastgroup or "", found.group()
        if kind == "continued":
            continue
        kept.append(piece)
        if kind == "document" and not (inside and inside[-1] == _SUMS):
            waiting.append((_MARKS.sub("", found["end"]), bool(found["tabs"])))
        elif kind == "row" and waiting:
            at = _behind(line, at, waiting)
            kept += [f"{end}\n" for end, _ in waiting if keeps_ends]
            waiting.clear()
        else:
            _moves(inside, kind, piece, is_text=is_text)
    return "".join(kept)


def _moves(inside: list[str], kind: str, piece: str, *, is_text: bool) -> None:
    """Note what a piece opens or closes."""
    if kind == "arithmetic":
        inside.extend((_SUMS, _SUMS))
    elif kind == "substitution":
        inside.append(_COMMANDS)
    elif piece == '"':
        if is_text:
            inside.pop()
        else:
            inside.append(_TEXT)
    elif piece == ")" and inside and not is_text:
        inside.pop()


def _behind(line: str, at: int, documents: list[tuple[str, bool]]) -> int:
    """Return where a line goes on behind the bodies of the documents that its last row began."""
    for end, has_tabs in documents:
        while at < len(line):
            row, _, _ = line[at : at + len(end) + 200].partition("\n")
            feed = line.find("\n", at)
            at = len(line) if feed < 0 else feed + 1
            if (row.lstrip("\t") if has_tabs else row).rstrip("\r") == end:
                break
    return at
