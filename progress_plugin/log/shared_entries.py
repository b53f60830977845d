"""Entries as files that git carries from clone to clone: `shared/<writer>/<YYYY-MM>/<id>.<digest>.json`.

Each entry has a file of its own, made once and never changed. Its name holds a digest of its bytes, so two
branches with the same name have the same file: no merge, rebase, squash or cherry-pick can conflict, also if
two clones have one name. A file that is appended to would conflict as soon as one writer has been on two
branches (`docs/many-machines.md`). The files of others are validated by `entry_of`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import (
    TEMPORARY_PREFIX,
    LeadsOutside,
    content_digest,
    read_inside,
    resolve_inside,
    walk_inside,
    write_atomic,
)
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.entry import MAX_NESTING, WRITER, is_deep, oddities, text_of, time_of
from progress_plugin.text.lenient_json import finite

SHARED_FOLDER = "shared"
LARGEST = 256 * 1024  # bytes of one entry
LONGEST_ID = 120  # bytes; in the name of a file each special character of an id takes three
_WRITER_NAME = re.compile(r"[0-9a-z](?:[0-9a-z-]{0,58}[0-9a-z])?")
UNDATED = "undated"  # the month of an entry without a readable time: it has no file
ERASURES = "erased"  # folder of a writer with an empty file per erased entry, named by a digest of its id
DIGEST_DIGITS = 12
STATE_FILE = (
    "shared.json"  # which folders have been taken in, with their times; if it is lost, all are looked at
)
MAX_FOLDERS_AT_START = 250  # the newest months; all are compared when entries are taken in
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_NAME = re.compile(r"((?:[0-9a-z-]|_[0-9a-f]{2})+)\.[0-9a-f]{12}\.json")
_ERASURE = re.compile(r"[0-9a-f]{32}")
_PLAIN = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyz-")


class SharedFile(NamedTuple):
    """The file of an entry, by its name."""

    writer: str
    month: str
    name: str

    @property
    def path(self) -> str:
        """Its path in our directory."""
        return os.path.join(SHARED_FOLDER, self.writer, self.month, self.name)


def file_of(entry: dict[str, Any]) -> tuple[str, str, bytes] | None:
    """Return month, name and content of an entry's file; None if the entry cannot be shared."""
    return _file(entry, line_of(entry))


def name_as_stored(entry: dict[str, Any]) -> tuple[str, str] | None:
    """Return month and name of the file of an entry as it is stored, secrets included; None as `file_of`."""
    file = _file(entry, stored_line_of(entry))
    return file[:2] if file else None


def _file(entry: dict[str, Any], data: bytes | None) -> tuple[str, str, bytes] | None:
    month = month_of(entry)
    if data is None or month == UNDATED:
        return None
    encoded = _encode(entry["id"])
    if len(encoded) > LONGEST_ID:
        return None
    return month, f"{encoded}.{content_digest(data)[:DIGEST_DIGITS].decode()}.json", data


def month_of(entry: dict[str, Any]) -> str:
    """Return the folder of an entry, which is the month of the archive that it may move to."""
    when = time_of(entry)
    return f"{when.year:04}-{when.month:02}" if when else UNDATED


def put(directory: str, writer: str, entries: Iterable[dict[str, Any]]) -> list[str]:
    """Make the files of entries in our directory, and return the ids of those that cannot be shared.

    The caller holds the lock. Raises Refused if a link leads out, AgentProgressError and OSError if the disk
    refuses.
    """
    left: list[str] = []
    for entry in entries:
        found = file_of(entry)
        if found is None:
            left.append(text_of(entry, "id") or "(no id)")
            continue
        month, name, data = found
        # By our directory, not by the project: what was checked out may have a link in it.
        folder = resolve_inside(directory, os.path.join(directory, SHARED_FOLDER, writer, month))
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        if not os.path.lexists(path):
            write_atomic(path, data, root=directory, durable=False)
    return left


