"""Secrets below a name: a column of rows that a statement of SQL inserts, of a table, a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_html_csv import in_html, in_separated
from progress_plugin.text.secret_lists import in_lists
from progress_plugin.text.secret_names import FOREIGN, LOGIN_WORD, NAME, OTHER_NAME
from progress_plugin.text.secret_passphrases import is_passphrase
from progress_plugin.text.secret_pattern_kind import places_of, without_places
from progress_plugin.text.secret_values import (
    is_assigned_password,
    is_password_below_name,
    is_quoted_secret,
    is_short_key,
    is_told_key,
)

_END = r"[\"'`\])*_ ]{0,4}$"
_SECRET = LazyPattern(rf"(?:{NAME}|{OTHER_NAME}|{LOGIN_WORD}|{'|'.join(FOREIGN)}){_END}")
_LOGIN = LazyPattern(rf"(?:{OTHER_NAME}|{LOGIN_WORD}|{'|'.join(FOREIGN)}){_END}")
_QUALIFIER = LazyPattern(r"[ \t]{0,4}\([^()]{0,60}\)[ \t*_]{0,4}$")
"""What may follow the name of a column: ``Password (staging)``."""
_PASS = LazyPattern(rf"(?<![A-Za-z0-9_-])pass{_END}", re.IGNORECASE)
_OF_RUNS = LazyPattern(
    r"\b(?:fail|skip|total|error|(?:first|second|third|last|final|next|\d(?:st|nd|rd|th))\s{1,3}pass)",
    re.IGNORECASE,
)
"""In the first row of a table, what says that a pass is none of somebody's."""
_GAP = r"(?:\s|\\[nrt]|(?<=\n)[>+])"
"""What may be between the words of a statement: escaped line ends, the marks of quotes and differences."""
_INSERT = LazyPattern(
    rf"[IR](?:(?<=I)NSERT{_GAP}{{1,20}}(?:(?:OR\s{{1,20}}[A-Z]{{1,10}}|IGNORE)\s{{1,20}})?|(?<=R)EPLACE\s{{1,20}})"
    rf"INTO{_GAP}{{1,20}}[^\s(;]{{1,120}}{_GAP}{{0,20}}\(([^();]{{1,2000}})\){_GAP}{{0,20}}"
    rf"(?:OVERRIDING\s{{1,20}}[A-Z]{{1,10}}\s{{1,20}}VALUE\s{{1,20}})?VALUES{_GAP}{{0,20}}",
    re.IGNORECASE,
)
_CELL_END = LazyPattern("</[tTdD]")
"""It is in every table or list of terms in HTML."""
_INTO_WRITTEN = ("INTO", "into", "Into")
_LENGTH_OF_INTO = 4
_VERB = LazyPattern("INSERT|REPLACE", re.IGNORECASE)
_LONGEST_VERB = 60
"""Characters from which a statement begins to its `INTO`."""
_PIECE = LazyPattern(
    r"'(?P<one>(?:[^'\\]|''|\\.){0,2000}+)'|\"(?P<two>(?:[^\"\\]|\"\"|\\.){0,2000}+)\""
    r"|--[^\n]{0,400}+|/\*[^*]{0,400}\*/|[(),;]|[^'\"(),;/-]++|.",
    re.DOTALL,
)
"""Of a row: a quoted value, a comment, a sign that parts fields, whatever is between them."""
_BETWEEN = rf"(?:{_GAP}|--[^\n]{{0,400}}+\n|/\*[^*]{{0,400}}\*/){{0,400}}+"
_BETWEEN_ROWS = LazyPattern(rf"{_BETWEEN},{_BETWEEN}")
_DELIMITER = LazyPattern(r"[ \t>]*+[|+]?[ \t]*+:?[-=]++:?[ \t]*+[|+][-=:|+ \t]*+\r?$")
"""Of Markdown, of what ``psql`` (``-+-``) and ``mysql`` (``+--+``) print."""
_FRAME = LazyPattern(r"[ \t>]*+\+")
_RULE = LazyPattern(r"[ \t>]*+(?:-{2,}+|={2,}+)(?:[ \t]{1,4}+(?:-{2,}+|={2,}+))*+[ \t]*+\r?$")
_RULES = ("--", "==")
_AT_RULE = LazyPattern(r"\n[ \t>]*+(?:--|==)")
_COLUMN = LazyPattern("[-=]{2,}+")
_DRAWN_BARS = "│┃║"
_DRAWN = (
    dict.fromkeys(range(0x2500, 0x2580), "+")
    | {ord(bar): "|" for bar in _DRAWN_BARS}
    | {ord(line): "-" for line in "─━═"}
)
"""Lines of tables that are drawn, as they are written otherwise."""
_BEFORE_CELLS = LazyPattern(r"[ \t>]*+(?:(?:[-*+]|\d{1,3}[.)])[ \t]++(?=\|))?\|?")
_BAR = LazyPattern(r"(?<!\\)\|")
_FIRST_WORD = LazyPattern(r"[^\s<]++")
_LONGEST_CELL = 400

