"""Read JSON without `json`, which imports `re` and so takes as long to load as the interpreter itself."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


try:
    from _json import make_scanner
except ImportError:  # not CPython
    make_scanner = None  # type: ignore[assignment, misc]


def loads(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError or RecursionError as `json.loads` does."""
    if make_scanner is None:
        import json  # noqa: PLC0415 - slow

        return json.loads(text)
    text = text.strip(" \t\n\r")
    try:
        value, end = make_scanner(_Options())(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):  # the latter if the scanner cannot raise the error of `json.decoder`
        raise ValueError("not a JSON text") from None
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value


class _Options:
    """What `json.JSONDecoder` hands to the scanner by default."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
