"""Read and write JSON without `json`, which imports `re` and so takes as long to load as the interpreter."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    from _json import encode_basestring, make_scanner
except ImportError:  # not CPython
    from json.encoder import encode_basestring

    make_scanner = None  # type: ignore[assignment, misc]


def loads(text: str) -> "Any":
    """Return the value of a JSON text. Raises ValueError, or RecursionError if it nests too deeply."""
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


def dumps(value: "Any") -> str:
    """Return the JSON text of a value made of texts, integers, booleans, None, lists and dicts."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{encode_basestring(key)}:{dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class _Options:
    """The default options that `json.JSONDecoder` passes to the scanner."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
