"""JSON as far as every reader of it agrees, and no further: objects, plain texts, whole numbers, three words.

The MCP handshake answers what it can read without doubt and hands over the rest, so anything beyond may be
refused here. `json` would take 7 ms to import, most of it for regular expressions.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_WORDS = {"true": True, "false": False, "null": None}
_LONGEST = 16
"""Characters of a number that everybody takes for the same one, and levels of objects in objects."""
_SPACE = "\t\r\n"


def read(text: str) -> "Any":
    """Return the value of a text; raises ValueError for anything that is not plain."""
    parts = _parts(text)
    try:
        value = _value(parts, 0)
    except StopIteration:
        raise ValueError("it ends too early") from None
    if next(parts, None) is not None:
        raise ValueError("it goes on after its end")
    return value


def literal(value: int | str) -> str:
    """Return a number or a text as JSON."""
    if isinstance(value, int):
        return str(value)
    if any(char < " " for char in value):
        import json  # noqa: PLC0415 - nothing that is read here has such a character

        return json.dumps(value, ensure_ascii=False)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _parts(text: str) -> "Iterator[str]":
    """Yield marks, words and numbers, and the texts with the quote that they begin with."""
    pieces = text.split('"')
    if "\\" in text or not len(pieces) % 2:
        raise ValueError("an escape, or a text without an end")
    for number, piece in enumerate(pieces):
        if any(char < " " and (number % 2 or char not in _SPACE) for char in piece):
            raise ValueError("a control character")
        if number % 2:
            yield f'"{piece}'
        elif not piece.isascii():
            raise ValueError("a letter outside a text")
        else:
            for mark in "{}:,":
                piece = piece.replace(mark, f" {mark} ")  # noqa: PLW2901 - one piece, step by step
            yield from piece.split()


def _value(parts: "Iterator[str]", level: int) -> "Any":
    part = next(parts)
    if part.startswith('"'):
        return part[1:]
    if part == "{" and level < _LONGEST:
        return _object(parts, level + 1)
    if part in _WORDS:
        return _WORDS[part]
    number = int(part) if len(part) < _LONGEST else 0
    if str(number) != part:
        raise ValueError("no plain number")
    return number


def _object(parts: "Iterator[str]", level: int) -> "dict[str, Any]":
    members: dict[str, Any] = {}
    part = next(parts)
    while part != "}":
        if not part.startswith('"') or part[1:] in members or next(parts) != ":":
            raise ValueError("no name, or one that is there twice")
        members[part[1:]] = _value(parts, level)
        part = next(parts)
        if part == ",":
            part = next(parts)
            if part == "}":
                raise ValueError("a comma before the end")
        elif part != "}":
            raise ValueError("no comma")
    return members
