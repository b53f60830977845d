"""What is to be erased, an entry or a text, and a file without it."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Protocol

from progress_plugin.core.errors import BadInput
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import text_of
from progress_plugin.text import lenient_json
from progress_plugin.text.decode import decode

MARK = "[erased]"
_NESTED = 2  # levels of JSON inside the strings of JSON
_FRAME = ("id", "type", "timestamp")  # fields of an entry that hold nobody's words
_OWN_KEY = re.compile(r"[a-z_]+")


class Target(Protocol):
    """What is to be erased."""

    kind: str

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Return the content of a file without it, and how often it was there."""


class EntryTarget:
    """Every entry with one id."""

    kind = "entry"

    def __init__(self, name: str) -> None:
        self.name = name

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Remove the entries; of a damaged file only what can be read is left."""
        if self.name.encode("utf-8", "replace") not in data and b"\\" not in data:
            return data, 0
        log = parse(data)
        kept = [
            item for item in log.items if not (isinstance(item, dict) and text_of(item, "id") == self.name)
        ]
        count = len(log.items) - len(kept)
        log.items = kept
        return (serialise(log), count) if count else (data, 0)


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
        spellings |= {_with_capital_escapes(each) for each in spellings}
        self._spellings = sorted(spellings, key=len, reverse=True)

    def erase(self, data: bytes) -> tuple[bytes, int]:
        """Replace the text in every string. Raises BadInput if it is part of an entry's id, type or time."""
        text = _decode(data)
        if "\\" not in text and not self.count_in(text):
            return data, 0
        try:
            value = lenient_json.loads(text)
            if isinstance(value, dict) and isinstance(value.get("entries"), list):
                after, count = self._erase_in_log(parse(data))
            else:
                value, count = self._replace(value)
                after = _dump(value).encode("utf-8", "surrogateescape")
        except (ValueError, RecursionError):
            lines = [self._erase_in_line(line) for line in text.split("\n")]
            after = "\n".join(line for line, _ in lines).encode("utf-8", "surrogateescape")
            count = sum(number for _, number in lines)
        return (after, count) if count else (data, 0)

    def count_in(self, text: str) -> int:
        """Return how often the text is in another one."""
        return self.erase_in(text)[1]

    def erase_in(self, text: str) -> tuple[str, int]:
        """Return a text without it, and how often it was there."""
        total = 0
        for spelling in self._spellings:
            if number := text.count(spelling):
                text, total = text.replace(spelling, MARK), total + number
        return text, total

    def _erase_in_log(self, log: Log) -> tuple[bytes, int]:
        total = 0
        items = []
        for item in log.items:
            frame = {name: item[name] for name in _FRAME if name in item} if isinstance(item, dict) else {}
            if self._replace(list(frame.values()))[1]:
                raise BadInput(
                    "nothing was erased: this matches the structure of an entry, its id, type or time; "
                    "name more of the text"
                )
            changed, number = self._replace(item)
            items.append(changed)
            total += number
        log.items = items
        log.document, number = self._replace(log.document)
        return serialise(log), total + number

    def _erase_in_line(self, line: str) -> tuple[str, int]:
        """Return a line of a file that is no JSON as a whole: one of JSON lines, or of a damaged log."""
        plain = line.rstrip(" ,\r")
        try:
            value = lenient_json.loads(plain)
        except (ValueError, RecursionError):
            return self.erase_in(line)
        changed, count = self._replace(value)
        indent = line[: len(line) - len(line.lstrip())]
        return (indent + _dump(changed) + line[len(plain) :], count) if count else (line, 0)

    def _replace(self, value: Any) -> tuple[Any, int]:
        """Return a JSON value without the text; a number that holds it becomes a text."""
        if isinstance(value, str):
            return self.erase_in(value)
        if isinstance(value, list):
            parts = [self._replace(part) for part in value]
            return [part for part, _ in parts], sum(number for _, number in parts)
        if isinstance(value, dict):
            named = [(self._replace_key(key), self._replace(part)) for key, part in value.items()]
            total = sum(key[1] + part[1] for key, part in named)
            return {key[0]: part[0] for key, part in named}, total
        if value is None or isinstance(value, bool):
            return value, 0
        changed, number = self.erase_in(json.dumps(value))
        return (changed if number else value), number

    def _replace_key(self, key: str) -> tuple[str, int]:
        return (key, 0) if _OWN_KEY.fullmatch(key) else self.erase_in(key)


def _with_capital_escapes(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: f"\\u{found[1].upper()}", text)


def _dump(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)  # half a surrogate pair has no UTF-8
    return text


def _decode(data: bytes) -> str:
    try:
        return decode(data, "")
    except BadInput:
        return data.decode("utf-8", "surrogateescape")
