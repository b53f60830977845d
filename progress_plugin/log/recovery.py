"""Earlier versions of the log, kept in case the present one is lost (S1.5, S1.8).

`recovery/` beside the log holds the last three versions written and the newest of each of the last seven
days; `backup` keeps one outside the project as well.
"""

from __future__ import annotations

import os
import re
from binascii import crc32
from datetime import UTC, datetime, timedelta

from progress_plugin.core import atomic_file
from progress_plugin.core.own_directory import root_of, subfolder
from progress_plugin.log import backup
from progress_plugin.log.document import Log, parse
from progress_plugin.log.salvage import identity

FOLDER = "recovery"
_VERSIONS = 3
_DAYS = 7
_VANISHED, _RETURNED = "original-vanished-", "original-returned-"
_MARK = ".returned"
"""Stands beside a copy outside whose entries `repair` has brought back."""
_COPY = re.compile(r"progress-(\d{6,})-(\d{8})-([0-9a-f]{8})\.json")


def keep(directory: str, data: bytes, now: datetime) -> None:
    """Add a version to `recovery/` unless it is the newest there, drop what is due. Caller holds the lock."""
    folder = subfolder(directory, FOLDER)
    copies = _copies(folder)
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
    folder = os.path.join(directory, FOLDER)
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    copies = _copies(folder)
    if copies:
        folder = subfolder(directory, FOLDER)
        newest = os.path.join(folder, copies[-1][3])
        os.replace(newest, os.path.join(folder, f"{_VANISHED}{stamp}.json"))
    backup.set_aside(directory, now)


def vanished(directory: str, log: Log) -> str | None:
    """Return a line about the history that only copies hold, since log or directory were removed; else None.

    `log` is the one that stands there now, empty or begun anew. It is told until `repair` has brought the
    history back; whoever wants it no more removes the copies, which `verify` names.
    """
    if log.raw is None:
        good = newest_good(directory)
        copies = [good[0]] if good else []
    else:
        copies = [parse(atomic_file.read(path), os.path.basename(path)) for path in _given_up(directory)]
    here = {identity(item) for item in log.items}
    gone = {identity(item) for copy in copies for item in copy.items} - here
    number = len(gone) + (max(map(_archived, copies)) if gone else 0)
    if not gone:
        return None
    told = "1 entry" if number == 1 else f"{number:,} entries"
    return f"a history of {told} is gone from here; `agent-progress repair` brings it back"


def brought_back(directory: str) -> None:
    """Note that the log holds what the copies of vanished ones hold. Caller holds the lock."""
    for path in _given_up(directory):
        folder, name = os.path.split(path)
        if folder == os.path.join(directory, FOLDER):
            os.replace(path, os.path.join(folder, name.replace(_VANISHED, _RETURNED, 1)))
        else:
            atomic_file.replace(path + _MARK, b"", durable=False)


def _given_up(directory: str) -> list[str]:
    """Return the copies of vanished logs that were not brought back yet."""
    current = backup.folder_of(directory)
    outside = [path for path in backup.logs(directory) if os.path.dirname(path) != current]
    folder = os.path.join(directory, FOLDER)
    inside = [os.path.join(folder, name) for name in sorted(_listed(folder)) if name.startswith(_VANISHED)]
    return [*(path for path in outside if not os.path.exists(path + _MARK)), *inside]


def _archived(copy: Log) -> int:
    """Return how many entries more a log had in its archive, as it said itself."""
    stated = copy.document.get("metadata")
    number = stated.get("archived_entries") if isinstance(stated, dict) else 0
    return number if isinstance(number, int) else 0


def newest_good(directory: str) -> tuple[Log, str] | None:
    """Return the newest version that parses, and its path; None where there is none."""
    for path in reversed(versions(directory)):
        log = parse(atomic_file.read(path), os.path.basename(path))
        if log.raw and not log.damage and not log.read_only:
            return log, path
    return None


def versions(directory: str) -> list[str]:
    """Return the paths of all copies of this log: vanished and outside ones first, then oldest to newest."""
    folder = os.path.join(directory, FOLDER)
    names = [copy[3] for copy in _copies(folder)]
    originals = sorted(name for name in _listed(folder) if name.startswith("original-"))
    inside = [os.path.join(folder, name) for name in (*originals, *names)]
    return [*backup.logs(directory), *inside]


def all_copies(directory: str) -> list[str]:
    """Return every file but log and archive that holds entries of this project, the newest version last.

    Whoever erases something has to look into all of them (S1.10).
    """
    return [*corrupt_copies(directory), *backup.months(directory), *versions(directory)]


def corrupt_copies(directory: str) -> list[str]:
    """Return the paths of the damaged originals that were kept aside, of the log and of months (S1.8)."""
    found = []
    for folder in (directory, os.path.join(directory, "archive")):
        found += [os.path.join(folder, name) for name in sorted(_listed(folder)) if ".json.corrupt-" in name]
    return found


def _copies(folder: str) -> list[tuple[int, str, str, str]]:
    """Return (number, day, checksum, name) of each version, oldest first."""
    found = [(match, name) for name in _listed(folder) if (match := _COPY.fullmatch(name))]
    return sorted((int(match[1]), match[2], match[3], name) for match, name in found)


def _superfluous(copies: list[tuple[int, str, str, str]], now: datetime) -> list[str]:
    first = (now.astimezone(UTC) - timedelta(days=_DAYS - 1)).strftime("%Y%m%d")
    newest_of_day = {day: name for _, day, _, name in copies if day >= first}
    kept = {name for _, _, _, name in copies[-_VERSIONS:]} | set(newest_of_day.values())
    return [name for _, _, _, name in copies if name not in kept]


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
