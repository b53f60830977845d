"""Earlier versions of the log, kept in case the present one is lost.

`recovery/` beside the log holds the last three versions written and the newest of each of the last seven
days; `log.outside_copies` keeps one outside the project as well.

A damaged log is filled up from here when it is read (`log.store`); a log that is gone is only told of
(`vanished`) until `log.repair` brings it back.
"""

from __future__ import annotations

import os
from binascii import crc32
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of, subfolder
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import create_new, find_unreadable, is_readable, write_atomic
from progress_plugin.log import outside_copies
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import entry_identity
from progress_plugin.text.bounds import NAMED, counted
from progress_plugin.text.patterns import LazyPattern

if TYPE_CHECKING:
    from progress_plugin.log.outside_copy_owner import Copies

RECOVERY_FOLDER = "recovery"
_VERSIONS = 3
_DAYS = 7
_VANISHED, _RETURNED = "original-vanished-", "original-returned-"
_MARK = ".returned"
"""Marks a copy outside whose entries `repair` has brought back."""
_SEEN = f"{RECOVERY_FOLDER}/seen"
"""Checksum of a log that another program wrote, and that lacks nothing which is ours to bring back."""
_COPY = LazyPattern(r"progress-(\d{6,})-(\d{8})-([0-9a-f]{8})\.json")


def keep(directory: str, data: bytes, now: datetime) -> None:
    """Add a version to `recovery/` unless it is the newest there, drop what is due. Caller holds the lock.

    The folder may be deleted meanwhile, since to many it is a cache: it is made once more. Raises OSError and
    AgentProgressError where the version cannot be kept; the log itself is not in danger then.
    """
    try:
        _keep(directory, data, now)
    except (OSError, AgentProgressError) as error:
        if not isinstance(error.__cause__ or error, FileNotFoundError):
            raise
        _keep(directory, data, now)


def _keep(directory: str, data: bytes, now: datetime) -> None:
    folder = subfolder(directory, RECOVERY_FOLDER)
    copies = _copies(directory)
    check = f"{crc32(data):08x}"
    if copies and copies[-1][2] == check:
        return
    number = copies[-1][0] + 1 if copies else 1
    day = now.astimezone(UTC).strftime("%Y%m%d")
    name = f"progress-{number:06d}-{day}-{check}.json"
    write_atomic(os.path.join(folder, name), data, root=root_of(directory), durable=False)
    for copy in _superfluous([*copies, (number, day, check, name)], now):
        os.unlink(os.path.join(folder, copy))


def is_last_written(directory: str, data: bytes) -> bool:
    """Return whether these bytes are what we wrote last, or have looked at since; so, too, without copies."""
    copies, check = _copies(directory), f"{crc32(data):08x}"
    if not copies or copies[-1][2] == check:
        return True
    return data_directory.read_copy(directory, _SEEN) == check.encode()


def note_seen(directory: str, data: bytes) -> None:
    """Note that what somebody else has written was looked at. Caller holds the lock.

    It is no version of ours: kept as one it would have a good one dropped.
    """
    place = os.path.join(directory, _SEEN)
    write_atomic(place, f"{crc32(data):08x}".encode(), root=root_of(directory), durable=False)


def keep_original(directory: str, data: bytes, reason: str, now: datetime) -> str:
    """Put a version into `recovery/` for good, and return its path. Caller holds the lock."""
    folder = subfolder(directory, RECOVERY_FOLDER)
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    return create_new(os.path.join(folder, f"original-{reason}-{stamp}.json"), data)


def set_aside(directory: str, now: datetime) -> None:
    """Protect the copies of a log that has vanished from being replaced by those of a new one.

    Caller holds the lock.
    """
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    copies = _copies(directory)
    if copies:
        folder = subfolder(directory, RECOVERY_FOLDER)
        newest = os.path.join(folder, copies[-1][3])
        os.replace(newest, os.path.join(folder, f"{_VANISHED}{stamp}.json"))
    outside_copies.set_aside(directory, now)


