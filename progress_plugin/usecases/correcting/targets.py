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
_FRAME = ("id", "type", "timestamp")  # fields of an entry without free text
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
        lines = data.split(b"\n")
        if _json_of(data.strip().partition(b"\n")[0]) is not None:  # JSON lines
            left = [line for line in lines if not self._is_it(_json_of(line))]
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
        """Replace the text in every string. Raises BadInput if it is part of an entry's id, type or time.

        What is no JSON as a whole is read line by line: JSON lines, or what is left of a damaged log.
        """
        try:
            text = decode(data, "")
        except BadInput:
            text = data.decode("utf-8", "surrogateescape")
        if "\\" not in text and not self.count_in(text):
            return data, 0
        try:
            value, count = self._replace(lenient_json.loads(text))
        except (ValueError, RecursionError):
            lines = [self._erase_in_line(line) for line in text.split("\n")]
            count = sum(number for _, number in lines)
            after = "\n".join(line for line, _ in lines).encode("utf-8", "surrogateescape")
        else:
            is_log = isinstance(value, dict) and isinstance(value.get("entries"), list)
            after = serialise(Log(value, value["entries"])) if is_log else _dump(value).encode()
        return (after, count) if count else (data, 0)

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

    def _erase_in_line(self, line: str) -> tuple[str, int]:
        plain = line.strip(" ,\r")
        try:
            changed, count = self._replace(lenient_json.loads(plain))
        except (ValueError, RecursionError):
            return self.erase_in(line)
        return (line.replace(plain, _dump(changed)), count) if count else (line, 0)

    def _replace(self, value: Any) -> tuple[Any, int]:
        """Return a JSON value without the text; a number that holds it becomes a text."""
        if isinstance(value, list):
            parts = [self._replace(part) for part in value]
            return [part for part, _ in parts], sum(number for _, number in parts)
        if isinstance(value, dict):
            if all(name in value for name in _FRAME) and any(
                self.count_in(str(value[name])) for name in _FRAME
            ):
                what = "this matches the structure of an entry, its id, type or time"
                raise BadInput(f"nothing was erased: {what}; name more of the text")
            keys = [(key, 0) if _OWN_KEY.fullmatch(key) else self.erase_in(key) for key in value]
            parts = [self._replace(part) for part in value.values()]
            changed = {key: part for (key, _), (part, _) in zip(keys, parts, strict=True)}
            return changed, sum(number for _, number in (*keys, *parts))
        if value is None or isinstance(value, bool):
            return value, 0
        changed_text, number = self.erase_in(value if isinstance(value, str) else json.dumps(value))
        return (changed_text if number else value), number


def _json_of(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _dump(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)  # half a surrogate pair has no UTF-8
    return text
