"""JSON as RFC 8259 has it, taken from people and models without changing a byte."""

from __future__ import annotations

import json
from collections import Counter
from math import isfinite
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.observations import refuse_too_long
from progress_plugin.text.safe_output import one_line

MAX_DEPTH = 100
MAX_DIGITS = 4000  # of a whole number that Python reads
_HINT = 'send an object such as {"goal": "…", "completed": […], "next_steps": […], "blockers": […]}'


def parse(content: object) -> tuple[Any, str]:
    """Return a document as value and as text; a string is taken as JSON text and kept as it is.

    A number beyond what Python holds is text in the value. Raises BadInput for more bytes than may be stored,
    for NaN and Infinity, repeated names, and nesting deeper than `MAX_DEPTH`.
    """
    try:
        text = content if isinstance(content, str) else dump(content)
        refuse_too_long(text)
        value = load(text)
        depth = _depth(value)
        text.encode()
    except RecursionError:
        depth = MAX_DEPTH + 1
    except UnicodeEncodeError:
        raise BadInput("content is not valid UTF-8; nothing was saved") from None
    except ValueError as error:
        raise BadInput(f"content is no valid JSON ({error}); {_HINT}") from None
    if depth > MAX_DEPTH:
        raise BadInput(f"content is nested more than {MAX_DEPTH} levels deep; nothing was saved, flatten it")
    return value, text


def load(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError and RecursionError as `json` does."""
    return json.loads(
        text,
        parse_constant=_refuse_constant,
        object_pairs_hook=_object,
        parse_int=_whole,
        parse_float=_fraction,
    )


def dump(value: object) -> str:
    """Return a value as compact JSON text that UTF-8 can hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False)
    return text


def printable(value: Any) -> Any:
    """Return a parsed value without half surrogate pairs."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {printable(key): printable(member) for key, member in value.items()}
    return [printable(member) for member in value] if isinstance(value, list) else value


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= MAX_DIGITS else text


def _fraction(text: str) -> float | str:
    return float(text) if isfinite(float(text)) else text


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        # The text is stored as it came: a value that the parser drops would slip past the redaction.
        [(repeated, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {one_line(repeated, 60)!r} occurs twice in one object")
    return members


def _depth(value: Any) -> int:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if members is None else 1 + max(map(_depth, members), default=0)
