"""The document `progress.json`, read in any state."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from progress_plugin import LOG_FORMAT
from progress_plugin.core.errors import BadInput, ReadOnly
from progress_plugin.log.entry import canonical, entry_identity, oddities, when_of
from progress_plugin.text import lenient_json
from progress_plugin.text.bounds import counted
from progress_plugin.text.decode import decode
from progress_plugin.text.patterns import LazyPattern

VERSION = LOG_FORMAT
_MAJOR = int(VERSION.partition(".")[0])
_MAX_VERSION_DIGITS = 9
_MAX_PROBLEMS = 20

_LIST = LazyPattern(r'"entries"\s*:\s*\[[\s,\x00]*')
_BETWEEN = LazyPattern(r"[\s,\x00]*")
_ENTRY = LazyPattern(r'\{\s*"(?:id|timestamp|type|spec|task_id)"\s*:')
# No line of a JSON file can begin like this, since strings hold no raw line ends.
_MARKER = LazyPattern(r"^(<{7}|>{7}|\|{7}|={7})(?: [^\n]*)?\r?$", re.MULTILINE)
_FIRST_WINDOW_CHARS = 4096
_MAX_WORK = 64  # times the length of the text
_MAX_TOO_DEEP = 100  # each such value costs a thousand levels of parsing


def _integer(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits  # Python refuses thousands of digits


_DECODER = json.JSONDecoder(
    strict=False, parse_int=_integer, parse_float=lenient_json.finite, parse_constant=str
)


class Log:
    """A log in memory: the document with every unknown key, and what is to be known about the file."""

    __slots__ = ("damage", "document", "items", "problems", "raw", "read_only")

    def __init__(self, document: dict[str, Any], items: list[Any], raw: bytes | None) -> None:
        self.document = document  # every top-level key; `entries` is None and holds its place
        self.items = items  # everything in `entries`, in file order, also what is not a valid entry
        self.raw = raw  # the bytes of the file; None if there is none
        self.problems: list[str] = []  # for a person, one sentence each
        self.damage: str | None = None  # why the file does not parse; its next writer keeps a copy
        self.read_only: str | None = None  # why nothing may be written

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries that are objects, in file order."""
        return [item for item in self.items if isinstance(item, dict)]

    @property
    def metadata(self) -> dict[str, Any]:
        """What the document says about itself."""
        stated = self.document.get("metadata")
        return stated if isinstance(stated, dict) else {}

    def refuse_if_read_only(self) -> None:
        """Raise ReadOnly if nothing may be written to this log."""
        if self.read_only:
            raise ReadOnly(f"nothing was written: {self.read_only}")


def parse(data: bytes | None, name: str = "progress.json") -> Log:
    """Return the log that these bytes hold; None is the log that does not exist yet.

    Never raises: what cannot be read is named by `problems`, `damage` and `read_only` of the result.
    """
    if data is None:
        return Log({}, [], None)
    fault = None
    try:
        text = decode(data, name)
    except BadInput as error:
        text, fault = data.decode("utf-8", "replace"), str(error).removeprefix(f"{name}: ").partition(";")[0]
    try:
        value = lenient_json.loads(text)
    except (ValueError, RecursionError) as error:
        return _read_damaged(text, data, fault or _reason(error, text), name)
    if isinstance(value, list):
        value = {"entries": value}
    if not isinstance(value, dict):
        log, fault = Log({}, [], data), fault or "it is no JSON object"
    else:
        items = value.get("entries", [])
        log = Log({**value, "entries": None}, items if isinstance(items, list) else [], data)
        fault = fault if isinstance(items, list) else "its entries are no list"
        _check_version(log, name)
    if fault:
        _note_damage(log, fault, name)
    if not log.read_only:
        log.problems += _odd_entries(log.items, name)
    return log


def serialise(log: Log) -> bytes:
    """Return the document as JSON in UTF-8, one entry to a line: small diffs, and clean merges of two logs.

    Raises BadInput for an entry that nests deeper than Python can write.
    """
    try:
        return _serialise(log, ascii_only=False).encode()
    except UnicodeEncodeError:
        return _serialise(log, ascii_only=True).encode()  # half a surrogate pair has no UTF-8
    except RecursionError:
        raise BadInput(
            "nothing was written: an entry of the log nests too deeply; `agent-progress verify`"
        ) from None


def fill_up(log: Log, good: Log, source: str) -> None:
    """Add to a damaged log what only an older version holds; an entry that differs is kept in both forms."""
    known = {canonical(item) for item in good.items}
    added = [item for item in log.items if canonical(item) not in known]
    gained = len(good.items) + len(added) - len(log.items)
    log.items = good.items + added
    log.document = {**good.document, **log.document}
    if gained > 0:
        log.problems.append(f"{counted(gained, 'entry')} more came from {source}")


def describe_conflict(name: str) -> str:
    """Return what is to be done about a file with conflict markers."""
    return (
        f"{name} holds git conflict markers; until they are removed both sides are read and nothing is "
        "written: delete the lines that begin with <<<<<<<, |||||||, ======= or >>>>>>>, keep the entries of "
        "both sides, then run `agent-progress repair`"
    )


