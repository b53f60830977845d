"""The last good version outside the project, since `git clean -fdx` takes our directory with it.

Each path has a folder in the user data directory: the log, the months of its archive, and marks of the
project that it was written for (`log.outside_copy_owner`). It is kept as long as it is written to, and for 30
days more. These folders are the user's own, so nothing a project brings is read here.
"""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import DATA_DIRECTORY, root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import list_inside, read_inside, write_atomic
from progress_plugin.core.git import find_repository
from progress_plugin.core.paths import flat_name, make_private, user_data
from progress_plugin.log.document import parse
from progress_plugin.log.entry import entry_identity
from progress_plugin.text.patterns import LazyPattern

LOG = "progress.json"
MONTHS = "archive"
MARKS_FILE = "marks"
"""A word per line, the newest last: seals of our directory and of the repository, commits checked out."""
ERASED_FILE = "erased"
"""A line per entry that is known as erased: a digest of its id, and whose it is where others say so."""
_MOST_ERASED = 20_000
"""Lines of others that are kept, the first noted: whoever may push could say as many as they like."""
_MOST_MARKS = 20
_DAYS = 30
"""How long a copy is kept after it was last written to."""
_MONTH = LazyPattern(r"\d{4}-\d\d\.json")
_STAMP = LazyPattern(r"\.\d{8}T\d{6}Z(?:-\d+)?")


def directory_mark(root: str) -> bytes | None:
    """Return what tells our directory in the project at `root` from every copy of it; None if it is not made.

    It is made of the numbers of two files and the time at which one got its place: no copy can have the same.
    """
    try:
        place, status = os.stat(root), os.lstat(os.path.join(root, DATA_DIRECTORY, ".gitignore"))
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return b"%d.%d.%d" % (place.st_ino, status.st_ino, status.st_ctime_ns)


def write(  # noqa: PLR0913 - what a copy is known by
    directory: str,
    data: bytes,
    now: datetime,
    *,
    months: bool,
    before: bytes | None = None,
    commit: str | None = None,
) -> None:
    """Make `data` the copy of the log, copy the archive's months where `months` says that they have changed.

    `before` is what the log held: a copy of something else is another project's, and is set aside. `commit`
    is what is checked out: it marks the project, and the caller has read it before it took the lock. Copies
    of projects that nobody has written to for 30 days go. Without a home there is no copy. Raises OSError or
    AgentProgressError where the disk refuses. Caller holds the lock.
    """
    folder = folder_of(directory)
    if folder is None:
        return
    if os.path.isdir(folder) and not _is_of(folder, directory, data, before):
        set_aside(directory, now)
    is_new = not os.path.isdir(folder)
    make_private(folder)
    _put(os.path.join(folder, LOG), data)
    _note_marks(folder, directory, commit)
    if months or is_new:
        _copy_months(directory, os.path.join(folder, MONTHS))
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


def folders(directory: str) -> list[str]:
    """Return every folder of copies kept for this path, those of a vanished log first, whosever they are."""
    current = folder_of(directory)
    if current is None:
        return []
    above, name = os.path.split(current)
    asides = [
        other for other in _listed(above) if other.startswith(name) and _STAMP.fullmatch(other[len(name) :])
    ]
    return [
        os.path.join(above, other) for other in (*asides, name) if os.path.isdir(os.path.join(above, other))
    ]


def files(folder: str) -> list[str]:
    """Return the paths of the copies in a folder: the months, then the log."""
    months = os.path.join(folder, MONTHS)
    paths = [*(os.path.join(months, name) for name in _listed(months)), os.path.join(folder, LOG)]
    return [path for path in paths if os.path.isfile(path)]


def read(path: str) -> bytes | None:
    """Return the content of a copy; None also for what cannot be read, as `data_directory.read_copy`."""
    try:
        return read_inside(None, path)
    except BadInput:
        return None


