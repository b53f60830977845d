"""The document `progress.json`, read in any state."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from progress_plugin import LOG_FORMAT
from progress_plugin.core.errors import BadInput, ReadOnly
from progress_plugin.log.entry import canonical, oddities, when_of
from progress_plugin.text import lenient_json
from progress_plugin.text.bounds import counted
from progress_plugin.text.decode import decode
from progress_plugin.text.patterns import LazyPattern

VERSION = LOG_FORMAT
_MAJOR = int(VERSION.partition(".")[0])
_MAX_VERSION_DIGITS = 9
_MAX_PROBLEMS = 20

_LIST = LazyPattern(r'"entries"\s*:\s*\[')
# How an entry begins; this is never within a text, since JSON escapes the quotes there.
_BEGINNING = LazyPattern(r'\{\s*"(?:branch|data|id|spec|task_id|timestamp|type)"\s*:')
# No line of a JSON file can begin like this, since strings hold no raw line ends.
_MARKER = LazyPattern(r"^(<{7}|>{7}|\|{7}|={7})(?: [^\n]*)?\r?$", re.MULTILINE)
_OBJECTS_IN_ENTRY = (1, 4, 16, 64)  # so many are tried until an entry is whole
_MAX_UNFINISHED = 1000  # entries without an end, until the search is given up


def _integer(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits  # Python refuses thousands of digits


_DECODER = json.JSONDecoder(
    strict=False, parse_int=_integer, parse_float=lenient_json.finite, parse_constant=str
)


@dataclass(slots=True)
class Log:
    """A log in memory: the document with every unknown key, and what is to be known about the file."""

    document: dict[str, Any]  # every top-level key; `entries` is None and holds its place
    items: list[Any]  # everything in `entries`, in file order, also what is not a valid entry
    raw: bytes | None = None  # the bytes of the file; None if there is none
    problems: list[str] = field(default_factory=list)  # for a person, one sentence each
    damage: str | None = None  # why the file does not parse; its next writer keeps a copy
    read_only: str | None = None  # why nothing may be written

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
    """Return what is before the entries, and every complete entry in the order of the file, each once."""
    beginning = _LIST.search(text)
    head: Any = {}
    if beginning is not None:
        with suppress(ValueError, RecursionError):
            head = _DECODER.decode(text[: beginning.end()] + "]}")
    once: dict[str, Any] = {}
    for item in _find_entries(text):
        once.setdefault(canonical(item), item)
    return head if isinstance(head, dict) else {}, list(once.values())


def _find_entries(text: str) -> Iterator[Any]:
    """Yield the objects in a text that look like entries.

    An object is parsed in a piece that ends before another one, and in a longer piece only if the end of the
    piece cuts it: so a damaged entry costs no more than its own length.
    """
    starts = [match.start() for match in _BEGINNING.finditer(text)]
    ends = [*starts[1:], len(text)]
    position = unfinished = 0
    for nth, start in enumerate(starts):
        if start < position:
            continue
        if unfinished > _MAX_UNFINISHED:
            return
        for number in _OBJECTS_IN_ENTRY:
            piece = text[start : ends[min(nth + number, len(ends)) - 1]]
            try:
                item, length = _DECODER.raw_decode(piece)
            except RecursionError:
                break
            except json.JSONDecodeError as error:
                if error.pos < len(piece):
                    break
            else:
                if isinstance(item.get("type"), str) and "timestamp" in item:
                    position = start + length
                    yield item
                break
        else:
            unfinished += 1


def _has_conflict(text: str) -> bool:
    """Return whether git left a conflict in this JSON text."""
    return any(not marker[1].startswith("=") for marker in _MARKER.finditer(text))


def _read_both_sides(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the head and the entries of both sides of a conflict, in order of time; the base is left out."""
    lines = []
    is_base = False
    for line in text.split("\n"):
        marker = _MARKER.match(line)
        if marker is not None:
            is_base = marker[1].startswith("|")
        elif not is_base:
            lines.append(line)
    head, items = _salvage("\n".join(lines))
    return head, sorted(items, key=when_of)
