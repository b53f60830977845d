"""JSON with comments and trailing commas, as clients keep settings: read, and one thing taken out of it.

Taking out changes nothing else: comments, order and spelling are somebody's own. The outcome is parsed and
compared before anybody gets it.
"""

import copy
import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.text.patterns import LazyPattern

Path = Sequence[str | int]
"""Names of members and numbers of items, from the top."""

_STRING = LazyPattern(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_SPACE = LazyPattern(r"(?:[\s\ufeff]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")
_PLAIN = LazyPattern(r"[^\s,:\[\]{}\"/]++")
_TROUBLE = (ValueError, LookupError, RecursionError, TypeError)


class _Child(NamedTuple):
    """A member or an item: where it is in the text, and where its value begins."""

    key: str | int
    start: int
    value: int
    end: int
    comma: int | None
    """Where the comma after it is."""


def parse(text: str) -> Any:
    """Return the value; raises ValueError for anything that is not JSON beside comments and commas."""
    try:
        return json.loads(_without_comments(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def without(text: str, path: Path) -> str:
    """Return the text without the member or the item at `path`.

    Raises BadInput where that cannot be done and leave everything else as it is.
    """
    try:
        wanted = copy.deepcopy(parse(text))
        holder = wanted
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
        edited = _cut(text, *_found(text, path))
        if parse(edited) == wanted:
            return edited
    except _TROUBLE as error:
        raise BadInput(f"it cannot be edited safely: {error}") from error
    raise BadInput("it cannot be edited safely")


def _found(text: str, path: Path) -> tuple[list[_Child], int]:
    """Return the children of what holds the thing at `path`, and which of them it is."""
    at, children, number = _after_space(text, 0), [], 0
    for step in path:
        children = _children(text, at)
        number = max(index for index, child in enumerate(children) if child.key == step)
        at = children[number].value
    return children, number


def _cut(text: str, children: list[_Child], number: int) -> str:
    gone = children[number]
    comma = gone.comma
    if comma is None and number:
        comma = children[number - 1].comma
    cuts = [(gone.start, gone.end)] if comma is None else sorted([(gone.start, gone.end), (comma, comma + 1)])
    for start, end in reversed(cuts):
        text = text[:start] + text[end:]
    start = gone.start - (comma is not None and comma < gone.start)
    return _without_blank_line(text, start)


def _without_blank_line(text: str, at: int) -> str:
    """Return the text without the line at a place, where it held nothing else."""
    begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    if end < 0 or begin == 0 or text[begin:end].strip():
        return text
    return text[:begin] + text[end + 1 :]


def _children(text: str, at: int) -> list[_Child]:
    """Return what is in the object or the list that begins at a place."""
    is_object, closing = text[at] == "{", {"{": "}", "[": "]"}[text[at]]
    found: list[_Child] = []
    at = _after_space(text, at + 1)
    while text[at] != closing:
        start, key = at, len(found)
        name: str | int = key
        if is_object:
            end = _end_of(text, at)
            name = json.loads(text[at:end])
            at = _after_space(text, _after_space(text, end) + 1)
        end = _end_of(text, at)
        behind = _after_space(text, end)
        comma = behind if text[behind] == "," else None
        found.append(_Child(name, start, at, end, comma))
        at = behind if comma is None else _after_space(text, comma + 1)
    return found


def _end_of(text: str, at: int) -> int:
    """Return where the value that begins at a place ends."""
    if text[at] in "{[":
        children = _children(text, at)
        last = children[-1] if children else None
        behind = at + 1 if last is None else last.end if last.comma is None else last.comma + 1
        return _after_space(text, behind) + 1
    found = _STRING.match(text, at) if text[at] == '"' else _PLAIN.match(text, at)
    if found is None:
        raise ValueError(f"a value was expected at character {at}")
    return found.end()


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _without_comments(text: str) -> str:
    """Return the text as plain JSON: no comments, no comma before a closing bracket, no byte order mark."""
    parts: list[str] = []
    at = 0
    while (at := _after_space(text, at)) < len(text):
        if text[at] == '"':
            end = _end_of(text, at)
            parts.append(text[at:end])
        elif text[at] in "{}[],:":
            end = at + 1
            if text[at] in "}]" and parts and parts[-1] == ",":
                parts.pop()
            parts.append(text[at])
        else:
            end = _end_of(text, at)
            parts.append(text[at:end])
        at = end
    return " ".join(parts)
