"""The document `progress.json`, read whatever state it is in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from progress_plugin import LOG_FORMAT
from progress_plugin.core.errors import BadInput, ReadOnly
from progress_plugin.log.entry import canonical, oddities
from progress_plugin.text import finite_json
from progress_plugin.text.bounds import counted
from progress_plugin.text.decode import decode

VERSION = LOG_FORMAT
_MAJOR = int(VERSION.partition(".")[0])
_LONGEST_VERSION = 9
"""Digits; Python takes no number from thousands of them."""
_MOST_PROBLEMS = 20


class Log:
    """A log in memory: the document with every unknown key, and what is to be known about the file."""

    __slots__ = ("damage", "document", "items", "migrated_from", "problems", "raw", "read_only")

    def __init__(self, document: dict[str, Any], items: list[Any], raw: bytes | None) -> None:
        self.document = document
        """Every top-level key but `entries`, which is there as None to hold its place."""
        self.items = items
        """Everything in `entries`, in file order, also what is no valid entry."""
        self.raw = raw
        """The bytes it was read from; None where there was no file."""
        self.problems: list[str] = []
        """What a person should know, one sentence each."""
        self.damage: str | None = None
        """Why the file does not parse; its next writer copies it aside first."""
        self.read_only: str | None = None
        """Why nothing may be written."""
        self.migrated_from: str | None = None
        """The older version that it was written as."""

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries that are objects, in file order."""
        return [item for item in self.items if isinstance(item, dict)]

    def refuse_if_read_only(self) -> None:
        """Raise ReadOnly where nothing may be written to this log."""
        if self.read_only:
            raise ReadOnly(f"nothing was written: {self.read_only}")


def parse(data: bytes | None, name: str = "progress.json") -> Log:
    """Return the log that these bytes hold; None is the log that does not exist yet.

    Never raises: what cannot be read is named by `problems`, `damage` and `read_only` of the result.
    """
    if data is None:
        return Log({}, [], None)
    text, fault = _text(data, name)
    try:
        value = finite_json.loads(text)
    except (ValueError, RecursionError) as error:
        from progress_plugin.log import git_conflict  # noqa: PLC0415 - of hardly any log

        if git_conflict.has_markers(text):
            return _union(text, data, name)
        return _salvaged(text, data, fault or _reason(error, text), name)
    log = _from_value(value, data, name)
    log.damage = log.damage or fault
    if log.damage:
        log.problems.insert(
            0,
            f"{name} does not parse ({log.damage}): {counted(len(log.items), 'entry')} read from it",
        )
    return log


def serialise(log: Log) -> bytes:
    """Return the document as JSON in UTF-8, one entry to a line: small diffs, and clean merges of two logs.

    Raises BadInput for an entry that nests deeper than Python can write.
    """
    try:
        return _serialised(log, ascii_only=False).encode()
    except UnicodeEncodeError:
        return _serialised(log, ascii_only=True).encode()  # half a surrogate pair has no UTF-8
    except RecursionError:
        raise BadInput(
            "nothing was written: an entry of the log nests too deeply; `agent-progress verify`"
        ) from None


def fill_up(log: Log, good: Log, source: str) -> None:
    """Add to a damaged log what only an older version still holds.

    An entry that reads differently in both is kept as it is in each: nobody knows which is damaged.
    """
    known = {canonical(item) for item in good.items}
    added = [item for item in log.items if canonical(item) not in known]
    gained = len(good.items) + len(added) - len(log.items)
    log.items = good.items + added
    log.document = {**good.document, **log.document}
    if gained > 0:
        log.problems.append(f"{counted(gained, 'entry')} more came from {source}")


def _text(data: bytes, name: str) -> tuple[str, str | None]:
    try:
        return decode(data, name), None
    except BadInput as error:
        return data.decode("utf-8", "replace"), str(error).removeprefix(f"{name}: ").partition(";")[0]


def _reason(error: Exception, text: str) -> str:
    if not text.strip("\x00 \t\r\n"):
        return "it is empty"
    if isinstance(error, RecursionError):
        return "it nests too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, line {error.lineno}"
    return "a number in it is too long"


