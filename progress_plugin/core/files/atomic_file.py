"""A file replaced whole or not at all, whatever happens in between.

Whether a path may be written at all is decided here, too (`ensure_inside`); whether it may be read, in
`core.files.safe_read`.
"""

import os
import stat

from progress_plugin.core.errors import BadInput, DiskRefused, Refused
from progress_plugin.core.files.safe_read import kind_of

TEMPORARY = ".agent-progress-"
"""What the names of our temporary files start with, so that `verify` knows a leftover of ours."""

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_DEFAULT_MODE = 0o644
_PRIVATE_MODE = 0o600


def replace(  # noqa: PLR0913 - how it is written, each by name
    path: str,
    data: bytes,
    *,
    root: str | None = None,
    durable: bool = True,
    unlink_first: bool = False,
    private: bool = False,
) -> None:
    """Make `data` the whole content of `path`: a reader sees the old file or the new one, never a part.

    The temporary file is in the same directory, since a rename is atomic only within one file system.
    A symbolic link is followed to its target, which must lie inside `root` where one is given. The mode of
    an existing file is kept; with `private` only its owner may read it, whoever might before. With `durable`
    the content and its name are on the disk when this returns. With `unlink_first` a reader may find no file
    for an instant; that is for what can be made again, since ext4 writes out what is renamed over another
    file, which takes one to two milliseconds.

    Raises Refused for a target outside `root`, BadInput for one that is no regular file, and
    DiskRefused where the disk or its permissions do not allow it; the old file is then as it was.
    """
    target = ensure_inside(root, path) if root is not None else os.path.realpath(path)
    mode = _mode_to_keep(target, private=private)
    temporary = _temporary(target)
    try:
        _write_new(temporary, data, mode, durable=durable)
        if unlink_first:
            _remove_quietly(target)
        os.replace(temporary, target)
        if durable:
            sync_directory(os.path.dirname(target))
    except OSError as error:
        _remove_quietly(temporary)
        kept = "the file is as it was" if os.path.lexists(target) else ""
        raise DiskRefused(f"cannot write {path}", error, kept) from error


def ensure_inside(root: str, path: str) -> str:
    """Return `path` with every link resolved, provided that it lies inside `root`, resolved as well.

    The root itself may be reached through links: a home on another disk is no escape.
    Raises Refused otherwise.
    """
    top = os.path.realpath(root)
    real = _below(top, path[len(root) :]) if path.startswith(root + "/") else None
    real = real or os.path.realpath(path)
    if real != top and not real.startswith(top.rstrip(os.sep) + os.sep):
        raise Refused(f"{path} leads to {real}, outside {top}: nothing is written there; remove the link")
    return real


def _below(top: str, names: str) -> str | None:
    """Return what is below a resolved folder by these names; None where a link is among them, or no name.

    The folders above need no second look.
    """
    if os.sep != "/":
        return None  # a name has other spellings there
    place = top.rstrip("/")
    for name in names[1:].split("/"):
        place = f"{place}/{name}"
        if name in {"", ".", ".."} or os.path.islink(place):
            return None
    return place


def create_new(path: str, data: bytes, mode: int = _DEFAULT_MODE) -> str:
    """Write a file that did not exist, whole and durably, and return its path.

    That is `path`, or where it is taken `path` with ``-2``, ``-3``, … added. Raises DiskRefused where
    it cannot be written.
    """
    folder = os.path.dirname(path)
    temporary = _temporary(path)
    try:
        _write_new(temporary, data, mode, durable=True)
        number = 1
        while not _claim(temporary, candidate := path if number == 1 else f"{path}-{number}"):
            number += 1
        sync_directory(folder)
    except OSError as error:
        raise DiskRefused(f"cannot write {path}", error) from error
    finally:
        _remove_quietly(temporary)
    return candidate


def add(path: str, line: bytes) -> None:
    """Add a line to a file of notes, which need not be durable.

    Neither a link nor a named pipe is followed or waited for: either would take the line somewhere else.
    Raises OSError where it cannot be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_FOLLOW | _BINARY | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags, _DEFAULT_MODE)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise FileNotFoundError(f"{path} is not a file")
        os.write(handle, line)
    finally:
        os.close(handle)


def sync_directory(folder: str) -> None:
    """Put the names in a directory on the disk, where the platform can."""
    if os.name == "nt":
        return
    handle = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _mode_to_keep(target: str, *, private: bool) -> int:
    try:
        status = os.stat(target)
    except OSError:
        return _PRIVATE_MODE if private else _DEFAULT_MODE
    if not stat.S_ISREG(status.st_mode):
        raise BadInput(f"{target} is {kind_of(status.st_mode)}, not a file; move it out of the way")
    return _PRIVATE_MODE if private else stat.S_IMODE(status.st_mode)


def _temporary(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f"{TEMPORARY}{name[:100]}.{os.urandom(6).hex()}.tmp")


def _claim(temporary: str, path: str) -> bool:
    """Give a finished file its name unless that is taken: a link, as no rename refuses to replace."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):
        # No hard links on this file system; the caller's lock keeps others from taking the name in between.
        if os.path.lexists(path):
            return False
        os.rename(temporary, path)
    return True


def _write_new(path: str, data: bytes, mode: int, *, durable: bool) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY, mode)
    with open(handle, "wb") as file:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, mode)  # the umask must not narrow the mode that is to be kept
        file.write(data)
        file.flush()
        if durable:
            os.fsync(handle)


def _remove_quietly(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
