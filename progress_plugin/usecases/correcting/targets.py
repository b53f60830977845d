"""The targets of an erasure: the entries with one id, or a text."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.log.document import parse, serialise
from progress_plugin.log.entry import text_of
from progress_plugin.text.decode import json_or_none

MARK = "[erased]"
_MAX_JSON_NESTING = 2  # levels of JSON inside the strings of JSON
_ENTRY_KEYS = ("id", "type", "timestamp")  # fields of an entry without free text
_FIELD_NAME = re.compile(r"[a-z_]+")


class EntryTarget:
    """Every entry with one id."""

    kind = "entry"

    def __init__(self, name: str) -> None:
        self.name = name

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Return a file without the entries, and their number. Damaged parts of a log are dropped too."""
        name = self.name.encode("utf-8", "replace")
        if name not in data:
            return data, 0
        whole = json_or_none(data)
        if not isinstance(whole, dict) or self._is_target(whole):  # JSON lines, maybe one
            lines = data.split(b"\n")
            left = [line for line in lines if name not in line or not self._is_target(json_or_none(line))]
            if len(left) < len(lines):
                return b"\n".join(left), len(lines) - len(left)
        log = parse(data)
        kept = [item for item in log.items if not self._is_target(item)]
        count = len(log.items) - len(kept)
        log.items = kept
        return (serialise(log), count) if count else (data, 0)

    def count(self, data: bytes) -> int:
        return self.erase(data)[1]

    def _is_target(self, item: Any) -> bool:
        return isinstance(item, dict) and text_of(item, "id") == self.name


class TextTarget:
    """A text as it is, in the Unicode forms NFC and NFD, and as JSON escapes it."""

    kind = "text"

    def __init__(self, text: str) -> None:
        """Raise BadInput for a blank text, and for a part of the mark that replaces erased text."""
        if not text.strip() or text in MARK:
            raise BadInput(f"{text!r} is blank or a part of {MARK}; name the text that has to go")
        spellings = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}
        for _ in range(_MAX_JSON_NESTING):
            spellings |= {json.dumps(each, ensure_ascii=False)[1:-1] for each in spellings}
            spellings |= {json.dumps(each)[1:-1] for each in spellings}
        capital = re.compile(r"\\u([0-9a-f]{4})")
        spellings |= {capital.sub(lambda found: f"\\u{found[1].upper()}", each) for each in spellings}
        self._spellings = sorted(spellings, key=len, reverse=True)

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Return a file without the text, and the number of matches.

        Raises BadInput if the text is part of the JSON syntax, a field name, or an entry's id, type or time.
        """
        text, count = self.erase_in(data.decode("utf-8", "surrogateescape"))
        after = text.encode("utf-8", "surrogateescape")
        if count and _structure(after) != _structure(data):
            what = "this matches the structure of an entry, its id, type or time"
            raise BadInput(f"nothing was erased: {what}; name more of the text, or the entry's id")
        return after, count

    def count(self, data: bytes) -> int:
        return self.erase_in(data.decode("utf-8", "surrogateescape"))[1]

    def erase_in(self, text: str) -> tuple[str, int]:
        """Return a text with the mark in place of each match, and the number of matches."""
        total = 0
        for spelling in self._spellings:
            if number := text.count(spelling):
                text, total = text.replace(spelling, MARK), total + number
        return text, total


Target = EntryTarget | TextTarget


def _structure(data: bytes) -> list[Any]:
    """Return what an erasure must not change: the skeleton of a JSON file, or of each line of any other."""
    whole = json_or_none(data)
    return [_skeleton(each) for each in (data.split(b"\n") if whole is None else [whole])]


def _skeleton(value: Any) -> Any:
    """Return types and field names of a JSON value, and the id, type and time of each entry in it."""
    if isinstance(value, bytes):
        value = json_or_none(value)
    if isinstance(value, list):
        return [_skeleton(part) for part in value]
    if not isinstance(value, dict):
        return type(value)
    is_entry = all(name in value for name in _ENTRY_KEYS)
    names = sorted(key for key in value if _FIELD_NAME.fullmatch(key))
    return [names, *(value[name] for name in _ENTRY_KEYS if is_entry), *map(_skeleton, value.values())]