def erasures(directory: str) -> set[tuple[str, str]]:
    """Return the digests of the ids of entries that writers have erased, each with the writer."""
    return {
        (name, writer)
        for writer in writers(data_directory.names(directory, SHARED_FOLDER))
        for name in data_directory.names(directory, os.path.join(SHARED_FOLDER, writer, ERASURES))
        if _ERASURE.fullmatch(name)
    }


def put_erasure(directory: str, writer: str, digest: str) -> None:
    """Announce an erased entry of a writer by git. The caller holds the lock. Raises as `put`."""
    if (digest, writer) in erasures(directory):
        return
    folder = os.path.join(directory, SHARED_FOLDER, writer, ERASURES)
    os.makedirs(resolve_inside(directory, folder), exist_ok=True)
    write_atomic(os.path.join(folder, digest), b"", root=directory, durable=False)


def writers(names: Iterable[str]) -> list[str]:
    """Return which names are those of writers."""
    return [name for name in names if is_writer(name)]


def months(names: Iterable[str]) -> list[str]:
    """Return which names are those of months, the newest first."""
    return sorted((name for name in names if _MONTH.fullmatch(name)), reverse=True)


def id_in(name: str) -> str | None:
    """Return the id of the entry in a file of this name; None for any other name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    plain = re.sub("_(..)", lambda found: chr(int(found[1], 16)), match[1])
    try:
        return plain.encode("latin-1").decode()
    except UnicodeDecodeError:
        return None


def files(directory: str) -> Iterator[SharedFile]:
    """Yield every file with the name of an entry, those of each writer by month."""
    for writer in writers(data_directory.names(directory, SHARED_FOLDER)):
        for month in months(data_directory.names(directory, os.path.join(SHARED_FOLDER, writer))):
            for name in data_directory.names(directory, os.path.join(SHARED_FOLDER, writer, month)):
                if id_in(name) is not None:
                    yield SharedFile(writer, month, name)


def find_invalid(directory: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each file in `shared/` that is not a valid entry, and why."""
    for path, is_link in walk_inside(root_of(directory), os.path.join(directory, SHARED_FOLDER)):
        parts = path.split(os.sep)
        is_erasure = len(parts) == 3 and parts[1] == ERASURES and _ERASURE.fullmatch(parts[2])  # noqa: PLR2004
        if is_link:
            yield path, "is a link"
        elif not (is_erasure or parts[-1].startswith(TEMPORARY_PREFIX)):
            file = _file_at(parts)
            found = read(directory, file) if file else "is not called like an entry"
            if isinstance(found, str):
                yield path, found


def _file_at(parts: list[str]) -> SharedFile | None:
    match parts:
        case [writer, month, name] if is_writer(writer) and _MONTH.fullmatch(month) and id_in(name):
            return SharedFile(writer, month, name)
        case _:
            return None


def read(directory: str, file: SharedFile) -> dict[str, Any] | str:
    """Return the entry in a file, redacted and without a writer, or why there is none."""
    path = os.path.join(directory, file.path)
    try:
        data = None if os.path.islink(path) else read_inside(root_of(directory), path, LARGEST)
    except LeadsOutside:
        return "is behind a link out of the project"
    except BadInput:
        return f"is not a readable file of at most {LARGEST >> 10} KiB"
    entry = "is gone, or a link" if data is None else entry_of(data)
    if not isinstance(entry, str) and (entry["id"] != id_in(file.name) or month_of(entry) != file.month):
        return "holds another entry than its name and folder say"
    return entry


def load_folders(directory: str) -> InputSnapshot:
    """Return the folders as they were taken in; an empty snapshot if that is not known."""
    root = root_of(directory)
    try:
        with open(state_file(root, STATE_FILE), encoding="utf-8") as file:
            return InputSnapshot.from_data(json.load(file))
    except (OSError, ValueError, KeyError, TypeError):
        return InputSnapshot(root)


