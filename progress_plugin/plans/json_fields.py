"""Fields of a JSON object that somebody else wrote: the first usable one of several names, or nothing.

No function here raises: a field of an unexpected type counts as absent, since the rest of the plan matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.text.bounds import MAX_LINE, MAX_STATEMENT, shortened
from progress_plugin.text.patterns import LazyPattern

JsonRecord = dict[str, Any]

_YES = frozenset({"true", "yes", "1"})
_NO = frozenset({"false", "no", "0"})
_NO_IDS = frozenset({"", "-", "none", "null", "n/a", "no"})
_LONGEST_NUMBER = 9
_ID_SEPARATORS = LazyPattern(r"[,;]")


def identifier(value: object) -> str:
    """Return an id as one line of text, numbers without a needless fraction; empty for what is no id."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return raw_line(str(value)) if isinstance(value, int | float | str) else ""


def raw_line(value: str) -> str:
    """Return ``value`` with every run of white space as one space, without lone surrogates, bounded."""
    return " ".join(_encodable(shortened(value, MAX_LINE)).split())


def text(record: JsonRecord, *names: str) -> str:
    """Return the first field that holds text, stripped; a list of texts is joined by line ends."""
    for name in names:
        value = record.get(name)
        if value is None:
            continue  # most names are those of other formats
        if isinstance(value, list):
            value = "\n".join(
                shortened(part, MAX_STATEMENT) for part in value[:MAX_STATEMENT] if isinstance(part, str)
            )
        if isinstance(value, str) and value.strip():
            return _encodable(shortened(value, MAX_STATEMENT)).strip()
    return ""


def line(record: JsonRecord, *names: str) -> str:
    """Return the first field that holds text or a number, as one line."""
    for name in names:
        value = record.get(name)
        if value is not None and (found := identifier(value)):
            return found
    return ""


def flag(record: JsonRecord, *names: str) -> bool | None:
    """Return the first field that says yes or no, as a boolean, 0, 1 or a word; None if none does."""
    for name in names:
        value = record.get(name)
        if value is None:
            continue
        word = str(value).strip().casefold() if isinstance(value, bool | int | str) else ""
        if word in _YES or word in _NO:
            return word in _YES
    return None


def number(record: JsonRecord, *names: str) -> int:
    """Return the first field that is a number of at least 0, rounded down; 0 if there is none."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.isdecimal() and len(value) <= _LONGEST_NUMBER:
            value = int(value)
        # A comparison, since NaN and infinity are read from JSON too and cannot be rounded.
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf"):
            return int(value)
    return 0


def identifiers(record: JsonRecord, *names: str) -> tuple[str, ...]:
    """Return each id in the named fields once; they may be lists, text with commas, or objects with an id."""
    fields = [value for name in names if (value := record.get(name)) is not None]
    found = [identifier(entry) for value in fields for entry in _entries(value)]
    return tuple(dict.fromkeys(name for name in found if name.casefold() not in _NO_IDS))


def objects(value: object) -> tuple[JsonRecord, ...]:
    """Return the objects of a list; everything else in it is left out."""
    return tuple(entry for entry in value if isinstance(entry, dict)) if isinstance(value, list) else ()


def _entries(value: object) -> Iterable[object]:
    if isinstance(value, str):
        return _ID_SEPARATORS.split(value)
    if isinstance(value, list):
        return [entry.get("id") if isinstance(entry, dict) else entry for entry in value]
    return [value]


def _encodable(value: str) -> str:
    # JSON can smuggle in half of a surrogate pair, which no file could be written with afterwards.
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value
