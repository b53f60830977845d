"""What the fast path needs of `os` and `hashlib`: variables, directories, files, a digest.

It runs at every hook: `os` alone would cost 0.7 ms, a sixth of a bare interpreter.

With `os` the same is asked of `core.paths` (`place_of`) and `core.project` (`find_project`).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

FILE_TYPE = 0o170000

FOLDER_TYPE = 0o040000

_LARGEST = 64 * 1024 * 1024
_LONGEST_NAME = 180
"""Bytes of a file name that a path is written in; file systems take 255."""
REGULAR_TYPE = 0o100000
_READ = (
    system.O_RDONLY
    | getattr(system, "O_NOFOLLOW", 0)
    | getattr(system, "O_NONBLOCK", 0)
    | getattr(system, "O_BINARY", 0)
)


def value_of(variable: str) -> str:
    """Return an environment variable as text, empty where it is not set."""
    # The keys are bytes on POSIX and text on Windows.
    key = variable.encode() if system.__name__ == "posix" else variable
    value = system.environ.get(key, b"")  # type: ignore[arg-type]
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def physical(path: str) -> str:
    """Return a directory's path without links, as `core.project` sees it; as it is where that is unknown.

    The directory above a link is not the one above its target. The system resolves it by going there and
    back: `os.path.realpath` would be half a millisecond.
    """
    if system.__name__ == "nt":
        return path.replace("\\", "/")
    try:
        here = system.getcwd()
    except OSError:
        here = path  # it is gone: there is nothing to go back to
    try:
        system.chdir(path)
        path = system.getcwd()
        system.chdir(here)
    except (OSError, ValueError):
        return path
    return path


def upward(start: str) -> list[str]:
    """Return a directory and those above it, up to where everybody's projects are at once."""
    names = (value_of("HOME"), value_of("TMPDIR"), value_of("TEMP"), "/tmp", "/var/tmp", "/private/tmp")  # noqa: S108
    shared = {_place(name) for name in names}
    found: list[str] = []
    current = start.rstrip("/")
    while current and ((place := _place(current)) is None or place not in shared):
        found.append(current)
        current = current.rpartition("/")[0]
    return found


def _place(path: str) -> tuple[int, int] | None:
    """Return what identifies a directory, whatever links lead to it; None where there is none."""
    try:
        status = system.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def exists(path: str) -> bool:
    """Return whether anything is at a path."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def is_folder(path: str) -> bool:
    """Return whether a directory is at a path."""
    try:
        return system.stat(path).st_mode & FILE_TYPE == FOLDER_TYPE
    except (OSError, ValueError):
        return False


def same_directory(one: str, other: str) -> bool:
    """Return whether two paths lead to the same directory."""
    return (place := _place(one)) is not None and place == _place(other)


def is_absolute(path: str) -> bool:
    """Return whether a path does not depend on the working directory."""
    return path.startswith("/") or (system.__name__ == "nt" and path[1:3] in (":/", ":\\"))


def user_directory(variable: str, usual: str, mac: str) -> str | None:
    """Return the directory of this program that a variable may name, as `core.paths` finds it."""
    from progress_plugin.core import paths  # noqa: PLC0415

    del usual, mac
    functions = {
        "XDG_DATA_HOME": paths.user_data,
        "XDG_CONFIG_HOME": paths.user_config,
        "XDG_CACHE_HOME": paths.user_cache,
    }
    return functions[variable]()


def user_data_directory() -> str | None:
    """Return the user's directory for lasting data, as `core.paths.user_data` does."""
    return user_directory("XDG_DATA_HOME", ".local/share", "Library/Application Support")


def flat_name(path: str) -> str:
    """Return a path as one file name, from which it can be read again; of a long path a mark of it."""
    name = path.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C").replace(":", "%3A")
    if len(name) * 4 > _LONGEST_NAME and len(_name_bytes(name)) > _LONGEST_NAME:
        from binascii import crc32  # noqa: PLC0415 - hardly a path is so long

        return f"{crc32(_name_bytes(path)):08x}-{crc32(_name_bytes(path[::-1])):08x}"
    return name


def _name_bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass" if system.__name__ == "nt" else "surrogateescape")


def variable_names() -> set[str]:
    """Return the names of all environment variables."""
    return {name.decode("utf-8", "replace") if isinstance(name, bytes) else name for name in system.environ}


def modified(path: str) -> int | None:
    """Return when a file was written last, in ns; None where there is none."""
    try:
        return system.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return None


def open_regular(path: str) -> int | None:
    """Open a regular file for reading and return its handle; None for anything else, as in `read_regular`."""
    try:
        if system.lstat(path).st_mode & FILE_TYPE != REGULAR_TYPE:
            return None
        handle = system.open(path, _READ)
    except (OSError, ValueError):
        return None
    try:
        if system.fstat(handle).st_mode & FILE_TYPE == REGULAR_TYPE:
            return handle
    except OSError:
        pass
    system.close(handle)
    return None


def read_regular(path: str) -> bytes | None:
    """Return the content of a regular file; None for anything else: no link is followed, no FIFO waited for.

    Folders on the way are not looked at: what is read is compared with what was read, or carries our seal.
    """
    handle = open_regular(path)
    if handle is None:
        return None
    try:
        parts, room = [], _LARGEST
        while room > 0 and (part := system.read(handle, min(room, 1 << 20))):
            parts.append(part)
            room -= len(part)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        system.close(handle)


def content_digest(data: bytes) -> bytes:
    """Return a content hash: BLAKE2b, 128 bits, hexadecimal."""
    return _hash(data).hexdigest().encode()


def content_number(data: bytes) -> int:
    """Return the number that `content_digest` writes."""
    return int.from_bytes(_hash(data).digest(), "big")


def _hash(data: bytes) -> "blake2b":
    global _blake2b  # noqa: PLW0603 - found at the first use: to ask for it again takes longer than a hash
    if _blake2b is None:
        try:
            from _blake2 import blake2b as found  # noqa: PLC0415 - what `hashlib` hands on, without its OpenSSL: 2 ms
        except ImportError:
            from hashlib import blake2b as found  # noqa: PLC0415
        _blake2b = found
    return _blake2b(data, digest_size=16)


_blake2b: "type[blake2b] | None" = None


def folder_names(path: str) -> list[str]:
    """Return the names in a folder; none where there is no folder."""
    try:
        return system.listdir(path)
    except (OSError, ValueError):
        return []