_Judge = Callable[[str], bool]


def without_secrets_below_names(text: str, *, keeps_lines: bool = False) -> tuple[str, int]:
    """Return a text without the values below the name of a secret, and how many they were.

    `keeps_lines` leaves the line ends that are in a value.
    """
    places: list[tuple[int, int]] = []
    if "(" in text:
        places += _inserted(text)
    if "\n" in text:
        lines = text.split("\n")
        if any(bar in text for bar in _DRAWN_BARS):
            places += _in_tables(text.translate(_DRAWN).split("\n"))
        elif "|" in text:
            places += _in_tables(lines)
        if _AT_RULE.search(text):
            places += _in_aligned(lines)
        places += in_lists(lines)
        if any(sign in text for sign in ",;\t"):
            places += in_separated(lines, _named)
    if "</" in text and _CELL_END.search(text):
        places += in_html(text, _named)
    return without_places(text, places, keeps_lines=keeps_lines)


def _inserted(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in the rows of each statement that inserts some."""
    at = 0
    for into in sorted(place for word in _INTO_WRITTEN for place in places_of(text, word)):
        if into < at:
            continue
        statement = _statement(text, max(at, into - _LONGEST_VERB), into)
        at = statement.end() if statement else into + _LENGTH_OF_INTO
        if not statement:
            continue
        names = [name.strip() for name in statement[1].split(",")]
        judges = {at: _judge(name) for at, name in enumerate(names) if _SECRET.search(name)}
        while judges and text.startswith("(", at):
            fields, at = _fields(text, at + 1)
            for column, judge in judges.items():
                field = fields[column] if column < len(fields) else None
                group = (field.lastgroup if field else None) or ""
                if field and judge(field[group]):
                    yield field.span(group)
            gap = _BETWEEN_ROWS.match(text, at)
            at = gap.end() if gap else at


def _statement(text: str, start: int, into: int) -> re.Match[str] | None:
    """Return the statement that inserts something and begins before its rarest word, which is found first."""
    verbs = _VERB.finditer(text, start, into)
    return next((found for verb in verbs if (found := _INSERT.match(text, verb.start()))), None)


def _judge(name: str) -> _Judge:
    return is_assigned_password if _LOGIN.search(name) else is_quoted_secret


def _fields(text: str, at: int) -> tuple[list[re.Match[str] | None], int]:
    """Return the first quoted value of each field of a row, also of a call's, and where the row ends.

    `at` is behind its first bracket. One that is never closed ends where the statement or another begins.
    """
    fields: list[re.Match[str] | None] = [None]
    depth = 1
    for piece in _PIECE.finditer(text, at):
        sign = piece[0]
        if piece.lastgroup:
            fields[-1] = fields[-1] or piece
        elif sign == "," and depth == 1:
            fields.append(None)
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == ";" or "INTO" in sign.upper():
            return fields, piece.start()
        if not depth:
            return fields, piece.end()
    return fields, len(text)


def _named(name: str) -> _Judge | None:
    """Return what tells a secret below a name of a column, or nothing where it is none of a secret."""
    name = _QUALIFIER.sub("", name.strip())
    if not _SECRET.search(name):
        return None
    return _is_password_below_name if _LOGIN.search(name) else is_short_key


def _is_password_below_name(value: str) -> bool:
    return is_password_below_name(value) or is_passphrase(value)


def _in_tables(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in the cells of each table whose columns bars part."""
    judges: dict[int, _Judge] = {}
    is_inside = False
    above, start, rows = "", 0, 0
    for line in lines:
        if _is_delimiter(line):
            if not _FRAME.match(line):
                judges |= _judges(above)  # a row may hold dashes alone
            elif rows == 1:  # a frame may stand below every row
                judges = _judges(above)
            is_inside = True
        elif "|" not in line:
            is_inside, judges, rows = False, {}, 0
        else:
            rows += 1
            if is_inside:
                yield from ((start + first, start + last) for first, last in _in_row(line, judges))
        above, start = line, start + len(line) + 1


def _is_delimiter(line: str) -> bool:
    return ("|" in line or "+" in line) and _DELIMITER.match(line) is not None


def _in_aligned(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in tables whose columns a rule of dashes below their names shows."""
    starts: list[int] = []
    for at, line in enumerate(lines):
        if at and ("--" in line or "==" in line) and _is_rule(line):  # nearly no line is one
            judges = {
                span: judge
                for span in _columns(line, lines[at - 1])
                if (judge := _named(lines[at - 1][slice(*span)])) is not None
            }
            if judges:
                starts = starts or [*accumulate((len(each) + 1 for each in lines), initial=0)]
                yield from _below_rule(lines, starts, at + 1, judges)


def _is_rule(line: str) -> bool:
    return line.lstrip(" \t>")[:2] in _RULES and _RULE.match(line) is not None


def _below_rule(
    lines: Sequence[str], starts: Sequence[int], first_row: int, judges: dict[tuple[int, int | None], _Judge]
) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in the rows of one table: up to an empty line or the next rule."""
    for at in range(first_row, len(lines)):
        line = lines[at]
        if not line.strip() or _is_rule(line):
            return
        for (first, last), judge in judges.items():
            cell = line[first:last].strip()
            if cell and len(cell) <= _LONGEST_CELL and judge(cell):
                begin = starts[at] + line.index(cell, first)
                yield begin, begin + len(cell)


def _columns(rule: str, names: str) -> list[tuple[int, int | None]]:
    """Return where each column begins and the next does; a rule of one part may underline a heading."""
    starts = [found.start() for found in _COLUMN.finditer(rule)]
    if len(starts) == 1 and not (names[:1] == " " and rule[:1] != " "):  # as `psql` has it
        return []
    return list(zip(starts, (*starts[1:], None), strict=True))


def _judges(head: str) -> dict[int, _Judge]:
    """Return what tells a secret in each column that is named for some."""
    of_runs = _OF_RUNS.search(head)
    names = [head[first:last] for first, last in _cells(head)]
    return {
        at: judge
        for at, name in enumerate(names)
        if (judge := _named(name)) and not (of_runs and _PASS.search(_QUALIFIER.sub("", name.strip())))
    }


def _in_row(line: str, judges: dict[int, _Judge]) -> Iterator[tuple[int, int]]:
    """Yield the secrets of a row: in columns that are named for some, or behind such a name in the first."""
    of_row: _Judge | None = None
    for at, (first, last) in enumerate(_cells(line)):
        cell = line[first:last].strip(" \t\r`*")
        begin = line.index(cell, first)
        word = _FIRST_WORD.match(cell)
        judge = judges.get(at, of_row)
        if judge and len(cell) <= _LONGEST_CELL and judge(cell):
            yield begin, begin + len(cell)
        elif judge and word and word[0] != cell and is_told_key(word[0]):
            yield begin, begin + word.end()
        elif at == 0 and _SECRET.search(_QUALIFIER.sub("", cell)):
            of_row = is_short_key


def _cells(line: str) -> Iterator[tuple[int, int]]:
    """Yield where each cell of a row begins and ends; the bar before the first is left out."""
    before = _BEFORE_CELLS.match(line)
    start = before.end() if before else 0
    for bar in _BAR.finditer(line, start):
        yield start, bar.start()
        start = bar.end()
    yield start, len(line)
