"""What is to be erased, an entry or a text, and a file without it."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.log.document import parse, serialise
from progress_plugin.log.entry import text_of

MARK = "[erased]"
_NESTED = 2  # levels of JSON inside the strings of JSON
_FRAME = ("id", "type", "timestamp")  # fields of an entry without free text
_OWN_KEY = re.compile(r"[a-z_]+")


class EntryTarget:
    """Every entry with one id."""

    kind = "entry"

    def __init__(self, name: str) -> None:
        self.name = name

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Return a file without the entries, and how many there were; of a damaged log only what is whole."""
        name = self.name.encode("utf-8", "replace")
        if name not in data:
            return data, 0
        whole = _json_of(data)
        if not isinstance(whole, dict) or self._is_it(whole):  # JSON lines, maybe one
            lines = data.split(b"\n")
            left = [line for line in lines if name not in line or not self._is_it(_json_of(line))]
            if len(left) < len(lines):
                return b"\n".join(left), len(lines) - len(left)
        log = parse(data)
        kept = [item for item in log.items if not self._is_it(item)]
        count = len(log.items) - len(kept)
        log.items = kept
        return (serialise(log), count) if count else (data, 0)

    def _is_it(self, item: Any) -> bool:
        return isinstance(item, dict) and text_of(item, "id") == self.name


class TextTarget:
    """A text, in every spelling of JSON."""

    kind = "text"

    def __init__(self, text: str) -> None:
        """Raise BadInput for a text that would match everywhere."""
        if not text.strip() or text in MARK:
            raise BadInput(f"{text!r} would match everywhere; name the text that has to go")
        spellings = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}
        for _ in range(_NESTED):
            spellings |= {json.dumps(each, ensure_ascii=False)[1:-1] for each in spellings}
            spellings |= {json.dumps(each)[1:-1] for each in spellings}
        capital = re.compile(r"\\u([0-9a-f]{4})")
        spellings |= {capital.sub(lambda found: f"\\u{found[1].upper()}", each) for each in spellings}
        self._spellings = sorted(spellings, key=len, reverse=True)

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Return a file without the text, and how often it was there.

        Raises BadInput if the text is part of what makes the file JSON, or of the frame of an entry.
        """
        text, count = self.erase_in(data.decode("utf-8", "surrogateescape"))
        after = text.encode("utf-8", "surrogateescape")
        if count and _structure(after) != _structure(data):
            what = "this matches the structure of an entry, its id, type or time"
            raise BadInput(f"nothing was erased: {what}; name more of the text, or the entry's id")
        return after, count

    def erase_in(self, text: str) -> tuple[str, int]:
        """Return a text without it, and how often it was there."""
        total = 0
        for spelling in self._spellings:
            if number := text.count(spelling):
                text, total = text.replace(spelling, MARK), total + number
        return text, total

    def count_in(self, text: str) -> int:
        """Return how often the text is in another one."""
        return self.erase_in(text)[1]


Target = EntryTarget | TextTarget


def _structure(data: bytes) -> list[Any]:
    """Return what has to stay of a JSON file, or of the lines of any other that are JSON."""
    whole = _json_of(data)
    return [_skeleton(each) for each in (data.split(b"\n") if whole is None else [whole])]


def _skeleton(value: Any) -> Any:
    """Return a JSON value without its texts, but for the frame of an entry and names of fields."""
    if isinstance(value, bytes):
        value = _json_of(value)
    if isinstance(value, list):
        return [_skeleton(part) for part in value]
    if not isinstance(value, dict):
        return type(value)
    is_entry = all(name in value for name in _FRAME)
    names = sorted(key for key in value if _OWN_KEY.fullmatch(key))
    return [names, *(value[name] for name in _FRAME if is_entry), *map(_skeleton, value.values())]


def _json_of(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
