"""Change one key in the text of a TOML file, and keep its comments."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import tomli_w

from progress_plugin.text.patterns import LazyPattern

_HEADER = LazyPattern(r"\s*\[")
Document = dict[str, Any]


def set_key(text: str, keys: tuple[str, ...], value: Any) -> tuple[str, bool]:
    """Return TOML text in which a key has this value or, for None, is missing; and whether all else is kept.

    If the layout of the file is unusual, such as an inline table, the file is written anew without comments.
    Raises ValueError if `text` is not TOML or holds something else where a table must be.
    """
    wanted = _with_value(tomllib.loads(text), keys, value)
    edited = _edit_lines(text.splitlines(), keys, value)
    try:
        if _without_empty_tables(tomllib.loads(edited)) == wanted:
            return edited, True
    except tomllib.TOMLDecodeError:
        pass
    return tomli_w.dumps(wanted), False


def _with_value(document: Document, keys: tuple[str, ...], value: Any) -> Document:
    *parents, last = keys
    table = document
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            raise ValueError(f"{parent} must be a table")  # noqa: TRY004 - the file is wrong, not its type
    table.pop(last, None)
    if value is not None:
        table[last] = value
    return _without_empty_tables(document)


def _without_empty_tables(document: Document) -> Document:
    return {key: value for key, value in document.items() if value != {}}


def _edit_lines(lines: list[str], keys: tuple[str, ...], value: Any) -> str:
    first, end = _section(lines, keys[:-1])
    new = [] if value is None else tomli_w.dumps({keys[-1]: value}).splitlines()
    start = next((number for number in range(first, end) if _has_key(lines[number], keys[-1])), None)
    if start is not None:
        stop, comment = _value_end(lines, start, end)
        if new and comment:
            new[-1] += f"  {comment}"
        lines[start:stop] = new
        if not new and keys[:-1] and not any(line.strip() for line in lines[first : end - (stop - start)]):
            del lines[first - 1]  # the header of a table without keys
    elif new:
        if keys[:-1] and not first:
            new = [*([""] if lines else []), f"[{'.'.join(keys[:-1])}]", *new]
            first = end = len(lines)
        while end > first and not lines[end - 1].strip():
            end -= 1
        lines[end:end] = new
    return "".join(f"{line}\n" for line in lines)


def _section(lines: list[str], parents: tuple[str, ...]) -> tuple[int, int]:
    """Return the first line of a table and the line after its last; 0 and 0 if it is missing."""
    first = 0
    if parents:
        header = re.compile(rf"\s*\[\s*{re.escape('.'.join(parents))}\s*\]")
        first = next((number + 1 for number, line in enumerate(lines) if header.match(line)), 0)
        if not first:
            return 0, 0
    rest = range(first, len(lines))
    return first, next((number for number in rest if _HEADER.match(lines[number])), len(lines))


def _has_key(line: str, key: str) -> bool:
    return re.match(rf"\s*{re.escape(key)}\s*=", line) is not None


def _value_end(lines: list[str], start: int, end: int) -> tuple[int, str]:
    """Return the line after the value that begins at `start`, and the comment behind the value."""
    for stop in range(start + 1, end + 1):
        try:
            value = tomllib.loads("\n".join(lines[start:stop]))
        except tomllib.TOMLDecodeError:
            continue
        last = lines[stop - 1]
        for mark in re.finditer("#", last):
            if _reads_as("\n".join([*lines[start : stop - 1], last[: mark.start()]]), value):
                return stop, last[mark.start() :]
        return stop, ""
    return start + 1, ""


def _reads_as(text: str, value: Document) -> bool:
    try:
        return tomllib.loads(text) == value
    except tomllib.TOMLDecodeError:
        return False
