"""Tokens that are known by how they begin, whatever is next to them: `ghp_…`, `AKIA…`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from progress_plugin.text.patterns import one_of
from progress_plugin.text.secret_commands import read_table

_WHOLE = "*"
_EDGE_BEFORE, _EDGE_BEHIND = "(?<![A-Za-z0-9])", "(?![A-Za-z0-9])"


class _Shape(NamedTuple):
    kind: str
    pattern: re.Pattern[str]


class _Shapes(NamedTuple):
    beginnings: re.Pattern[str]
    by_beginning: dict[str, list[_Shape]]
    by_hint: list[tuple[str, _Shape]]


@cache
def _shapes() -> _Shapes:
    by_beginning: dict[str, list[_Shape]] = {}
    by_hint = []
    for kind, beginnings, rest, _source in read_table("secret_tokens.tsv"):
        for beginning in beginnings.split():
            if beginning.startswith(_WHOLE):
                pattern = re.compile(f"{_EDGE_BEFORE}(?:{rest}){_EDGE_BEHIND}")
                by_hint.append((beginning.removeprefix(_WHOLE), _Shape(kind, pattern)))
            else:
                pattern = re.compile(f"{re.escape(beginning)}(?:{rest}){_EDGE_BEHIND}")
                by_beginning.setdefault(beginning, []).append(_Shape(kind, pattern))
    return _Shapes(one_of(by_beginning), by_beginning, by_hint)


def find_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a token begins and ends, and its kind."""
    shapes = _shapes()
    for beginning in shapes.beginnings.finditer(text):
        start = beginning.start()
        if text[start - 1 : start].isascii() and text[start - 1 : start].isalnum():
            continue
        for shape in shapes.by_beginning[beginning[0]]:
            if found := shape.pattern.match(text, start):
                yield (*found.span(), shape.kind)
    for hint, shape in shapes.by_hint:
        if hint in text:
            yield from ((*found.span(), shape.kind) for found in shape.pattern.finditer(text))