def vanished(directory: str, log: Log) -> str | None:
    """Return a line about the history that only copies hold, since log or directory were removed; else None.

    `log` is the one that is there now, empty or begun anew. What is known to be of this log is named until
    `repair` has brought it back; whoever wants it no more removes the copies, which `verify` names. Copies
    that nothing shows to be of this log are mentioned until another one is begun here.
    """
    if log.raw is None:
        good = newest_good(directory, log)
        copies = [good[0]] if good else []
    else:
        copies = list(_given_up(directory, log).values())
    gone = {entry_identity(item) for copy in copies for item in copy.items}
    if gone:  # every start asks, and next to no project has any
        gone -= {entry_identity(item) for item in log.items}
    if gone:
        for copy in copies:
            copy.items = _not_erased(directory, copy.items)
        gone &= {entry_identity(item) for copy in copies for item in copy.items}
    # A log of which all has been archived holds nothing itself, and is gone with its archive all the same.
    if gone or any(_archived(copy) for copy in copies if not copy.items):
        number = counted(len(gone) + max(map(_archived, copies)), "entry")
        return f"a history of {number} is gone from here; `agent-progress repair` brings it back"
    if log.raw is None:
        foreign = sum(number for _, number in unproven(directory, log))
        if foreign:
            told = f"copies kept for this path hold {counted(foreign, 'entry')}"
            told += ", and nothing shows that they were this project's"
            return f"{told}; `agent-progress verify` names them"
    return None


def brought_back(directory: str, log: Log) -> None:
    """Note that the log holds what the copies of vanished ones hold. Caller holds the lock."""
    for path in _given_up(directory, log):
        folder, name = os.path.split(path)
        if folder == os.path.join(directory, RECOVERY_FOLDER):
            os.replace(path, os.path.join(folder, name.replace(_VANISHED, _RETURNED, 1)))
        else:
            write_atomic(path + _MARK, b"", durable=False)


def _given_up(directory: str, log: Log) -> dict[str, Log]:
    """Return the copies of vanished logs that were not brought back yet, by path, as far as they are ours."""
    inside = [path for path in versions(directory) if os.path.basename(path).startswith(_VANISHED)]
    current = outside_copies.folder_of(directory)
    asides = [folder for folder in outside_copies.folders(directory) if folder != current]
    logs = [os.path.join(folder, outside_copies.LOG) for folder in asides]
    outside = {path for path in logs if os.path.isfile(path) and not os.path.exists(path + _MARK)}
    if outside:  # a quick look first, as above
        ours = _kept(directory, log, [*corrupt_copies(directory), *versions(directory)]).ours
        outside &= {os.path.join(folder, outside_copies.LOG) for folder in ours}
    found = {
        **{path: parse(outside_copies.read(path)) for path in sorted(outside)},
        **{path: parse(_read(directory, path)) for path in inside},
    }
    return {path: copy for path, copy in found.items() if copy.raw is not None}


def _archived(copy: Log) -> int:
    """Return how many entries more a log had in its archive, as it said itself."""
    stated = copy.document.get("metadata")
    number = stated.get("archived_entries") if isinstance(stated, dict) else 0
    return number if isinstance(number, int) else 0


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
        path = os.path.join(folder, outside_copies.LOG)
        log = parse(outside_copies.read(path), os.path.basename(path))
        if _is_good(log):
            return log, path
    return None


def versions(directory: str) -> list[str]:
    """Return the paths of the copies in our directory: vanished ones first, then oldest to newest."""
    folder = os.path.join(directory, RECOVERY_FOLDER)
    names = [copy[3] for copy in _named(directory)]
    originals = [
        name for name in data_directory.names(directory, RECOVERY_FOLDER) if name.startswith("original-")
    ]
    return [os.path.join(folder, name) for name in (*originals, *names)]


