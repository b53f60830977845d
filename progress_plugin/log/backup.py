"""The last good version outside the project, since `git clean -fdx` takes our directory with it (S1.5).

Each project has a folder in the user data directory: its log, and the months of its archive. It is kept as
long as it is written to, and for 30 days more.
"""

from __future__ import annotations

import os
import re
from binascii import crc32
from datetime import UTC, datetime, timedelta

from progress_plugin.core import atomic_file
from progress_plugin.core.directories import user_data
from progress_plugin.core.own_directory import root_of

LOG = "progress.json"
MONTHS = "archive"
_DAYS = 30
_LONGEST_NAME = 180
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600
_STAMP = r"\.\d{8}T\d{6}Z(?:-\d+)?"


def write(directory: str, data: bytes, now: datetime, *, months: bool) -> None:
    """Make `data` the copy of the log, copy the archive's months where `months` says that they have changed.

    Copies of projects that nobody has written to for 30 days go. Without a home there is no copy. Raises
    OSError or AgentProgressError where the disk refuses. Caller holds the lock.
    """
    folder = folder_of(directory)
    if folder is None:
        return
    is_new = not os.path.isdir(folder)
    os.makedirs(folder, mode=_PRIVATE_FOLDER, exist_ok=True)
    _put(os.path.join(folder, LOG), data)
    if months or is_new:
        _copy_months(os.path.join(directory, MONTHS), os.path.join(folder, MONTHS))
    if is_new:
        _forget_old(os.path.dirname(folder), now)


def set_aside(directory: str, now: datetime) -> None:
    """Keep the copies of a log that has vanished from being replaced by those of a new one."""
    folder = folder_of(directory)
    if folder is None or not os.path.isdir(folder):
        return
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside, number = f"{folder}.{stamp}", 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{folder}.{stamp}-{number}"
    try:
        os.rename(folder, aside)
    except OSError:
        return  # what may not be renamed there may not be replaced either


def logs(directory: str) -> list[str]:
    """Return the paths of the copies of this log, those of a vanished one first."""
    paths = [os.path.join(folder, LOG) for folder in _folders(directory)]
    return [path for path in paths if os.path.isfile(path)]


def months(directory: str) -> list[str]:
    """Return the paths of the copies of the archive's months, those of a vanished archive first."""
    folders = [os.path.join(folder, MONTHS) for folder in _folders(directory)]
    return [os.path.join(folder, name) for folder in folders for name in sorted(_listed(folder))]


def folder_of(directory: str) -> str | None:
    """Return where the copies of this project lie; None where there is no home."""
    data = user_data()
    if data is None:
        return None
    root = os.path.realpath(root_of(directory))
    name = root.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C").replace(":", "%3A")
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = f"{crc32(os.fsencode(root)):08x}-{crc32(os.fsencode(root[::-1])):08x}"
    return os.path.join(data, "logs", name)


def _folders(directory: str) -> list[str]:
    current = folder_of(directory)
    if current is None:
        return []
    above, name = os.path.split(current)
    # A glance first: every start asks, and next to no project has any.
    others = [other for other in sorted(_listed(above)) if other.startswith(f"{name}.")]
    asides = [other for other in others if re.fullmatch(_STAMP, other[len(name) :])]
    return [*(os.path.join(above, other) for other in asides), current]


def _put(path: str, data: bytes) -> None:
    if not os.path.exists(path):
        atomic_file.create_new(path, b"", _PRIVATE_FILE)
    atomic_file.replace(path, data, durable=False)


def _copy_months(source: str, target: str) -> None:
    names = [name for name in _listed(source) if re.fullmatch(r"\d{4}-\d\d\.json", name)]
    if names:
        os.makedirs(target, mode=_PRIVATE_FOLDER, exist_ok=True)
    for name in names:
        copy = os.path.join(target, name)
        data = (
            atomic_file.read(os.path.join(source, name))
            if _differs(os.path.join(source, name), copy)
            else None
        )
        if data is not None:
            _put(copy, data)


def _differs(source: str, copy: str) -> bool:
    try:
        theirs = os.stat(copy)
    except FileNotFoundError:
        return True
    ours = os.stat(source)
    return ours.st_size != theirs.st_size or ours.st_mtime_ns > theirs.st_mtime_ns


def _forget_old(above: str, now: datetime) -> None:
    import shutil  # noqa: PLC0415 - 6 ms, for the first write of a project alone

    oldest = now.timestamp() - timedelta(days=_DAYS).total_seconds()
    for name in _listed(above):
        folder = os.path.join(above, name)
        try:
            written = os.stat(os.path.join(folder, LOG)).st_mtime
        except OSError:
            continue  # not one of ours, or just being made
        if written < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
