"""Read and list regular files of bounded size inside their root; write a file whole or not at all.

A cloned repository can hold a link in any place that we read or write. So `root` names the folder that a path
has to lie in once all links are resolved. A root of None is for the user's own files: there all links are
followed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys

from progress_plugin.core.errors import BadInput, DiskRefused, Refused, reason_of
from progress_plugin.core.paths import PROJECT_MARKERS, contains, nearest_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

MAX_BYTES = 256 << 20  # of a file that is read whole, unless the caller says otherwise
MAX_INPUT_BYTES = 64 << 20  # of a plan, an agent log or another input that a project brings
TEMPORARY_PREFIX = ".agent-progress-"
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")  # files next to a database
DEFAULT_MODE, PRIVATE_MODE = 0o644, 0o600

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NON_BLOCKING = getattr(os, "O_NONBLOCK", 0)  # opening a named pipe must not wait


class LeadsOutside(Refused):
    """A path leads out of its root; `link` is the link on the way, relative to the root."""

    def __init__(self, path: str, link: str) -> None:
        super().__init__(f"{path}: {link} is a link out of the project; remove the link")
        self.link = link


def open_regular(root: str | None, path: str, max_bytes: int = sys.maxsize) -> BinaryIO:
    """Open a file to read. Raises LeadsOutside, OSError, and BadInput if it is not regular or too large."""
    flags = os.O_RDONLY | _NON_BLOCKING | _BINARY
    if root is None:
        handle = os.open(path, flags)
    else:
        os.lstat(os.path.join(root, path))  # a missing file raises FileNotFoundError, never LeadsOutside
        handle = os.open(resolve_inside(root, path), flags | _NO_FOLLOW)
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_size <= max_bytes:
        return os.fdopen(handle, "rb")
    os.close(handle)
    if not stat.S_ISREG(status.st_mode):
        raise BadInput(f"{path} is not a regular file; move it out of the way")
    raise BadInput(f"{path} is larger than {max_bytes >> 20} MiB, which no log or plan is; move it away")


def read_inside(root: str | None, path: str, max_bytes: int = MAX_BYTES) -> bytes | None:
    """Return the content of a file; None if there is no such file.

    `path` is absolute or relative to the root. Raises LeadsOutside, and BadInput if the file cannot be read,
    is not a regular file or is larger than `max_bytes`.
    """
    try:
        with open_regular(root, path, max_bytes) as file:
            return file.read(os.fstat(file.fileno()).st_size)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in the name
        return None
    except OSError as error:
        raise BadInput(f"cannot read {path}: {reason_of(error)}") from error


def read_beginning(root: str | None, path: str, size: int) -> bytes:
    """Return the first bytes of a file, empty if it cannot be read."""
    try:
        with open_regular(root, path) as file:
            return file.read(size)
    except (OSError, ValueError, LeadsOutside, BadInput):
        return b""


def read_named(path: str, max_bytes: int = MAX_BYTES) -> bytes | None:
    """Return the content of a file that a person or an agent named; its root is the project around it."""
    path = os.path.abspath(path)
    return read_inside(nearest_with(os.path.dirname(path), *PROJECT_MARKERS), path, max_bytes)


def list_inside(root: str | None, folder: str) -> list[str]:
    """Return the sorted names in a folder; none if there is no folder, or it lies outside the root."""
    return [name for name, _ in scan_inside(root, folder)]


def scan_inside(root: str | None, folder: str) -> list[tuple[str, bool]]:
    """Return the sorted names in a folder, each with whether it is a link, as `list_inside`."""
    try:
        with os.scandir(resolve_inside(root, folder)) as entries:
            return sorted((entry.name, entry.is_symlink()) for entry in entries)
    except (OSError, ValueError, LeadsOutside):
        return []


def walk_inside(root: str | None, folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the path of all files and links below a folder, relative to it, each with whether it is a link.

    Nothing is yielded if the folder itself lies outside its root.
    """
    if root is not None and leads_outside(root, folder):
        return
    for parent, folders, files in os.walk(folder):
        for path in (os.path.join(parent, name) for name in (*files, *folders)):
            is_link = os.path.islink(path)
            if is_link or not os.path.isdir(path):
                yield os.path.relpath(path, folder), is_link


