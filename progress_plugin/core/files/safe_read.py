"""The one reader of what comes from outside: inside its root, a regular file, of bounded size.

A cloned repository can hold a link in any place that we read, to whatever the user may read. So the way to a
file is opened part by part without following links, and each link on it is judged by where it leads: inside
the root it is followed, out of it nothing is read. What was judged is what is read, whoever exchanges
parts of the way meanwhile. Nothing here waits on a named pipe.

A `root` of None is for places of the user's own (configuration, caches, what the plugin brings): there links
are the user's business.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.core.errors import BadInput, Refused, reason_of
from progress_plugin.core.known_paths import DATA_DIRECTORY

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Bytes of a file that are read, our own log among them: a link can lead to one in /proc that has no end."""
LARGEST_OF_OTHERS = 64 * 1024 * 1024
"""Bytes of a plan, an agent's log or another input that a project brings; a larger one is left out."""

_PIECE = 1024 * 1024
_MOST_LINKS = 40
_CLOSED = getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | _CLOSED
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOSED
_PASSED = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _CLOSED
"""For folders on the way: they need not be readable."""
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_GONE = (errno.ENOENT, errno.ENOTDIR)
_BY_PARTS = os.open in os.supports_dir_fd and os.readlink in os.supports_dir_fd
_MARKS = (".git", os.path.normpath(DATA_DIRECTORY))
"""What shows a directory to be a project's, which may come from others."""


class LeadsOut(Refused):
    """A link on the way to a file leads out of the root; `link` names it relative to that."""

    def __init__(self, path: str, link: str) -> None:
        super().__init__(f"{path} is not read: {link} is a link out of the project; remove the link")
        self.link = link


class FoundFile(NamedTuple):
    """A file as it was read."""

    data: bytes
    status: os.stat_result
    """Taken before the content: what is written in between makes a record stale, not wrong."""


def read(path: str, root: str | None, most: int = MAX_FILE_BYTES) -> bytes | None:
    """Return the whole content; None where there is no such file.

    `path` is absolute, or relative to the root. Raises LeadsOut for one that a link, or `..`, leads out of
    the root, and BadInput for anything but a regular file of at most `most` bytes.
    """
    found = read_with_status(path, root, most)
    return found.data if found else None


def read_with_status(path: str, root: str | None, most: int = MAX_FILE_BYTES) -> FoundFile | None:
    """Return content and stats of a file, as `read` does and raising what it raises."""
    try:
        handle = _opened(path, root, _READ)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise BadInput(f"{path} is {kind_of(status.st_mode)}, not a file; move it out of the way")
            data = _content(handle, status.st_size, most + 1) if status.st_size <= most else None
        finally:
            os.close(handle)
    except ValueError:
        return None  # a NUL in its name: nothing can be called so
    except OSError as error:
        if error.errno in _GONE:
            return None
        raise BadInput(f"cannot read {path}: {reason_of(error)}") from error
    if data is None or len(data) > most:
        raise BadInput(f"{path} is larger than {most >> 20} MiB, which no log or plan is; move it away")
    return FoundFile(data, status)


def refusals(paths: Iterable[str], root: str | None) -> dict[str, str]:
    """Return which of these paths `read` refuses, in full, each with why and what to do.

    Nothing is read where all is well. Links that lead out are not among them: who names links names those.
    """
    told = {}
    for path in paths:
        place = os.path.join(root or "", path)
        if looks_readable(place):
            continue
        try:
            read_with_status(path, root)
        except BadInput as error:
            told[place] = str(error)
        except LeadsOut:
            continue
    return told


def looks_readable(path: str) -> bool:
    """Return whether nothing at a path shows that `read` would refuse it: nothing there, or a file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return True
    return stat.S_ISREG(status.st_mode) and status.st_size <= MAX_FILE_BYTES and os.access(path, os.R_OK)


def part(path: str, root: str | None, most: int, *, from_end: bool = False) -> bytes:
    """Return the first or the last bytes of a file; none of anything that `read` would refuse."""
    try:
        handle = _opened(path, root, _READ)
    except (OSError, ValueError, LeadsOut):
        return b""
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return b""
        start = max(status.st_size - most, 0) if from_end else 0
        return _content_from(handle, status.st_size, start, most)
    except OSError:
        return b""
    finally:
        os.close(handle)


def section(path: str, root: str | None, start: int, most: int) -> bytes:
    """Return at most `most` bytes of a file from `start` on; none of anything that `read` would refuse."""
    return sections(path, root, [(start, most)])[0]


def sections(path: str, root: str | None, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
    """Return sections of a file, each by where it begins and how many bytes at most, all of the same file.

    Each is empty of anything that `read` would refuse.
    """
    nothing = [b""] * len(ranges)
    try:
        handle = _opened(path, root, _READ)
    except (OSError, ValueError, LeadsOut):
        return nothing
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return nothing
        return [_content_from(handle, status.st_size, start, most) for start, most in ranges]
    except OSError:
        return nothing
    finally:
        os.close(handle)


def names(path: str, root: str | None) -> list[str]:
    """Return the sorted names in a folder; none where there is no folder. Raises LeadsOut as `read` does."""
    return [name for name, _ in listed(path, root)]


def listed(path: str, root: str | None) -> list[tuple[str, bool]]:
    """Return what is in a folder, by name, and whether it is a link, as `names` does."""
    try:
        handle = _opened(path, root, _FOLDER)
    except (OSError, ValueError):
        return []
    try:
        with os.scandir(handle if os.scandir in os.supports_fd else path) as entries:
            return sorted((entry.name, entry.is_symlink()) for entry in entries)
    except OSError:
        return []
    finally:
        os.close(handle)


def below(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield what is below a folder, at any depth, by its path from there, and whether it is a link.

    No link is followed; of a folder its contents are named, not itself.
    """
    waiting = [""]
    while waiting:
        inner = waiting.pop()
        for name, is_link in listed(os.path.join(folder, inner), folder):
            found = os.path.join(inner, name)
            if not is_link and os.path.isdir(os.path.join(folder, found)):
                waiting.append(found)
            else:
                yield found, is_link


