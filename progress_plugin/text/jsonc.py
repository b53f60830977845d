"""JSON with comments and trailing commas, as clients keep settings: read it, and take one thing out of it.

Taking out changes nothing else: the outcome is parsed and compared first.
"""

import copy
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.text.patterns import LazyPattern

Path = Sequence[str | int]
"""Names of members and numbers of items, from the top."""

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_COMMENT = LazyPattern(rf"{_STRING}|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/", re.DOTALL)
_TRAILING_COMMA = LazyPattern(rf"{_STRING}|,(?=\s*+[}}\]])", re.DOTALL)
_SPACE = LazyPattern(r"[\s\ufeff]*+")
_DECODER = json.JSONDecoder()


class _Child(NamedTuple):
    key: str | int
    start: int
    value: int
    end: int


def parse(text: str) -> Any:
    """Return the value; raises ValueError for anything that is not JSON beside comments and commas."""
    try:
        return json.loads(_plain(text).lstrip("\ufeff"))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def without(text: str, path: Path) -> str:
    """Return the text without the member or the item at `path`.

    Raises BadInput if that cannot be done without a change to anything else.
    """
    try:
        wanted = copy.deepcopy(parse(text))
        holder = wanted
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
        edited = _cut(text, path)
        if parse(edited) == wanted:
            return edited
    except (ValueError, LookupError, RecursionError, TypeError) as error:
        raise BadInput(f"it cannot be edited safely: {error}") from error
    raise BadInput("it cannot be edited safely")


def _cut(text: str, path: Path) -> str:
    plain = _plain(text)
    at = _after_space(plain, 0)
    for step in path:
        child = [child for child in _children(plain, at) if child.key == step][-1]
        at = child.value
    commas = _COMMENT.sub(_blank, text)
    behind = _after_space(commas, child.end)
    before = len(commas[: child.start].rstrip()) - 1
    comma = behind if commas[behind] == "," else before if commas[before] == "," else -1
    cuts = sorted([(child.start, child.end), *([(comma, comma + 1)] if comma >= 0 else [])])
    for start, end in reversed(cuts):
        text = text[:start] + text[end:]
    at = child.start - (0 <= comma < child.start)
    begin, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    if begin and line_end >= 0 and not text[begin:line_end].strip():
        return text[:begin] + text[line_end + 1 :]
    return text


def _children(plain: str, at: int) -> Iterator[_Child]:
    """Yield what is in the object or the list that begins at a place."""
    is_object = plain[at] == "{"
    at, number = _after_space(plain, at + 1), 0
    while plain[at] not in "}]":
        start, key = at, number
        if is_object:
            key, at = _DECODER.raw_decode(plain, at)
            at = _after_space(plain, _after_space(plain, at) + 1)
        _, end = _DECODER.raw_decode(plain, at)
        yield _Child(key, start, at, end)
        at = _after_space(plain, end)
        if plain[at] == ",":
            at = _after_space(plain, at + 1)
        number += 1


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _plain(text: str) -> str:
    """Return plain JSON of the same length: blanks for comments and for commas before a closing bracket."""
    return _TRAILING_COMMA.sub(_blank, _COMMENT.sub(_blank, text))


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0][0] == '"' else "".join("\n" if sign == "\n" else " " for sign in found[0])