def _salvaged(text: str, data: bytes, reason: str, name: str) -> Log:
    from progress_plugin.log.partial_json import salvage  # noqa: PLC0415 - of hardly any log

    document, items = salvage(text)
    log = Log(document, items, data)
    log.damage = reason
    log.problems.append(f"{name} does not parse ({reason}): {counted(len(items), 'entry')} read from it")
    _check_version(log, name)
    return log


def _union(text: str, data: bytes, name: str) -> Log:
    """Read both sides of a conflict."""
    from progress_plugin.log import git_conflict  # noqa: PLC0415 - of hardly any log

    ours, theirs = (parse(side.encode("utf-8", "replace"), name) for side in git_conflict.sides(text))
    log = Log({**theirs.document, **ours.document}, git_conflict.union(ours.items, theirs.items), data)
    log.read_only = git_conflict.told(name)
    log.problems.append(log.read_only)
    return log


def _from_value(value: Any, data: bytes, name: str) -> Log:
    if isinstance(value, list):
        value = {"entries": value}
    if not isinstance(value, dict):
        log = Log({}, [], data)
        log.damage = "it is no JSON object"
        return log
    items = value.get("entries", [])
    log = Log({**value, "entries": None}, items if isinstance(items, list) else [], data)
    if not isinstance(items, list):
        log.damage = "its entries are no list"
    _check_version(log, name)
    if not log.read_only:
        log.problems += _odd_entries(log.items, name)
    return log


def _check_version(log: Log, name: str) -> None:
    stated = log.document.get("version", VERSION)
    major = str(stated).strip().lstrip("v").partition(".")[0]
    if not (major.isascii() and major.isdecimal() and len(major) <= _LONGEST_VERSION):
        log.problems.append(f"{name} states the version {stated!r}, which is none; it is read as {VERSION}")
    elif int(major) > _MAJOR:
        log.read_only = (
            f"{name} has version {stated}, newer than {VERSION}; "
            "it is read and not written until agent-progress is updated"
        )
        log.problems.append(log.read_only)
    elif int(major) < _MAJOR:
        log.migrated_from = str(stated)


def _odd_entries(items: list[Any], name: str) -> list[str]:
    found = []
    for position, item in enumerate(items, start=1):
        what = oddities(item)
        if what:
            label = item.get("id") if isinstance(item, dict) else None
            found.append(f"{name}: entry {position}{f' ({label})' if label else ''} {', '.join(what)}")
    if len(found) > _MOST_PROBLEMS:
        more = counted(len(found) - _MOST_PROBLEMS, "more entry")
        found[_MOST_PROBLEMS:] = [f"{name}: {more} with such faults"]
    return found


def _encoder(*, ascii_only: bool) -> Callable[[Any], str]:
    """Return what writes a JSON value, made once for all entries: `JSONEncoder` makes one for each text.

    An entry is plain JSON, so it holds itself nowhere, and that need not be looked for.
    """
    usual = json.JSONEncoder(ensure_ascii=ascii_only)
    made = getattr(json.encoder, "c_make_encoder", None)  # Python's own, where it has one in C
    if made is None:
        return usual.encode
    write = json.encoder.encode_basestring_ascii if ascii_only else json.encoder.encode_basestring
    chunks = made(
        None, usual.default, write, None, usual.key_separator, usual.item_separator, False, False, True
    )  # fmt: skip
    return lambda value: "".join(chunks(value, 0))


def _serialised(log: Log, *, ascii_only: bool) -> str:
    encode = _encoder(ascii_only=ascii_only)
    lines = []
    document = log.document if "entries" in log.document else {**log.document, "entries": None}
    for key, value in document.items():
        if key == "entries":
            entries = ",\n    ".join(map(encode, log.items))
            lines.append(f'  "entries": [\n    {entries}\n  ]' if entries else '  "entries": []')
        else:
            lines.append(f"  {encode(key)}: {encode(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