def _read_damaged(text: str, data: bytes, reason: str, name: str) -> Log:
    if _has_conflict(text):
        log = Log(*_read_both_sides(text), data)
        log.read_only = describe_conflict(name)
        log.problems.append(log.read_only)
        return log
    log = Log(*_salvage(text), data)
    _note_damage(log, reason, name)
    _check_version(log, name)
    return log


def _note_damage(log: Log, reason: str, name: str) -> None:
    log.damage = reason
    log.problems.insert(
        0, f"{name} does not parse ({reason}): {counted(len(log.items), 'entry')} read from it"
    )


def _reason(error: Exception, text: str) -> str:
    if not text.strip("\x00 \t\r\n"):
        return "it is empty"
    if isinstance(error, RecursionError):
        return "it nests too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, line {error.lineno}"
    return "a number in it is too long"


def _check_version(log: Log, name: str) -> None:
    stated = log.document.get("version", VERSION)
    major = str(stated).strip().lstrip("v").partition(".")[0]
    if not (major.isascii() and major.isdecimal() and len(major) <= _MAX_VERSION_DIGITS):
        log.problems.append(f"{name} states the version {stated!r}, which is none; it is read as {VERSION}")
    elif int(major) > _MAJOR:
        log.read_only = (
            f"{name} has version {stated}, newer than {VERSION}; "
            "it is read and not written until agent-progress is updated"
        )
        log.problems.append(log.read_only)


def _odd_entries(items: list[Any], name: str) -> list[str]:
    found = []
    for position, item in enumerate(items, start=1):
        if faults := oddities(item):
            label = item.get("id") if isinstance(item, dict) else None
            found.append(f"{name}: entry {position}{f' ({label})' if label else ''} {', '.join(faults)}")
    if len(found) > _MAX_PROBLEMS:
        more = counted(len(found) - _MAX_PROBLEMS, "more entry")
        found[_MAX_PROBLEMS:] = [f"{name}: {more} with such faults"]
    return found


def _serialise(log: Log, *, ascii_only: bool) -> str:
    encode = json.JSONEncoder(ensure_ascii=ascii_only).encode
    lines = []
    document = log.document if "entries" in log.document else {**log.document, "entries": None}
    for key, value in document.items():
        if key == "entries":
            entries = ",\n    ".join(map(encode, log.items))
            lines.append(f'  "entries": [\n    {entries}\n  ]' if entries else '  "entries": []')
        else:
            lines.append(f"  {encode(key)}: {encode(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _salvage(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return what is before the entries, and every complete entry in the order of the file.

    After the first broken entry, only an object that looks like an entry counts, and each once.
    """
    beginning = _LIST.search(text)
    if beginning is None:
        return {}, list(_items(text, None))
    try:
        head = _DECODER.decode(text[: beginning.start()] + '"entries": []}')
    except (ValueError, RecursionError):
        head = {}
    return head if isinstance(head, dict) else {}, list(_items(text, beginning.end()))


def _has_conflict(text: str) -> bool:
    """Return whether git left a conflict in this JSON text."""
    return any(not marker[1].startswith("=") for marker in _MARKER.finditer(text))


def _read_both_sides(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the head and the entries of both sides of a conflict, in order of time; the base is left out."""
    lines = []
    is_base = False
    for line in text.split("\n"):
        marker = _MARKER.match(line)
        if marker is None and not is_base:
            lines.append(line)
        elif marker is not None:
            is_base = marker[1].startswith("|")
    head, items = _salvage("\n".join(lines))
    once: dict[str, Any] = {}
    for item in items:
        once.setdefault(entry_identity(item), item)
    return head, sorted(once.values(), key=when_of)


def _items(text: str, position: int | None) -> Iterator[Any]:
    """Yield the items of a list that begins at `position`, then the entries that are found behind it."""
    is_whole = position is not None
    known: set[str] = set()
    too_deep, work = 0, _MAX_WORK * len(text)
    while too_deep < _MAX_TOO_DEEP:
        if not is_whole:
            match = _ENTRY.search(text, position or 0)
            if match is None:
                return
            position = match.start()
        start, window, item = position or 0, _FIRST_WINDOW_CHARS, None
        position = start if is_whole else start + 1
        while work > 0 or window == _FIRST_WINDOW_CHARS:
            # An error makes Python count the lines before it: of a whole log for each entry without a window.
            piece = text[start : start + window]
            work -= len(piece)
            try:
                item, length = _DECODER.raw_decode(piece)
            except RecursionError:
                too_deep += 1
            except ValueError:
                if len(piece) == window:
                    window *= 8
                    continue
            else:
                between = _BETWEEN.match(text, start + length)
                position = between.end() if between else start + length
            break
        if position == start:
            is_whole = False
        elif is_whole or _is_entry(item, known):
            known.add(entry_identity(item))
            yield item


def _is_entry(item: Any, known: set[str]) -> bool:
    """Return whether what was found is an entry, and a new one."""
    is_entry = isinstance(item, dict) and isinstance(item.get("type"), str) and "timestamp" in item
    return is_entry and entry_identity(item) not in known
