"""Copies of the log, kept in case the present one is lost.

`recovery/` holds the last three versions and the newest of each of the last seven days. The user's data
directory holds the last version and the archive, since `git clean -fdx` takes our directory: there is a
folder for each path and project id.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from binascii import crc32
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of, subfolder
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import (
    create_new,
    find_unreadable,
    is_readable,
    list_inside,
    read_inside,
    write_atomic,
)
from progress_plugin.core.git import find_repository
from progress_plugin.core.paths import flat_name, make_private, user_data
from progress_plugin.log.archive import ARCHIVE_FOLDER, month_names, read_month
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import entry_identity
from progress_plugin.text.bounds import NAMED

RECOVERY_FOLDER = "recovery"
OUTSIDE_LOG = "progress.json"
PROJECT_FILE = "project.json"  # of a folder outside: root, and what marks its repository
_VANISHED = "original-vanished-"
_KEPT_VERSIONS = 3
_KEPT_DAYS = 7
_DAYS_AFTER_PROJECT = 30
_COPY = re.compile(r"progress-(\d{6,})-(\d{8})-([0-9a-f]{8})\.json")
_FOLDER_END = re.compile(r"(?:\.[0-9a-f]{16}|\.\d{8}T\d{6}Z(?:-\d+)?)?")  # an id; a time in earlier versions


class Copy(NamedTuple):
    """A copy of the log or of a month."""

    path: str
    log: Log


class Folders(NamedTuple):
    """The folders outside that are kept for a path, the newest last."""

    ours: list[str]
    unproven: list[str]  # they may be of another project that had this path


def project_id(log: Log) -> str | None:
    """Return the random id that a log was given by its first write."""
    stated = log.metadata.get("project_id")
    return stated if isinstance(stated, str) and re.fullmatch(r"[0-9a-f]{16}", stated) else None


def keep(directory: str, data: bytes, now: datetime) -> None:
    """Add a version to `recovery/` unless it is the newest there, and drop what is due.

    Many delete the folder as a cache, even meanwhile: it is made once more. Caller holds the lock. Raises
    OSError and AgentProgressError; the log itself is not in danger then.
    """
    try:
        _keep(directory, data, now)
    except (OSError, AgentProgressError) as error:
        if not isinstance(error.__cause__ or error, FileNotFoundError):
            raise
        _keep(directory, data, now)


def keep_original(directory: str, data: bytes, reason: str, now: datetime) -> str:
    """Put a version into `recovery/` for good, and return its path. Caller holds the lock."""
    folder = subfolder(directory, RECOVERY_FOLDER)
    name = f"original-{reason}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.json"
    return create_new(os.path.join(folder, name), data)


def set_aside_newest(directory: str, now: datetime) -> None:
    """Keep the newest version of a log that has vanished from being rotated away. Caller holds the lock."""
    versions = _versions(directory)
    if versions:
        folder = subfolder(directory, RECOVERY_FOLDER)
        name = f"{_VANISHED}{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.json"
        os.replace(os.path.join(folder, versions[-1][3]), os.path.join(folder, name))


def write_outside(directory: str, log: Log, *, with_months: bool, now: datetime) -> None:
    """Copy the log out of the project, and the archive if it has changed. Caller holds the lock.

    Without a home directory there is no copy. Raises OSError or AgentProgressError if the disk refuses.
    """
    place, name = _place(directory), project_id(log)
    if place is None or name is None or log.raw is None:
        return
    folder = f"{place}.{name}"
    is_new = not os.path.isdir(folder)
    if is_new:
        _forget_old(os.path.dirname(place), now)
        if os.path.isdir(place) and not _identities([_read_outside(place)]).isdisjoint(_identities([log])):
            os.rename(place, folder)  # written by a version without ids
    make_private(folder)
    _put(os.path.join(folder, OUTSIDE_LOG), log.raw)
    if is_new or len(_marks(_read_project_file(folder))) <= 1:  # before the first commit
        described = {"root": os.path.realpath(root_of(directory)), "marks": _repository_marks(directory)}
        _put(os.path.join(folder, PROJECT_FILE), json.dumps(described).encode())
    if is_new or with_months:
        _copy_months(directory, os.path.join(folder, ARCHIVE_FOLDER))


def newest_good(directory: str, damaged: Log) -> Copy | None:
    """Return the newest version that parses: those inside first, then those outside that are of this log."""
    inside = [Copy(path, _read_copy(directory, path)) for path in versions_inside(directory)]
    outside = [Copy(os.path.join(folder, OUTSIDE_LOG), _read_outside(folder))
               for folder in outside_folders(directory, damaged).ours]  # fmt: skip
    for copy in (*reversed(inside), *reversed(outside)):
        if copy.log.raw and not copy.log.damage and not copy.log.read_only:
            return copy
    return None


def find_vanished(directory: str, log: Log) -> list[Copy]:
    """Return copies that may hold entries which the log has lost as a whole: most projects have none.

    That is a version that was set aside, and a folder outside or the newest version with another project id.
    """
    if log.raw is None:
        good = newest_good(directory, log)
        return [good] if good else []
    inside = [path for path in versions_inside(directory) if os.path.basename(path).startswith(_VANISHED)]
    found = [Copy(path, _read_copy(directory, path)) for path in inside]
    versions = _versions(directory)
    if versions and versions[-1][2] != f"{crc32(log.raw):08x}" and not (log.damage or log.read_only):
        path = os.path.join(directory, RECOVERY_FOLDER, versions[-1][3])
        newest = Copy(path, _read_copy(directory, path))
        if project_id(newest.log) not in (None, project_id(log)):
            found.append(newest)
    others = _other_folders(directory, log)
    if others:
        ours = outside_folders(directory, log).ours
        found += [Copy(os.path.join(folder, OUTSIDE_LOG), _read_outside(folder))
                  for folder in others if folder in ours]  # fmt: skip
    return [copy for copy in found if copy.log.raw is not None]


def all_copies(directory: str, log: Log, *, adopt: bool = False) -> list[Copy]:
    """Return the copies of this log and its months, the newest last; with `adopt` all kept for its path."""
    folders = outside_folders(directory, log)
    outside = [path for folder in (*(folders.unproven if adopt else ()), *folders.ours)
               for path in files_outside(folder)]  # fmt: skip
    inside = [*corrupt_copies(directory), *versions_inside(directory)]
    return [
        *(Copy(path, parse(_read_private(path))) for path in outside),
        *(Copy(path, _read_copy(directory, path)) for path in inside),
    ]


def forget_contained(directory: str, log: Log, known: set[str]) -> None:
    """Remove copies of a vanished log of which every entry is known. Caller holds the lock."""
    for path in versions_inside(directory):
        if os.path.basename(path).startswith(_VANISHED):
            copy = _read_copy(directory, path)
            if copy.raw is not None and not copy.damage and _identities([copy]) <= known:
                os.unlink(path)
    ours = outside_folders(directory, log).ours
    for folder in _other_folders(directory, log):
        logs = [parse(_read_private(path)) for path in files_outside(folder)]
        is_read = all(each.raw is not None and not each.damage for each in logs)
        if folder in ours and is_read and _identities(logs) <= known:
            shutil.rmtree(folder, ignore_errors=True)


def versions_inside(directory: str) -> list[str]:
    """Return the paths of the versions in `recovery/`: originals first, then oldest to newest."""
    names = data_directory.names(directory, RECOVERY_FOLDER)
    originals = [name for name in names if name.startswith("original-")]
    versions = sorted((name for name in names if _COPY.fullmatch(name)), key=_number)
    return [os.path.join(directory, RECOVERY_FOLDER, name) for name in (*originals, *versions)]


def corrupt_copies(directory: str) -> list[str]:
    """Return the paths of the damaged originals that were kept aside, of the log and of months."""
    return [
        os.path.join(directory, folder, name)
        for folder in ("", ARCHIVE_FOLDER)
        for name in data_directory.names(directory, folder)
        if ".json.corrupt-" in name
    ]


def folders_of_path(directory: str) -> list[str]:
    """Return every folder outside that is kept for this path, whosever it is, the newest last."""
    place = _place(directory)
    if place is None:
        return []
    above, base = os.path.split(place)
    names = [name for name in list_inside(None, above)
             if name.startswith(base) and _FOLDER_END.fullmatch(name[len(base) :])]  # fmt: skip
    return sorted((os.path.join(above, name) for name in names), key=_time_written)


def outside_folders(directory: str, log: Log) -> Folders:
    """Return which folders outside are of this log.

    They have its project id, an entry that it or a copy inside has, or a mark of its repository.
    """
    found = Folders([], [])
    folders = folders_of_path(directory)
    if not folders:
        return found
    inside = [
        _read_copy(directory, path) for path in (*corrupt_copies(directory), *versions_inside(directory))
    ]
    months = [read_month(directory, name) for name in month_names(directory)]
    known = _identities([log, *inside, *months])
    ids = {project_id(each) for each in (log, *inside)} - {None}
    marks = set(_repository_marks(directory))
    for folder in reversed(folders):
        theirs = _identities(parse(_read_private(path)) for path in files_outside(folder))
        is_same_repository = not marks.isdisjoint(_marks(_read_project_file(folder)))
        if project_id(_read_outside(folder)) in ids or is_same_repository or not known.isdisjoint(theirs):
            known |= theirs
            found.ours.insert(0, folder)
        else:
            found.unproven.insert(0, folder)
    return found


def files_outside(folder: str) -> list[str]:
    """Return the paths of the copies in a folder outside: the months, then the log."""
    months = os.path.join(folder, ARCHIVE_FOLDER)
    paths = [
        *(os.path.join(months, name) for name in list_inside(None, months)),
        os.path.join(folder, OUTSIDE_LOG),
    ]
    return [path for path in paths if os.path.isfile(path)]


def folders_of_other_paths(directory: str) -> list[str]:
    """Return the folders outside that are kept for other paths, whosever they are."""
    place = _place(directory)
    if place is None:
        return []
    above = os.path.dirname(place)
    found = [os.path.join(above, name) for name in list_inside(None, above)]
    return [folder for folder in found if folder not in folders_of_path(directory)]


def unreadable(directory: str) -> dict[str, str]:
    """Return what is in the place of a copy and cannot be read, a few of many, each with a sentence."""
    root = root_of(directory)
    inside = [
        os.path.relpath(path, root) for path in (*corrupt_copies(directory), *versions_inside(directory))
    ]
    outside = [os.path.join(folder, OUTSIDE_LOG) for folder in folders_of_path(directory)]
    found = find_unreadable(root, inside) | find_unreadable(None, outside)
    return dict(list(found.items())[:NAMED])


def _keep(directory: str, data: bytes, now: datetime) -> None:
    folder = subfolder(directory, RECOVERY_FOLDER)
    versions = _versions(directory)
    check = f"{crc32(data):08x}"
    if versions and versions[-1][2] == check:
        return
    number = versions[-1][0] + 1 if versions else 1
    today = now.astimezone(UTC)
    name = f"progress-{number:06d}-{today:%Y%m%d}-{check}.json"
    write_atomic(os.path.join(folder, name), data, root=root_of(directory), durable=False)
    versions.append((number, f"{today:%Y%m%d}", check, name))
    first = f"{today - timedelta(days=_KEPT_DAYS - 1):%Y%m%d}"
    of_days = {day: name for _, day, _, name in versions if day >= first}
    kept = {name for *_, name in versions[-_KEPT_VERSIONS:]} | set(of_days.values())
    for *_, old in versions:
        if old not in kept:
            os.unlink(os.path.join(folder, old))


def _versions(directory: str) -> list[tuple[int, str, str, str]]:
    """Return (number, day, checksum, name) of each version that can be read, oldest first."""
    folder = os.path.join(directory, RECOVERY_FOLDER)
    matches = [(match, name) for name in data_directory.names(directory, RECOVERY_FOLDER)
               if (match := _COPY.fullmatch(name)) and is_readable(os.path.join(folder, name))]  # fmt: skip
    return sorted((int(match[1]), match[2], match[3], name) for match, name in matches)


def _number(name: str) -> int:
    match = _COPY.fullmatch(name)
    return int(match[1]) if match else 0


def _place(directory: str) -> str | None:
    """Return the beginning of the paths of this project's folders outside; None without a home directory."""
    data = user_data()
    return os.path.join(data, "logs", flat_name(os.path.realpath(root_of(directory)))) if data else None


