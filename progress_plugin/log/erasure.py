"""What must not stay is taken out of a file, whatever state the file is in.

That an erased entry does not come again is remembered by `correcting.shared_erasure` (`_remember`) and held
by `recording.entries_of_others`, on a team's server, by `usecases.team.sync`.

An entry is removed as a whole, a text wherever it is, and the rest of the file is kept as it is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from hashlib import blake2b
from typing import Any, Protocol

from progress_plugin.core.errors import BadInput
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import text_of
from progress_plugin.log.json_unescape import Unescaped
from progress_plugin.log.regex_timeout import SearchTimeout
from progress_plugin.text.decode import decode
from progress_plugin.text.patterns import LazyPattern

MARK = "[erased]"
_TOKEN = LazyPattern(r'"(?:[^"\\\n]++|\\.)*+"?|-?\d[\d.eE+-]*')
"""A string or a number of JSON, also in a file that is damaged around it."""
_NESTED = 8
"""How deep JSON is looked for within the strings of JSON; each level doubles its backslashes."""


class ErasureTarget(Protocol):
    """What is to go."""

    def without(self, data: bytes) -> bytes:
        """Return a copy of the log without it; the same bytes where it is not there."""

    def count(self, data: bytes) -> int:
        """Return how often it occurs."""


class EntryTarget:
    """Every entry with one id."""

    def __init__(self, name: str) -> None:
        self.name = name

    def count(self, data: bytes) -> int:
        """Return how many entries of a copy have the id."""
        return sum(self._is_meant(item) for item in parse(data).items)

    def without(self, data: bytes) -> bytes:
        """Return the copy without them; of a damaged one only what can be read: fragments may reveal more."""
        log = parse(data)
        if not any(map(self._is_meant, log.items)):
            return data
        return serialise(self.take_out(log))

    def take_out(self, log: Log) -> Log:
        """Remove them from a log in memory, and return it."""
        log.items = [item for item in log.items if not self._is_meant(item)]
        return log

    def _is_meant(self, item: Any) -> bool:
        return isinstance(item, dict) and text_of(item, "id") == self.name


class TextTarget:
    """A text, in whatever way JSON spells it."""

    def __init__(self, pattern: re.Pattern[str], time: SearchTimeout | None = None) -> None:
        self.pattern = pattern
        self.time = time or SearchTimeout()
        self._known: dict[bytes, tuple[str, int]] = {}
        """What was found in contents, by their hash: they are asked about again under the lock."""

    def count_in(self, text: str) -> int:
        """Return how often it is in a text, as that is or as JSON spells it. Raises TooLong."""
        with self.time.running():
            found = self.pattern.search(text)
        return self.count(text.encode("utf-8", "replace")) if found or "\\" in text else 0

    def without_in(self, text: str) -> str:
        """Return the text with `MARK` in its place. Raises TooLong."""
        return self.without(text.encode("utf-8", "replace")).decode() if self.count_in(text) else text

    def count(self, data: bytes) -> int:
        """Return how often the text is in a file."""
        return self._erased(data)[1]

    def without(self, data: bytes) -> bytes:
        """Return the file with `MARK` in its place, in UTF-8; the same bytes where it is not there."""
        text, count = self._erased(data)
        return text.encode("utf-8", "surrogateescape") if count else data

    def _erased(self, data: bytes) -> tuple[str, int]:
        """Return the text without it, and how often it was there; "" where it was not. Raises TooLong."""
        digest = blake2b(data, digest_size=16).digest()
        if digest not in self._known:
            text = _text(data)
            with self.time.running():
                text, count = self._searched(text, _NESTED)
            self._known[digest] = (text if count else "", count)
        return self._known[digest]

    def _searched(self, text: str, nested: int) -> tuple[str, int]:
        """Return a text without it, and how often it was there.

        First inside strings as they read, and in the JSON that such a string may hold itself, so that escapes
        hide nothing, then in what no parser takes for a string, such as one that is cut off; then whatever is
        left.
        """
        total = 0

        def token(found: re.Match[str]) -> str:
            nonlocal total
            value = _value(found[0])
            changed, count = self._searched(value, nested - 1) if nested else self.pattern.subn(MARK, value)
            total += count
            return json.dumps(changed, ensure_ascii=found[0].isascii()) if count else found[0]

        if nested == _NESTED or "\\" in text:
            text = _TOKEN.sub(token, text)
        if "\\" in text:
            text, count = Unescaped(text).replaced(self.pattern, MARK)
            total += count
        text, count = self.pattern.subn(MARK, text)
        return text, total + count


def text_pattern(text: str, *, regex: bool) -> re.Pattern[str]:
    """Return the pattern for a text. Raises BadInput for a broken one, or one that matches everywhere."""
    try:
        pattern = re.compile(text if regex else _spellings(text))
    except re.error as error:
        raise BadInput(
            f"{text!r} is no regular expression: {error}; without --regex it is taken as it is"
        ) from None
    if pattern.search("") or pattern.search(MARK) or not text.strip():
        raise BadInput(f"{text!r} would match everywhere; name the text that has to go")
    return pattern


def _spellings(text: str) -> str:
    """Return the pattern of a text in which a letter and its accent are one character or two."""
    if text.isascii():
        return re.escape(text)
    forms = ((one, unicodedata.normalize("NFD", one)) for one in unicodedata.normalize("NFC", text))
    pattern = "".join(
        re.escape(one) if one == parts else f"(?:{re.escape(one)}|{re.escape(parts)})" for one, parts in forms
    )
    return pattern if re.compile(pattern).fullmatch(text) else f"{pattern}|{re.escape(text)}"


def _value(token: str) -> str:
    if not token.startswith('"'):
        return token
    try:
        value = json.loads(token)
    except ValueError:
        return ""  # prose between two quotes; it is looked at outside strings
    return value if isinstance(value, str) else ""


def _text(data: bytes) -> str:
    try:
        return decode(data, "")
    except BadInput:
        return data.decode("utf-8", "surrogateescape")