def resolve_inside(root: str | None, path: str) -> str:
    """Return a path with every link resolved. Raises LeadsOutside if it lies outside the resolved root."""
    if root is None:
        return os.path.realpath(path)
    real, top = os.path.realpath(os.path.join(root, path)), os.path.realpath(root)
    if not contains(top, real):
        raise LeadsOutside(path, _first_link_outside(root, path))
    return real


def make_folder(root: str, folder: str) -> str:
    """Make a folder and its parents below a root, and return its real path.

    A root that is gone, such as that of a removed worktree, is not made again. Raises LeadsOutside if the
    folder is a link out of the root, BadInput if it is not a folder, DiskRefused if it cannot be made.
    """
    real = resolve_inside(root, folder)
    try:
        os.stat(root)
        os.makedirs(real, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise BadInput(f"{folder} is not a directory; move it out of the way") from error
    except OSError as error:
        raise DiskRefused(f"cannot make {folder}", error) from error
    return real


def leads_outside(root: str, path: str) -> bool:
    """Return whether a path lies outside its root once all links are resolved."""
    return not contains(os.path.realpath(root), os.path.realpath(os.path.join(root, path)))


def find_irregular_sqlite_file(path: str) -> str | None:
    """Return the first of a database's files that is not a regular file; SQLite would wait for a pipe."""
    names = (path, *(path + suffix for suffix in SQLITE_SUFFIXES))
    return next((name for name in names if os.path.exists(name) and not os.path.isfile(name)), None)


def write_atomic(
    path: str, data: bytes, *, root: str | None = None, durable: bool = True, private: bool = False
) -> None:
    """Make `data` the whole content of a file: a reader sees the old file or the new one, never a part.

    The mode of an existing file is kept; with `private` only its owner may read it. With `durable`, content
    and name are on the disk when this returns. Raises LeadsOutside, BadInput if the target is not a regular
    file, or DiskRefused, whose message says so if the old file is unchanged.
    """
    target = resolve_inside(root, path)
    mode = _mode_to_keep(target, private=private)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f"{TEMPORARY_PREFIX}{name[:100]}.{os.urandom(6).hex()}.tmp")
    unchanged = "the file is as it was" if os.path.lexists(target) else ""
    try:
        _write_new(temporary, data, mode, durable=durable)
        os.replace(temporary, target)
        unchanged = ""
        if durable:
            sync_directory(folder)
    except BaseException as error:
        _remove(temporary)
        if isinstance(error, OSError):
            raise DiskRefused(f"cannot write {path}", error, unchanged) from error
        raise


def append_line(path: str, line: bytes) -> None:
    """Append to a file, which is made if needed, without following a link. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_FOLLOW | _BINARY | _NON_BLOCKING
    handle = os.open(path, flags, DEFAULT_MODE)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise FileNotFoundError(f"{path} is not a file")
        os.write(handle, line)
    finally:
        os.close(handle)


def content_digest(data: bytes) -> bytes:
    """Return the BLAKE2b hash of a content, 128 bits in hexadecimal."""
    return hashlib.blake2b(data, digest_size=16).hexdigest().encode()


def sync_directory(folder: str) -> None:
    """Put the names in a directory on the disk, if the directory can be opened."""
    try:
        handle = os.open(folder or ".", os.O_RDONLY)
    except OSError:  # on Windows, or a directory that may be written but not read
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _first_link_outside(root: str, path: str) -> str:
    """Return the shortest beginning of a path that leads outside, relative to the root."""
    relative = os.path.relpath(os.path.join(root, path), root)
    parts = relative.split(os.sep)
    prefixes = (os.path.join(*parts[:count]) for count in range(1, len(parts) + 1))
    return next((prefix for prefix in prefixes if leads_outside(root, prefix)), relative)


def _mode_to_keep(target: str, *, private: bool) -> int:
    try:
        mode = os.stat(target).st_mode
    except OSError:
        return PRIVATE_MODE if private else DEFAULT_MODE
    if not stat.S_ISREG(mode):
        raise BadInput(f"{target} is not a regular file; move it out of the way")
    return PRIVATE_MODE if private else stat.S_IMODE(mode)


def _write_new(path: str, data: bytes, mode: int, *, durable: bool) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY, mode)
    with open(handle, "wb") as file:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, mode)  # regardless of the umask
        file.write(data)
        file.flush()
        if durable:
            os.fsync(handle)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