def _other_folders(directory: str, log: Log) -> list[str]:
    end = f".{project_id(log)}"
    return [folder for folder in folders_of_path(directory) if not folder.endswith(end)]


def _identities(logs: Iterable[Log]) -> set[str]:
    return {entry_identity(item) for log in logs for item in log.entries}


def _repository_marks(directory: str) -> list[str]:
    """Return what tells the repository from others: a mark of it on this disk, then its first commits."""
    root = root_of(directory)
    repository = find_repository(root)
    if repository is None:
        return []
    output = repository.run(["rev-list", "--max-parents=0", "HEAD"], root) or b""
    return [*filter(None, [repository.identity()]), *output.decode("ascii", "replace").split()]


def _marks(project: dict[str, Any]) -> list[str]:
    stated = project.get("marks")
    return [str(each) for each in stated] if isinstance(stated, list) else []


def _read_copy(directory: str, path: str) -> Log:
    return parse(
        data_directory.read_copy(directory, os.path.relpath(path, directory)), os.path.basename(path)
    )


def _read_outside(folder: str) -> Log:
    return parse(_read_private(os.path.join(folder, OUTSIDE_LOG)))


def read_file(path: str) -> Log:
    """Return a copy outside; empty if it cannot be read."""
    return parse(_read_private(path))