def save_folders(directory: str, folders: InputSnapshot) -> None:
    """Keep the folders, the newest months first. Caller holds the lock. Raises as `write_atomic`."""
    newest_first = sorted(folders.files.items(), key=lambda item: os.path.basename(item[0]), reverse=True)
    folders.files = dict(sorted(newest_first, key=lambda item: item[0].count(os.sep)))
    path = os.path.join(make_state_directory(root_of(directory)), STATE_FILE)
    write_atomic(path, json.dumps(folders.to_data()).encode(), durable=False)


def note_for_start(directory: str, inputs: InputSnapshot) -> None:
    """Add the folders that were taken in to the inputs of a start."""
    known = load_folders(directory)
    top = path_in_project(directory)
    if not data_directory.has_shared(directory):
        inputs.note(top)
    elif not known.files:
        inputs.mark_changed(top)
    for path in list(known.files)[:MAX_FOLDERS_AT_START]:
        inputs.adopt(path, known)


def is_current(directory: str) -> bool:
    """Return whether everything in `shared/` has been taken in."""
    known = load_folders(directory)
    return bool(known.files) and known.first_change() is None


def path_in_project(directory: str, *parts: str) -> str:
    """Return the path of a folder of `shared/` relative to the root."""
    return os.path.relpath(os.path.join(directory, SHARED_FOLDER, *parts), root_of(directory))


def _encode(name: str) -> str:
    """Return an id for the name of a file: lower case, and valid on every file system."""
    data = name.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _PLAIN else f"_{byte:02x}" for byte in data)


def is_writer(name: str) -> bool:
    """Return whether this can be the name of a clone."""
    return _WRITER_NAME.fullmatch(name) is not None


def digest_of(name: str) -> str:
    """Return the digest that replaces the id of an erased entry, which itself must not be kept."""
    return content_digest(name.encode("utf-8", "replace")).decode()


def line_of(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as it leaves this machine: a line of JSON without writer, secrets and private parts.

    None if it cannot be shared: its id is missing or too long, it is too large or nests too deeply.
    """
    if stored_line_of(entry) is None:
        return None  # redacting what is too large would take long, for nothing
    return _bounded_line(_redacted(entry))


def stored_line_of(entry: dict[str, Any]) -> bytes | None:
    """Return the line of an entry as it is stored, secrets included: to compare with, never to be sent."""
    name = text_of(entry, "id")
    if name is None or not isinstance(entry["id"], str) or len(name.encode("utf-8", "replace")) > LONGEST_ID:
        return None
    return _bounded_line({key: value for key, value in entry.items() if key != WRITER})


def entry_of(data: bytes, *, dated: bool = True) -> dict[str, Any] | str:
    """Return the entry in what another clone wrote, redacted and without a writer, or why there is none.

    `dated` requires a readable time.
    """
    if len(data) > LARGEST:
        return f"has more than {LARGEST >> 10} KiB"
    try:
        entry = _DECODER.decode(data.decode())
    except (ValueError, RecursionError):
        return "is not JSON in UTF-8"
    if is_deep(entry):
        return f"nests more than {MAX_NESTING} levels deep"
    faults = oddities(entry)
    if faults and not dated and isinstance(entry, dict):
        faults = oddities({**entry, "timestamp": 0})
    if faults:
        return f"is no entry: it {', '.join(faults)}"
    return _redacted(entry) if isinstance(entry["id"], str) else "is no entry: its id is no text"


def _redacted(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without writer and secrets; its id stays."""
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - patterns only if something is written

    redacted: dict[str, Any] = redact_value({key: value for key, value in entry.items() if key != WRITER})[0]
    return {**redacted, "id": entry["id"]}


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_float=finite, parse_constant=_refuse)


def _bounded_line(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as one line; None if it is too large or nests too deeply."""
    try:
        data = f"{json.dumps(entry, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:
        data = f"{json.dumps(entry)}\n".encode()  # half a surrogate pair has no UTF-8
    except RecursionError:
        return None
    return data if len(data) <= LARGEST else None