def unreadable(directory: str) -> dict[str, str]:
    """Return what stands in the places of copies and cannot be read, a few of many, each with a sentence.

    Every reader of copies passes it over, so it must not go unnoticed.
    """
    root = root_of(directory)
    inside = [os.path.relpath(path, root) for path in (*corrupt_copies(directory), *versions(directory))]
    outside = [os.path.join(folder, outside_copies.LOG) for folder in outside_copies.folders(directory)]
    odd = find_unreadable(root, inside) | find_unreadable(None, outside)
    return dict(list(odd.items())[:NAMED])


def own_copies(directory: str, log: Log, *, adopt: bool = False) -> list[tuple[str, Log]]:
    """Return the copies of this log with their paths, the newest last; with `adopt` all kept for its path."""
    inside = [*corrupt_copies(directory), *versions(directory)]
    kept = _kept(directory, log, inside)
    outside = [path for folder in kept.ours for path in outside_copies.files(folder)]
    outside += [path for folder in kept.unproven if adopt for path in outside_copies.files(folder)]
    return [
        *((path, parse(outside_copies.read(path))) for path in outside),
        *((path, parse(_read(directory, path))) for path in inside),
    ]


def unproven(directory: str, log: Log) -> list[tuple[str, int]]:
    """Return the folders with copies that nothing shows to be of this log, and how many entries each has."""
    kept = _kept(directory, log, [*corrupt_copies(directory), *versions(directory)])
    numbers = [
        (folder, sum(_remaining(directory, path) for path in outside_copies.files(folder)))
        for folder in kept.unproven
    ]
    return [(folder, number) for folder, number in numbers if number]


def corrupt_copies(directory: str) -> list[str]:
    """Return the paths of the damaged originals that were kept aside, of the log and of months."""
    return [
        os.path.join(directory, folder, name)
        for folder in ("", "archive")
        for name in data_directory.names(directory, folder)
        if ".json.corrupt-" in name
    ]


def _kept(directory: str, log: Log, inside: Iterable[str]) -> Copies:
    from progress_plugin.log import outside_copy_owner  # noqa: PLC0415 - an append asks for no copy

    return outside_copy_owner.copies(directory, log.items, inside)


def _remaining(directory: str, path: str) -> int:
    """Return how many entries a copy outside has, without those that are known as erased."""
    return len(_not_erased(directory, parse(outside_copies.read(path)).items))


def _not_erased(directory: str, items: list[Any]) -> list[Any]:
    from progress_plugin.log import known_erasures  # noqa: PLC0415 - as above; it reads logs itself

    return known_erasures.without(directory, items)


def _read(directory: str, path: str) -> bytes | None:
    return data_directory.read_copy(directory, os.path.relpath(path, directory))


def _is_good(log: Log) -> bool:
    return bool(log.raw) and not log.damage and not log.read_only


def _copies(directory: str) -> list[tuple[int, str, str, str]]:
    """Return (number, day, checksum, name) of each version that can be read, oldest first."""
    folder = os.path.join(directory, RECOVERY_FOLDER)
    return [copy for copy in _named(directory) if is_readable(os.path.join(folder, copy[3]))]


def _named(directory: str) -> list[tuple[int, str, str, str]]:
    """Return the same of everything that has a version's name."""
    names = data_directory.names(directory, RECOVERY_FOLDER)
    found = [(match, name) for name in names if (match := _COPY.fullmatch(name))]
    return sorted((int(match[1]), match[2], match[3], name) for match, name in found)


def _superfluous(copies: list[tuple[int, str, str, str]], now: datetime) -> list[str]:
    first = (now.astimezone(UTC) - timedelta(days=_DAYS - 1)).strftime("%Y%m%d")
    newest_of_day = {day: name for _, day, _, name in copies if day >= first}
    kept = {name for _, _, _, name in copies[-_VERSIONS:]} | set(newest_of_day.values())
    return [name for _, _, _, name in copies if name not in kept]
