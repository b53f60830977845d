"""JSON as RFC 8259 has it, taken from people and models without changing a byte."""

from __future__ import annotations

import json
from collections import Counter
from math import isfinite
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.size_limit import refuse_too_long
from progress_plugin.text.safe_output import one_line

DEEPEST = 100
"""Levels of nesting; the protocol's own parsers give up not far beyond."""

_DIGITS = 4000
"""Digits of a whole number that Python reads and writes without being told to."""

_SHOWN = 60
_HINT = 'send an object such as {"goal": "…", "completed": […], "next_steps": […], "blockers": […]}'


class ExactNumber:
    """A number as it was written, where Python would write it otherwise: too large, too long or too exact."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def plain(self) -> float | str:
        """Return the nearest float; the text of what is beyond all of them, or a whole number."""
        near = float(self.text)
        return near if isfinite(near) and not self.text.lstrip("-").isdecimal() else self.text


def exact(text: str) -> Any:
    """Return the value of a JSON text, in which `dump` finds every number again as it is there.

    Raises ValueError and RecursionError as `json` does.
    """
    return json.loads(text, parse_int=_whole, parse_float=_fraction)


def _whole(text: str) -> int | ExactNumber:
    return int(text) if len(text) <= _DIGITS and text != "-0" else ExactNumber(text)


def _fraction(text: str) -> float | ExactNumber:
    number = float(text)
    return number if repr(number) == text else ExactNumber(text)


def parse(content: object) -> tuple[Any, str]:
    """Return a document as value and as text; a string is taken as JSON text and kept as it is.

    Raises BadInput for more bytes than may be stored, before anything else is done with them, and for what
    RFC 8259 does not know (NaN, Infinity), repeated names, nesting beyond `DEEPEST`.
    """
    try:
        text = content if isinstance(content, str) else dump(content)
        refuse_too_long(text)
        value = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_object,
            parse_int=_whole, parse_float=_fraction,
        )  # fmt: skip
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise BadInput(f"content is no valid JSON ({error}); {_HINT}") from None
    if _depth(value) > DEEPEST:
        raise _too_deep()
    if not _encodes(text):
        raise BadInput("content holds bytes that are no UTF-8; nothing was saved")
    return value, text


def dump(value: object) -> str:
    """Return a value as compact JSON text that UTF-8 can hold."""
    text = _written(value, ascii_only=False)
    return text if _encodes(text) else _written(value, ascii_only=True)


def _written(value: object, *, ascii_only: bool) -> str:
    if isinstance(value, ExactNumber):
        return value.text
    if isinstance(value, list):
        return f"[{', '.join(_written(member, ascii_only=ascii_only) for member in value)}]"
    if isinstance(value, dict):
        members = (
            f"{json.dumps(str(name), ensure_ascii=ascii_only)}: {_written(member, ascii_only=ascii_only)}"
            for name, member in value.items()
        )
        return f"{{{', '.join(members)}}}"
    return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)


def printable(value: Any) -> Any:
    """Return a parsed value without half surrogate pairs, and with numbers beyond a float as text."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {printable(key): printable(member) for key, member in value.items()}
    if isinstance(value, list):
        return [printable(member) for member in value]
    return value.plain() if isinstance(value, ExactNumber) else value


def _too_deep() -> BadInput:
    return BadInput(f"content is nested more than {DEEPEST} levels deep; nothing was saved, flatten it")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        # The text is stored as it came: a value that the parser drops would slip past the redaction.
        times = Counter(name for name, _ in pairs)
        repeated = next(name for name, _ in pairs if times[name] > 1)
        raise ValueError(f"the name {one_line(repeated, _SHOWN)!r} occurs twice in one object")
    return members


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while level:
        depth += any(isinstance(member, dict | list) for member in level)
        level = [
            child
            for member in level
            if isinstance(member, dict | list)
            for child in (member.values() if isinstance(member, dict) else member)
        ]
    return depth


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
