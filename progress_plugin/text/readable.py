r"""A text as a reader sees it, with the place of each character in the original.

Escapes, colours and invisible characters can hide a secret from every pattern: `pass\u0077ord`, a token with
a colour inside. Secrets are looked for in the readable text and cut out of the original, which stays as
it is everywhere else.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_values import MARK
from progress_plugin.text.visible import ANSI, EVER_UNSEEN

_SPECIAL = LazyPattern(r"[^\n\t -~]|[\\&%]|\[REDACTED:|\^\[")
_ESCAPES = LazyPattern(
    r"(?P<mark>\[REDACTED:[A-Z_]{1,40}\])"
    rf"|(?P<unseen>{ANSI}|{EVER_UNSEEN}|(?:\\{{1,32}}(?:u001[bB]|x1[bB]|033|e)|\^\[)\[[\d;:]{{0,40}}[A-Za-z])"
    r"|(?P<continued>\\\r?\n[ \t]{0,80})"
    r"|\\{1,32}(?:u00(?P<json>[2-7e-f][0-9a-fA-F])|x(?P<hex>[2-7][0-9a-fA-F])|u\{0{0,4}(?P<braces>[2-7][0-9a-fA-F])\})"
    r"|\\{1,32}(?P<blank>[nrt])"
    r"|\\{1,32}(?P<sign>[\"'`/_*~=.+-])"
    r"|\\(?P<bar>\|)"
    r"|(?P<entity>&(?:quot|apos|amp|#\d{2,3}|#[xX][0-9a-fA-F]{2});)"
    r"|%(?:25){0,2}(?P<url>[2-7][0-9a-fA-F])"
)
_BLANKS = {"n": "\n", "r": "\n", "t": "\t"}


class Readable(NamedTuple):
    """`starts` and `ends` say where in the original each character begins and ends."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the original of a part of the readable text."""
        return self.starts[start], self.ends[end - 1]


def readings(text: str) -> list[Readable]:
    """Return a text without what is hidden in it; also with a blank there, as a colour may part words."""
    if not _SPECIAL.search(text):
        return [Readable(text, range(len(text)), range(1, len(text) + 1))]
    joined = _read(text, "")
    parted = _read(text, " ")
    return [joined] if joined.text == parted.text else [joined, parted]


def _read(text: str, hidden: str) -> Readable:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for found in _ESCAPES.finditer(text):
        start, end = found.span()
        parts.append(text[done:start])
        starts += range(done, start)
        ends += range(done + 1, start + 1)
        sign = _meaning(found, hidden)
        if sign:
            parts.append(sign)
            starts.append(start)
            ends.append(end)
        done = end
    parts.append(text[done:])
    starts += range(done, len(text))
    ends += range(done + 1, len(text) + 1)
    return Readable("".join(parts), starts, ends)


def _meaning(escape: re.Match[str], hidden: str) -> str:
    kind, value = escape.lastgroup, escape[escape.lastgroup or 0]
    match kind:
        case "mark":
            return MARK
        case "unseen":
            return hidden
        case "continued":
            return " "
        case "blank":
            return _BLANKS[value]
        case "sign":
            return value
        case "bar":
            return "\u00a6"  # a bar that ends no cell of a table
        case "entity":
            return html.unescape(value)[:1]
        case _:
            return chr(int(value, 16))
