"""Change one key in the text of a TOML file, and keep its comments."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import tomli_w

COMMENT = re.compile(r"\s+#[^'\"]*$")  # behind a value


def set_key(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Return TOML text in which a key has this value or, for None, is missing, and all else is as it was.

    Of the edits that are possible the first counts that means what is wanted. Raises ValueError if none does,
    because of an unusual layout such as an inline table, or if `text` is not TOML.
    """
    wanted = tomllib.loads(text)
    table = wanted
    for parent in keys[:-1]:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            raise ValueError(f"{parent} must be a table")  # noqa: TRY004 - the file is wrong, not its type
    table.pop(keys[-1], None)
    if value is not None:
        table[keys[-1]] = value
    for lines in _edits(text.splitlines(), keys, value):
        edited = "".join(f"{line}\n" for line in lines)
        if _meaning(edited) == _without_empty_tables(wanted):
            return edited
    raise ValueError(f"{'.'.join(keys)} has an unusual layout")


def _edits(lines: list[str], keys: tuple[str, ...], value: Any) -> Iterator[list[str]]:
    """Yield the lines with those of the key replaced, or with the key added to a table or in a new one."""
    *parents, key = keys
    header = f"[{'.'.join(parents)}]"
    new = [] if value is None else tomli_w.dumps({key: value}).splitlines()
    dotted = re.escape(".".join(parents))
    spelling = re.compile(rf"\s*((?:{dotted}\.)?{re.escape(key)})\s*=")
    for start, line in enumerate(lines):
        found = spelling.match(line)
        if found is None:
            continue
        spelt = [found[1] + each.removeprefix(key) for each in new[:1]] + new[1:]
        for stop in range(start + 1, len(lines) + 1):
            before, after = lines[:start], lines[stop:]
            comment = COMMENT.search(lines[stop - 1])
            if not new:  # the header of a table without keys goes, too
                yield [each for each in (*before, *after) if each.strip() != header]
            elif comment:
                yield [*before, *spelt[:-1], f"{spelt[-1]}  {comment[0].strip()}", *after]
            yield [*before, *spelt, *after]
    for position in range(len(lines), -1, -1):
        if position == 0 or lines[position - 1].strip():
            yield [*lines[:position], *new, *lines[position:]]
    yield [*lines, *([""] if lines else []), header, *new]


def _meaning(text: str) -> dict[str, Any] | None:
    try:
        return _without_empty_tables(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return None


def _without_empty_tables(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if value != {}}
