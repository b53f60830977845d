"""What of `shared/` has been taken in: a record of each folder as it was then, in the start cache's format.

So a start finds with a stat per folder whether others' entries have come, and opens none that is known. It is
local, and made again where it is gone: entries that are in the log already are known by their ids.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.fast.start_cache import first_change, record_line, record_parts
from progress_plugin.core.files import write_atomic
from progress_plugin.core.version import SHARED_STATE_FORMAT
from progress_plugin.log.shared_entries import SHARED_FOLDER

STATE_FILE = "shared.state"
_HEAD = f"agent-progress shared {SHARED_STATE_FORMAT}".encode()
_MOST_LOOKED_AT = 250
"""Folders that every start looks at, the newest months first; the others are by whoever looks at all."""


def records(directory: str) -> list[bytes]:
    """Return the records of the folders as they were taken in; none where that is unknown."""
    try:
        lines = (data_directory.read(directory, STATE_FILE) or b"").split(b"\n")
    except BadInput:
        return []
    return [line for line in lines[1:] if _is_record(line)] if lines[0] == _HEAD else []


def for_start(directory: str) -> list[bytes]:
    """Return the records that a start compares; one that holds never where nothing was taken in yet."""
    if not data_directory.has_shared(directory):
        return [record_line("absent", "safe", (0, 0, 0), b"-", path_of(directory))]
    return records(directory)[:_MOST_LOOKED_AT] or [unknown(path_of(directory))]


def unknown(path: str) -> bytes:
    """Return a record of a folder that holds never: all of it is to be looked at."""
    return record_line("folder", "racy", (0, 0, 0), b"?", path)


def save(directory: str, lines: Iterable[bytes]) -> None:
    """Keep these records, the newest months first. Caller holds the lock. Raises as `write_atomic`."""
    ordered = sorted(lines, key=lambda line: os.path.basename(place(line)), reverse=True)
    ordered.sort(key=lambda line: place(line).count(os.sep))
    data = b"\n".join([_HEAD, *ordered, b""])
    path = os.path.join(directory, STATE_FILE)
    write_atomic(path, data, root=root_of(directory), durable=False)


def is_current(directory: str, lines: Sequence[bytes]) -> bool:
    """Return whether nothing has come or gone since these records were made."""
    return bool(lines) and first_change(list(lines), root_of(directory)) is None


def path_of(directory: str, *parts: str) -> str:
    """Return the path of a folder of `shared/` as records have it: from the root."""
    return os.path.relpath(os.path.join(directory, SHARED_FOLDER, *parts), root_of(directory))


def place(line: bytes) -> str:
    """Return the path that a record is about."""
    return record_parts(line)[6]


def _is_record(line: bytes) -> bool:
    """Return whether a line is a record of a folder below ours, since people and merges change files."""
    try:
        kind, _, size, mtime, ctime, _, path = record_parts(line)
        numbers = [int(size), int(mtime), int(ctime)]
    except ValueError:
        return False
    inside = path.startswith(os.path.join(".agent-os", "progress", SHARED_FOLDER)) and ".." not in path
    return inside and kind in (b"folder", b"absent", b"link") and min(numbers) >= 0