def _read_private(path: str) -> bytes | None:
    try:
        return read_inside(None, path)
    except BadInput:
        return None


def _read_project_file(folder: str) -> dict[str, Any]:
    try:
        value = json.loads(_read_private(os.path.join(folder, PROJECT_FILE)) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _time_written(folder: str) -> tuple[float, str]:
    try:
        return os.stat(os.path.join(folder, OUTSIDE_LOG)).st_mtime, folder
    except OSError:
        return 0.0, folder


def _copy_months(directory: str, target: str) -> None:
    names = month_names(directory)
    if names:
        make_private(target)
    for name in names:
        data = data_directory.read(directory, f"{ARCHIVE_FOLDER}/{name}")
        copy = os.path.join(target, name)
        if data is not None and data != _read_private(copy):
            _put(copy, data)


def _put(path: str, data: bytes) -> None:
    write_atomic(path, data, durable=False, private=True)


def _forget_old(above: str, now: datetime) -> None:
    """Remove the copies of projects that are gone and were not written to for 30 days."""
    oldest = (now - timedelta(days=_DAYS_AFTER_PROJECT)).timestamp()
    for name in list_inside(None, above):
        folder = os.path.join(above, name)
        root = _read_project_file(folder).get("root")
        if isinstance(root, str) and not os.path.exists(root) and _time_written(folder)[0] < oldest:
            shutil.rmtree(folder, ignore_errors=True)
