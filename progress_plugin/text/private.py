"""What a user marked as private: everything from `<private>` to `</private>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from progress_plugin.text.patterns import LazyPattern

_MARK = LazyPattern(
    r"(?<!`)`(?!`)(?P<span>[^`\n]{1,200})`(?!`)"
    r"|<(?P<end>/)?private(?![\w-])"
    r"(?:\s{0,100}|\s{0,20}:[^<>`]{1,100}|\s{1,100}[\w:.-]{1,100}\s{0,20}=[^<>`]{0,100})>",
    re.IGNORECASE,
)
"""A code span or a tag: `<private: mine>` is one, `<private key>` and `<private-ip>` are placeholders."""


def without_private(text: str) -> tuple[str, int]:
    """Return a text without its private parts, and how many; an unclosed one reaches to the end."""
    if "<private" not in text.lower():
        return text, 0
    parts = private_parts(text, lambda _: len(text))
    if not parts:
        return text, 0
    ends = (0, *(end for _, end in parts))
    starts = (*(start for start, _ in parts), len(text))
    kept = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return _without_tags(kept), len(parts)


def private_parts(text: str, find_end: Callable[[int], int]) -> list[tuple[int, int]]:
    """Return where the private parts begin and end, in order, with their tags.

    Parts nest. `find_end` returns where an unclosed part ends, given where its last tag ends. A tag in a code
    span is a mention, unless the span also closes it.
    """
    parts: list[tuple[int, int]] = []
    depth = first = last = 0
    for tag in _tags(text):
        if tag["end"]:
            if depth == 1:
                parts.append((first, tag.end()))
            depth = max(0, depth - 1)
        else:
            first = first if depth else tag.start()
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
        kept += (text[done : tag.start()], "‹")
        done = tag.start() + 1
    return "".join((*kept, text[done:]))


def _tags(text: str) -> Iterator[re.Match[str]]:
    for mark in _MARK.finditer(text):
        if mark["span"] is None:
            yield mark
        elif "<" in mark["span"]:
            start, end = mark.span("span")
            inside = [tag for tag in _MARK.finditer(text, start, end) if not tag["span"]]
            if len({tag["end"] for tag in inside}) > 1:
                yield from inside