def read_named(path: str, most: int = MAX_FILE_BYTES) -> bytes | None:
    """Return the content of a file that a person or an agent named, as `read` does.

    Its root is the project around it as the path is written: an agent can be made to name a link in there.
    Outside of any project links are followed.
    """
    return read(os.path.abspath(path), project_around(path), most)


def project_around(path: str) -> str | None:
    """Return the nearest directory above a path, links not resolved, that is a project; None without one."""
    folder = os.path.dirname(os.path.abspath(path))
    while not any(os.path.lexists(os.path.join(folder, mark)) for mark in _MARKS):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def leads_out(path: str, root: str) -> bool:
    """Return whether a path leads out of its root, once all links are resolved."""
    return _inside(os.path.realpath(path), os.path.realpath(root)) is None


def kind_of(mode: int) -> str:
    """Return what something that is no regular file is, in words."""
    kinds = ((stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))
    return next((name for test, name in kinds if test(mode)), "a device")


def _content_from(handle: int, size: int, start: int, most: int) -> bytes:
    """Return at most `most` bytes of a file that has `size`, from `start` on."""
    os.lseek(handle, start, os.SEEK_SET)
    return _content(handle, max(size - start, 0), most)


def _content(handle: int, size: int, most: int) -> bytes:
    """Return what is left of a file, at most `most` bytes; `size` is how many are said to be.

    Room is asked for as much as there is said to be: for all that there may be, the system would give other
    memory each time.
    """
    pieces = [os.read(handle, min(size + 1, most))]
    read = len(pieces[0])
    while (
        pieces[-1] and read != size and read < most
    ):  # it grew, or is of a kind that says nothing of its size
        pieces.append(os.read(handle, min(_PIECE, most - read)))
        read += len(pieces[-1])
    return b"".join(pieces)


def _opened(path: str, root: str | None, flags: int) -> int:
    """Return a handle; raises LeadsOut, OSError and ValueError."""
    if root is None:
        return os.open(path, flags)
    os.lstat(os.path.join(root, path))  # most of what is asked for is not there, and this says so at once
    return _opened_inside(path, root, flags) if _BY_PARTS else opened_and_compared(path, root, flags)


def _opened_inside(path: str, root: str, flags: int) -> int:
    parts = _parts(path, root)
    for _ in range(_MOST_LINKS):
        handle, link = _walked(root, parts, flags)
        if link < 0:
            return handle
        parts = [*_followed(path, root, parts[: link + 1]), *parts[link + 1 :]]
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def _parts(path: str, root: str) -> list[str]:
    """Return the names on the way from the root, as it is written; LeadsOut where it goes elsewhere."""
    top = root.rstrip(os.sep) + os.sep
    written = os.path.normpath(path.removeprefix(top) if path.startswith(top) else path)
    parts = written.split(os.sep)
    if os.path.isabs(written) or parts[0] == os.pardir:
        raise LeadsOut(path, written)
    return [] if written == os.curdir else parts


def _walked(root: str, parts: list[str], flags: int) -> tuple[int, int]:
    """Open the parts one after the other; return the last one's handle and -1, or the number of a link."""
    if len(parts) < 2:  # noqa: PLR2004 - the root may be reached through links, so its name will do
        place = os.path.join(root, *parts)
        handle = _part(place, flags if not parts else flags | _NO_FOLLOW, None)
        return (handle, -1) if handle is not None else (-1, 0)
    at = os.open(root, _PASSED)
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        try:
            deeper = _part(part, (flags if is_last else _PASSED) | _NO_FOLLOW, at)
        finally:
            os.close(at)
        if deeper is None:
            return -1, number
        at = deeper
    return at, -1


def _part(name: str, flags: int, at: int | None) -> int | None:
    """Open one part; None where it is a link."""
    try:
        return os.open(name, flags, dir_fd=at)
    except OSError:
        # Each system has an error of its own for a link that is not to be followed, and some have two.
        try:
            os.readlink(name, dir_fd=at)
        except OSError:
            pass
        else:
            return None
        raise


def _followed(path: str, root: str, way: list[str]) -> list[str]:
    """Return where a link inside leads, from the root; raises LeadsOut where that is not inside.

    However this comes out, the way it gives is walked again without following anything.
    """
    inside = _inside(os.path.realpath(os.path.join(root, *way)), os.path.realpath(root))
    if inside is None:
        raise LeadsOut(path, os.path.join(*way))
    return inside


def _inside(real: str, top: str) -> list[str] | None:
    if real == top:
        return []
    start = top.rstrip(os.sep) + os.sep
    return real[len(start) :].split(os.sep) if real.startswith(start) else None


def opened_and_compared(path: str, root: str, flags: int) -> int:
    """Open by name and compare afterwards, where no part can be opened from its folder (Windows)."""
    parts = _parts(path, root)
    top = os.path.realpath(root)
    real = os.path.realpath(os.path.join(top, *parts))
    if _inside(real, top) is None:
        raise LeadsOut(path, os.path.join(*parts))
    handle = os.open(real, flags | _NO_FOLLOW)
    if os.path.realpath(real) == real and os.path.samestat(os.fstat(handle), os.lstat(real)):
        return handle
    os.close(handle)
    raise LeadsOut(path, os.path.join(*parts))
