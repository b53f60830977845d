"""Earlier versions of the log, kept in case the present one is lost (S1.5, S1.8).

`recovery/` beside the log holds the last three versions written and the newest of each of the last seven
days; `backup` keeps one outside the project as well.
"""

from __future__ import annotations

import os
import re
from binascii import crc32
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from progress_plugin.core import atomic_file, own_directory
from progress_plugin.core.own_directory import root_of, subfolder
from progress_plugin.log import backup
from progress_plugin.log.document import Log, parse

if TYPE_CHECKING:
    from progress_plugin.log.belonging import Copies

FOLDER = "recovery"
_VERSIONS = 3
_DAYS = 7
_COPY = re.compile(r"progress-(\d{6,})-(\d{8})-([0-9a-f]{8})\.json")


def keep(directory: str, data: bytes, now: datetime) -> None:
    """Add a version to `recovery/` unless it is the newest there, drop what is due. Caller holds the lock."""
    folder = subfolder(directory, FOLDER)
    copies = _copies(directory)
    check = f"{crc32(data):08x}"
    if copies and copies[-1][2] == check:
        return
    number = copies[-1][0] + 1 if copies else 1
    day = now.astimezone(UTC).strftime("%Y%m%d")
    name = f"progress-{number:06d}-{day}-{check}.json"
    atomic_file.replace(os.path.join(folder, name), data, root=root_of(directory), durable=False)
    for copy in _superfluous([*copies, (number, day, check, name)], now):
        os.unlink(os.path.join(folder, copy))


def keep_original(directory: str, data: bytes, reason: str, now: datetime) -> str:
    """Put a version into `recovery/` for good, and return its path. Caller holds the lock."""
    folder = subfolder(directory, FOLDER)
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    return atomic_file.create_new(os.path.join(folder, f"original-{reason}-{stamp}.json"), data)


def set_aside(directory: str, now: datetime) -> None:
    """Protect the copies of a log that has vanished from being replaced by those of a new one.

    Caller holds the lock.
    """
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    copies = _copies(directory)
    if copies:
        folder = subfolder(directory, FOLDER)
        newest = os.path.join(folder, copies[-1][3])
        os.replace(newest, os.path.join(folder, f"original-vanished-{stamp}.json"))
    backup.set_aside(directory, now)


def newest_good(directory: str, damaged: Log) -> tuple[Log, str] | None:
    """Return the newest version that parses, and its path; None where there is none.

    Copies outside are asked last, and only those that are shown to be of this log, by what is left of it.
    """
    inside = versions(directory)
    for path in reversed(inside):
        log = parse(_read(directory, path), os.path.basename(path))
        if _is_good(log):
            return log, path
    for folder in reversed(_kept(directory, damaged, inside).ours):
        path = os.path.join(folder, backup.LOG)
        log = parse(backup.read(path), os.path.basename(path))
        if _is_good(log):
            return log, path
    return None


def versions(directory: str) -> list[str]:
    """Return the paths of the copies in our directory: vanished ones first, then oldest to newest."""
    folder = os.path.join(directory, FOLDER)
    names = [copy[3] for copy in _copies(directory)]
    originals = [name for name in own_directory.names(directory, FOLDER) if name.startswith("original-")]
    return [os.path.join(folder, name) for name in (*originals, *names)]


def all_copies(directory: str) -> list[str]:
    """Return every file but log and archive that holds entries of this path, the newest version last.

    Whoever erases something has to look into all of them (S1.10).
    """
    outside = [path for folder in backup.folders(directory) for path in backup.files(folder)]
    return [*corrupt_copies(directory), *outside, *versions(directory)]


def own_copies(directory: str, log: Log, *, adopt: bool = False) -> list[tuple[str, Log]]:
    """Return the copies of this log with their paths, the newest last; with `adopt` all kept for its path."""
    inside = [*corrupt_copies(directory), *versions(directory)]
    kept = _kept(directory, log, inside)
    outside = [path for folder in kept.ours for path in backup.files(folder)]
    outside += [path for folder in kept.unproven if adopt for path in backup.files(folder)]
    return [
        *((path, parse(backup.read(path))) for path in outside),
        *((path, parse(_read(directory, path))) for path in inside),
    ]


def unproven(directory: str, log: Log) -> list[tuple[str, int]]:
    """Return the folders with copies that nothing shows to be of this log, and how many entries each has."""
    kept = _kept(directory, log, [*corrupt_copies(directory), *versions(directory)])
    numbers = [
        (folder, sum(len(parse(backup.read(path)).items) for path in backup.files(folder)))
        for folder in kept.unproven
    ]
    return [(folder, number) for folder, number in numbers if number]


def corrupt_copies(directory: str) -> list[str]:
    """Return the paths of the damaged originals that were kept aside, of the log and of months (S1.8)."""
    return [
        os.path.join(directory, folder, name)
        for folder in ("", "archive")
        for name in own_directory.names(directory, folder)
        if ".json.corrupt-" in name
    ]


def _kept(directory: str, log: Log, inside: Iterable[str]) -> Copies:
    from progress_plugin.log import belonging  # noqa: PLC0415 - an append asks for no copy

    return belonging.copies(directory, log.items, inside)


def _read(directory: str, path: str) -> bytes | None:
    return own_directory.read(directory, os.path.relpath(path, directory))


def _is_good(log: Log) -> bool:
    return bool(log.raw) and not log.damage and not log.read_only


def _copies(directory: str) -> list[tuple[int, str, str, str]]:
    """Return (number, day, checksum, name) of each version, oldest first."""
    names = own_directory.names(directory, FOLDER)
    found = [(match, name) for name in names if (match := _COPY.fullmatch(name))]
    return sorted((int(match[1]), match[2], match[3], name) for match, name in found)


def _superfluous(copies: list[tuple[int, str, str, str]], now: datetime) -> list[str]:
    first = (now.astimezone(UTC) - timedelta(days=_DAYS - 1)).strftime("%Y%m%d")
    newest_of_day = {day: name for _, day, _, name in copies if day >= first}
    kept = {name for _, _, _, name in copies[-_VERSIONS:]} | set(newest_of_day.values())
    return [name for _, _, _, name in copies if name not in kept]
