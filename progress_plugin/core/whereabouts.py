"""Which directories a hook looks in: where it was started, without links, and upward from there (S5.1).

It runs at every hook, so like `core.fresh_start` it does without `os`.
"""

import sys

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

_TYPE = 0o170000
_FOLDER = 0o040000


def value_of(variable: str) -> str:
    """Return an environment variable as text, empty where it is not set."""
    # The keys are bytes on POSIX and text on Windows.
    key = variable.encode() if system.__name__ == "posix" else variable
    value = system.environ.get(key, b"")  # type: ignore[arg-type]
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def physical(path: str) -> str:
    """Return a directory's path without links, as `core.project` sees it; as it is where nobody can tell.

    Above a link stands another directory than above what it leads to. The system is asked by going there and
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
    """Return a directory and those above it, up to where everybody's projects are at once (S5.1)."""
    shared = {_place(value_of("HOME")), _place("/tmp"), _place("/var/tmp"), _place(value_of("TMPDIR"))}  # noqa: S108
    found: list[str] = []
    current = start.rstrip("/")
    while current and ((place := _place(current)) is None or place not in shared):
        found.append(current)
        current = current.rpartition("/")[0]
    return found


def _place(path: str) -> tuple[int, int] | None:
    """Return what tells a directory from others, whatever links lead to it; None where there is none."""
    try:
        status = system.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def exists(path: str) -> bool:
    """Tell whether anything stands at a path."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def is_folder(path: str) -> bool:
    """Tell whether a directory stands at a path."""
    try:
        return system.stat(path).st_mode & _TYPE == _FOLDER
    except (OSError, ValueError):
        return False


def same(one: str, other: str) -> bool:
    """Tell whether two paths lead to the same directory."""
    return (place := _place(one)) is not None and place == _place(other)


def is_absolute(path: str) -> bool:
    """Tell whether a path does not depend on the working directory."""
    return path.startswith("/") or (system.__name__ == "nt" and path[1:3] in (":/", ":\\"))


def users_own(variable: str, usual: str, mac: str) -> str | None:
    """Return a directory of the user's for this program, as `core.directories` does; None without a home.

    None on Windows as well, where no fast path asks: `os` may be loaded there.
    """
    if system.__name__ == "nt":
        return None
    if value_of(variable):
        from progress_plugin.core.directories import place_of  # noqa: PLC0415 - hardly anybody sets one

        return place_of(variable, usual, mac.rpartition("/")[2])
    home = value_of("HOME")
    base = mac if sys.platform == "darwin" else usual
    return f"{home}/{base}/agent-progress" if home.startswith("/") else None
