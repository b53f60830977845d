"""Secrets below or beside a name in cells of HTML, and in lines of values that a sign parts.

What names a secret, and which value below it is one, is given by `text.secret_tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from progress_plugin.text.patterns import LazyPattern

Judge = Callable[[str], bool]
Named = Callable[[str], Judge | None]
"""What tells a secret below a name, or nothing where the name is none of a secret."""

_TAG = LazyPattern(r"<(?P<closes>/?)(?P<name>(?i:table|tr|th|td|dt|dd|thead|tbody))(?![\w-])[^<>]{0,300}+>")
_OTHER_TAG = LazyPattern(r"<[^<>]{0,200}+>")
_LONGEST_CELL = 400
_SEPARATORS = ",;\t"
_NAME = r"[ ]?[\"']?\w[\w.-]{0,40}+(?:[ ][\w.-]{1,40}+)?(?:[ ]\([^()\n]{0,40}\))?[\"']?[ ]?"
_HEAD = LazyPattern(rf"{_NAME}(?:[,;\t]{_NAME}){{1,60}}\r?$")
"""The first line of such a file: names alone."""
_BEGINS_NO_NAME = frozenset("-*#|>`[(")
"""What most lines of a log begin with, and none that names columns; two blanks are such a beginning, too."""
_QUOTED = LazyPattern(r"[ ]?\"((?:[^\"\n]|\"\"){0,400}+)\"[ ]?")
_LONGEST_LINE = 4000
_MARKS = " \t\r\"'"


def in_html(text: str, named: Named) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in the cells of tables and lists of terms, below a name or behind it."""
    columns: dict[int, Judge] = {}
    heads: dict[int, Judge] = {}
    of_row: Judge | None = None
    column, begin = -1, 0
    for tag in _TAG.finditer(text):
        if column >= 0 and begin:
            first, last = _inside(text, begin, tag.start())
            cell = text[first:last]
            judge = columns.get(column, of_row)
            named_here = named(cell) if len(cell) <= _LONGEST_CELL else None
            if judge and len(cell) <= _LONGEST_CELL and judge(cell):
                yield first, last
            elif named_here:
                heads[column] = named_here
                of_row = named_here if column == 0 else of_row
        begin = 0
        name = tag["name"].lower()
        if name in ("th", "td", "dt", "dd") and not tag["closes"]:
            if name == "dt":
                column, of_row = -1, None
            column += 1
            begin = tag.end()
        elif name == "table":
            columns, heads, of_row, column = {}, {}, None, -1
        elif name == "tr":
            columns, heads = columns | heads, {}
            of_row, column = None, -1


def _inside(text: str, first: int, last: int) -> tuple[int, int]:
    """Return where the words of a cell begin and end, without tags and blanks around them."""
    while first < last:
        if text[first].isspace():
            first += 1
        elif (tag := _OTHER_TAG.match(text, first, last)) is not None:
            first = tag.end()
        else:
            break
    end = text.find("<", first, last)
    last = end if end >= 0 else last
    return first, first + len(text[first:last].rstrip())


def in_separated(lines: Iterable[str], named: Named) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in lines below one that names columns, each with as many fields.

    They are counted from where the first line begins.
    """
    judges: dict[int, Judge] = {}
    separator, count, start = "", 0, 0
    for line in lines:
        if judges and len(line) <= _LONGEST_LINE:
            fields = list(_fields(line, separator))
            if len(fields) == count:
                for at, judge in judges.items():
                    first, last = fields[at]
                    if judge(line[first:last]):
                        yield start + first, start + last
            else:
                judges = {}
        if not judges and line[:1] not in _BEGINS_NO_NAME and line[:2] != "  ":
            separator, count, judges = _columns(line, named)
        start += len(line) + 1


def _columns(line: str, named: Named) -> tuple[str, int, dict[int, Judge]]:
    """Return what parts the fields below a line that names them, how many, and which hold secrets."""
    if len(line) > _LONGEST_LINE or not _HEAD.match(line):
        return "", 0, {}
    separator = max(_SEPARATORS, key=line.count)
    names = [line[first:last] for first, last in _fields(line, separator)]
    judges = {at: judge for at, name in enumerate(names) if name and (judge := named(name))}
    return separator, len(names), judges


def _fields(line: str, separator: str) -> Iterator[tuple[int, int]]:
    """Yield where each field of a line begins and ends, without quotes and blanks around it."""
    at = 0
    while at <= len(line):
        if quoted := _QUOTED.match(line, at):
            yield quoted.span(1)
            end = quoted.end()
        else:
            end = line.find(separator, at)
            end = end if end >= 0 else len(line)
            part = line[at:end]
            first = at + len(part) - len(part.lstrip(_MARKS))
            yield first, first + len(part.strip(_MARKS))
        at = end + 1