def marks(folder: str) -> list[str]:
    """Return what marks the project that the copies in a folder were written for, the newest last."""
    return (read(os.path.join(folder, MARKS_FILE)) or b"").decode("ascii", "replace").split()


def erased(directory: str) -> tuple[set[str], set[tuple[str, str]]]:
    """Return what is noted beside the copies of this path: what was erased here, and what others say."""
    own: set[str] = set()
    others: set[tuple[str, str]] = set()
    for folder in folders(directory):
        for line in (read(os.path.join(folder, ERASED_FILE)) or b"").decode("ascii", "replace").splitlines():
            match line.split():
                case [digest]:
                    own.add(digest)
                case [digest, writer]:
                    others.add((digest, writer))
    return own, others


def note_erased(directory: str, own: set[str], others: set[tuple[str, str]]) -> None:
    """Note that beside the copies, if there are any. Caller holds the lock. Raises as `_put`."""
    folder = folder_of(directory)
    if folder is None or not (own or others) or not os.path.isdir(folder):
        return
    known, noted = erased(directory)
    if own <= known and others <= noted:
        return
    said = [*sorted(noted), *sorted(others - noted)][:_MOST_ERASED]
    lines = [*sorted(known | own), *(" ".join(each) for each in said)]
    _put(os.path.join(folder, ERASED_FILE), "".join(f"{line}\n" for line in lines).encode())


def of_other_paths(directory: str) -> list[str]:
    """Return every folder with copies that is kept for another path: a project that was moved leaves its."""
    current = folder_of(directory)
    if current is None:
        return []
    own, above = folders(directory), os.path.dirname(current)
    found = [os.path.join(above, name) for name in _listed(above)]
    return [folder for folder in found if folder not in own and os.path.isdir(folder)]


def folder_of(directory: str) -> str | None:
    """Return where the copies of this project lie; None where there is no home."""
    data = user_data()
    if data is None:
        return None
    root = os.path.realpath(root_of(directory))
    return os.path.join(data, "logs", flat_name(root))


def _is_of(folder: str, directory: str, data: bytes, before: bytes | None) -> bool:
    """Return whether the copy in a folder is an earlier version of the log that `data` is now.

    Nearly always it is as long as what the log held before; else the mark of our directory, or one entry that
    both have, is enough.
    """
    path = os.path.join(folder, LOG)
    try:
        if before is not None and os.stat(path).st_size == len(before):
            return True
    except OSError:
        return True  # there is no copy yet
    if (directory_mark(root_of(directory)) or b"none").decode() in marks(folder):
        return True
    copy = read(path)
    if copy is None:
        return False  # nobody can say whose it is
    theirs = {entry_identity(item) for item in parse(copy).items}
    return not theirs or not theirs.isdisjoint(entry_identity(item) for item in parse(data).items)


def _note_marks(folder: str, directory: str, commit: str | None) -> None:
    root = root_of(directory)
    repository = find_repository(root)
    present = [(directory_mark(root) or b"").decode()]
    if repository is not None:
        present += [repository.identity() or "", commit or ""]
    present = [mark for mark in present if mark]
    known = marks(folder)
    if not set(present) <= set(known):
        earlier = [mark for mark in known if mark not in present]
        text = "\n".join([*earlier, *present][-_MOST_MARKS:]) + "\n"
        _put(os.path.join(folder, MARKS_FILE), text.encode())


def _put(path: str, data: bytes) -> None:
    write_atomic(path, data, durable=False, private=True)


def _copy_months(directory: str, target: str) -> None:
    names = [name for name in data_directory.names(directory, MONTHS) if _MONTH.fullmatch(name)]
    if names:
        make_private(target)
    for name in names:
        copy = os.path.join(target, name)
        if _differs(os.path.join(directory, MONTHS, name), copy):
            data = data_directory.read(directory, f"{MONTHS}/{name}")
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
    return list_inside(None, folder)
