"""What somebody marked as private: everything from ``<private>`` to ``</private>``."""

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
"""A code span, or a tag; what stands for a value to fill in is none: ``<private-ip>``, ``<private key>``.

Other words may stand in one that begins, ``<private: mine>``, where a tag ends it that ends no other.
"""


def private_parts(text: str, unclosed: Callable[[int], int]) -> list[tuple[int, int]]:
    """Return where the private parts begin and end, their tags included, in order.

    Parts nest. `unclosed` says where one ends that is never closed, given where its last tag ends. A tag in a
    code span is a mention, unless another there ends what it begins.
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
        parts.append((first, unclosed(last)))
    return parts


def without_tags(text: str) -> str:
    """Return a text in which no tag is one any more: what was cut out may have left halves side by side."""
    kept: list[str] = []
    done = 0
    for tag in _tags(text):
        if tag["odd"] is not None:  # none without one that ends it, and none ends
            continue
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
