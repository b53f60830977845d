"""The document `progress.json`, which is read even if it is damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from progress_plugin import LOG_FORMAT
from progress_plugin.core.errors import BadInput, ReadOnly
from progress_plugin.log.entry import canonical, is_valid, json_line, sort_time
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.decode import decode, finite, parse_json
from progress_plugin.text.patterns import LazyPattern

_MAJOR = int(LOG_FORMAT.partition(".")[0])
_MAJOR_NUMBER = LazyPattern(r"\s*v*([0-9]{1,9})(?![0-9])")

_LIST = LazyPattern(r'"entries"\s*:\s*\[')
# How an entry begins; this is never within a text, since JSON escapes the quotes there.
_BEGINNING = LazyPattern(r'\{\s*"(?:branch|data|id|spec|task_id|timestamp|type)"\s*:')
# No line of a JSON file can begin like this, since strings hold no raw line ends.
_CONFLICT = LazyPattern(r"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)
_MAX_RESCANNED_CHARS = 64 << 20  # read by failed attempts to decode an entry, until the search is given up
_NESTED_CHARS = 1 << 16  # counted for a failed attempt at an entry that nests too deeply


def _integer(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits  # Python refuses thousands of digits


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer, parse_float=finite, parse_constant=str)


class Fault(NamedTuple):
    """A fault of log, archive or copies, and what to do about it."""

    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.what}; {self.remedy}"


@dataclass(slots=True)
class Log:
    """A log in memory: the document with every unknown key, and the state of its file."""

    document: dict[str, Any]  # all keys in file order; `entries` is None, `items` has them
    items: list[Any]  # all of `entries` in file order, including invalid ones
    raw: bytes | None = None  # the bytes of the file; None if there is none
    problems: list[str] = field(default_factory=list)  # for a person, one sentence each
    damage: str | None = None  # why the file does not parse, or has no entries; the next write keeps a copy
    read_only: Fault | None = None  # why nothing may be written: a newer version wrote it

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries that are objects, in file order."""
        return [item for item in self.items if isinstance(item, dict)]

    @property
    def metadata(self) -> dict[str, Any]:
        """The object `metadata`; empty if there is none."""
        stated = self.document.get("metadata")
        return stated if isinstance(stated, dict) else {}

    def refuse_if_read_only(self) -> None:
        """Raise ReadOnly if nothing may be written to this log."""
        if self.read_only:
            raise ReadOnly(f"nothing was written: {self.read_only}")


def parse(data: bytes | None, name: str = "progress.json") -> Log:
    """Return the log in these bytes; `data` is None if the file does not exist yet.

    Never raises: faults are named by `problems`, `damage` and `read_only` of the result.
    """
    if data is None:
        return Log({}, [], None)
    fault = None
    try:
        text = decode(data, name)
    except BadInput as error:
        text, fault = data.decode("utf-8", "replace"), str(error).removeprefix(f"{name}: ").partition(";")[0]
    try:
        value = parse_json(text)
    except (ValueError, RecursionError) as error:
        reason = "it nests too deeply" if isinstance(error, RecursionError) else str(error)
        return _read_damaged(text, data, fault or reason, name)
    if isinstance(value, list):
        value = {"entries": value}
    document = value if isinstance(value, dict) else {"entries": None}
    items = document.get("entries", [])
    if not isinstance(items, list):
        items, fault = [], fault or "it holds no list of entries"
    log = Log({**document, "entries": None}, items, data)
    _check_version(log, name)
    if fault:
        _note_damage(log, fault, name)
    if not log.read_only:
        odd = [f"entry {position}" for position, item in enumerate(log.items, start=1) if not is_valid(item)]
        lack = "without an id, a type, a readable timestamp or data that is an object"
        log.problems += [f"{name}: {counted(len(odd), 'entry')} {lack}: {some_of(odd)}"] if odd else []
    return log


def serialise(log: Log) -> bytes:
    """Return the document as JSON in UTF-8, one entry to a line: diffs are small, and no conflict splits one.

    Raises BadInput for an entry that nests deeper than Python can write.
    """
    document = log.document if "entries" in log.document else {**log.document, "entries": None}
    lines = []
    try:
        for key, value in document.items():
            text = json_line(value)
            if key == "entries":
                entries = b",\n    ".join(map(json_line, log.items))
                text = b"[\n    %b\n  ]" % entries if entries else b"[]"
            lines.append(b"  %b: %b" % (json_line(key), text))
    except RecursionError:
        raise BadInput(
            "nothing was written: an entry of the log nests too deeply; `agent-progress verify`"
        ) from None
    return b"{\n%b\n}\n" % b",\n".join(lines)


def _read_damaged(text: str, data: bytes, reason: str, name: str) -> Log:
    """Read a damaged document: the keys before `entries`, and every complete entry once.

    Git's conflict markers are damage, too. Entries never change, so the log is the union of both sides.
    """
    beginning = _LIST.search(text)
    head: Any = {}
    if beginning is not None:
        with suppress(ValueError, RecursionError):
            head = _DECODER.decode(text[: beginning.end()] + "]}")
    once: dict[str, Any] = {}
    for item in _find_entries(text):
        once.setdefault(canonical(item), item)
    items = list(once.values())
    if _CONFLICT.search(text):
        items, reason = sorted(items, key=sort_time), "it holds git conflict markers"
    log = Log(head if isinstance(head, dict) else {}, items, data)
    _note_damage(log, reason, name)
    _check_version(log, name)
    return log


def _note_damage(log: Log, reason: str, name: str) -> None:
    log.damage = reason
    log.problems.insert(
        0, f"{name} does not parse ({reason}): {counted(len(log.items), 'entry')} read from it"
    )


def _check_version(log: Log, name: str) -> None:
    stated = log.document.get("version", LOG_FORMAT)
    major = _MAJOR_NUMBER.match(str(stated))
    if major and int(major[1]) > _MAJOR:
        log.read_only = Fault(
            f"{name} has version {stated}, newer than {LOG_FORMAT}",
            "it is read and not written until agent-progress is updated",
        )
        log.problems.append(str(log.read_only))


def _find_entries(text: str) -> Iterator[Any]:
    """Yield the objects in a text that look like entries, until failed attempts read 64 Mi characters."""
    position = rescanned = 0
    for start in (match.start() for match in _BEGINNING.finditer(text)):
        if start < position or rescanned > _MAX_RESCANNED_CHARS:
            continue
        try:
            item, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            rescanned += error.pos - start
        except RecursionError:
            rescanned += _NESTED_CHARS
        else:
            if isinstance(item.get("type"), str) and "timestamp" in item:
                position = end
                yield item
