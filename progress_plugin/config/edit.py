"""Change one key in the text of a TOML file, and keep its comments."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import tomli_w

Document = dict[str, Any]


def set_key(text: str, keys: tuple[str, ...], value: Any) -> tuple[str, bool]:
    """Return TOML text in which a key has this value or, for None, is missing; and whether all else is kept.

    If the layout of the file is unusual, such as an inline table, the file is written anew without comments.
    Raises ValueError if `text` is not TOML or holds something else where a table must be.
    """
    wanted = _with_value(tomllib.loads(text), keys, value)
    edited = _edit_lines(text.splitlines(), keys, value)
    if _parse(edited) == wanted:
        return edited, True
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


def _parse(text: str) -> Any:
    """Return what a text means, without empty tables; None if it is not TOML."""
    try:
        return _without_empty_tables(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return None


def _edit_lines(lines: list[str], keys: tuple[str, ...], value: Any) -> str:
    *parents, key = keys
    new = [] if value is None else tomli_w.dumps({key: value}).splitlines()
    header = re.compile(rf"\s*\[\s*{re.escape('.'.join(parents))}\s*\]")
    first = (
        next((number + 1 for number, line in enumerate(lines) if header.match(line)), None) if parents else 0
    )
    if first is None:
        new = [*([""] if lines else []), f"[{'.'.join(parents)}]", *new] if new else []
        return "".join(f"{line}\n" for line in [*lines, *new])
    is_header = re.compile(r"\s*\[").match
    end = next((number for number in range(first, len(lines)) if is_header(lines[number])), len(lines))
    is_key = re.compile(rf"\s*{re.escape(key)}\s*=").match
    start = next((number for number in range(first, end) if is_key(lines[number])), None)
    if start is None:
        while end > first and not lines[end - 1].strip():
            end -= 1
        lines[end:end] = new
    else:
        stop, comment = _value_end(lines, start, end)
        if new and comment:
            new[-1] += f"  {comment}"
        lines[start:stop] = new
        if not new and parents and not any(map(str.strip, lines[first : end - (stop - start)])):
            del lines[first - 1]  # the header of a table without keys
    return "".join(f"{line}\n" for line in lines)


def _value_end(lines: list[str], start: int, end: int) -> tuple[int, str]:
    """Return the line after the value that begins at `start`, and the comment behind the value."""
    for stop in range(start + 1, end + 1):
        value = _parse("\n".join(lines[start:stop]))
        if value is not None:
            before, mark, comment = lines[stop - 1].partition("#")
            is_comment = mark and _parse("\n".join([*lines[start : stop - 1], before])) == value
            return stop, mark + comment if is_comment else ""
    return start + 1, ""
