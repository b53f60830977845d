"""What a user marked as private: everything from `<private>` to `</private>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from progress_plugin.text.patterns import LazyPattern

_MARK = LazyPattern(
    r"(?<!`)`(?!`)(?P<span>[^`\n]{1,200})`(?!`)"
    r"|<(?:(?P<end>/)private(?![\w-])[^<>`]{0,100}"
    r"|private(?:\s{0,100}|\s{1,100}[\w:.-]{1,100}\s{0,20}=[^<>`]{0,100}"
    r"|(?P<odd>(?![\w-])[^<>`]{1,100})))>",
    re.IGNORECASE,
)
"""A code span or a tag. One with other words must be closed: `<private key>` is a placeholder."""


def without_private(text: str) -> tuple[str, int]:
    """Return a text without its private parts, and how many; an unclosed one reaches to the end."""
    if "<private" not in text.lower():
        return text, 0
    parts = private_parts(text, lambda _: len(text))
    if not parts:
        return text, 0
    ends = (0, *(end for _, end in parts))
    starts = (*(start for start, _ in parts), len(text))
    return _without_tags("".join(text[end:start] for end, start in zip(ends, starts, strict=True))), len(
        parts
    )


def private_parts(text: str, find_end: Callable[[int], int]) -> list[tuple[int, int]]:
    """Return where the private parts begin and end, in order, with their tags.

    Parts nest. `find_end` returns where an unclosed part ends, given where its last tag ends. A tag in a code
    span is a mention, unless the span also closes it.
    """
    parts: list[tuple[int, int]] = []
    odd: list[int] = []
    depth, first, last = 0, 0, 0
    for tag in _tags(text):
        if tag["end"]:
            if depth == 0 and odd:
                first = odd.pop()
                while parts and parts[-1][0] > first:
                    parts.pop()
            elif depth != 1:
                depth = max(0, depth - 1)
                continue
            parts.append((first, tag.end()))
            depth = 0
        elif tag["odd"] is not None:
            if depth == 0:
                odd.append(tag.start())
        else:
            if depth == 0:
                first = tag.start()
            depth += 1
            last = tag.end()
    if depth:
        parts.append((first, find_end(last)))
    return parts


def _without_tags(text: str) -> str:
    """Break tags that appear where a part was cut out between two halves of one."""
    kept: list[str] = []
    done = 0
    for tag in _tags(text):
        if tag["odd"] is None:
            kept += (text[done : tag.start()], "‹")
            done = tag.start() + 1
    return "".join((*kept, text[done:]))


def _tags(text: str) -> Iterator[re.Match[str]]:
    for mark in _MARK.finditer(text):
        if mark["span"] is None:
            yield mark
        elif "<" in mark["span"]:
            inside = [
                tag for tag in _MARK.finditer(text, mark.start("span"), mark.end("span")) if not tag["span"]
            ]
            if len({tag["end"] for tag in inside}) > 1:
                yield from inside
