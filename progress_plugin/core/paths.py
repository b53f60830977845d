"""The directories of the user in which this program keeps its data, state, cache and configuration.

They follow the XDG Base Directory Specification, on macOS and Windows the platform's own conventions, and
agree with the library `platformdirs`, which is too slow to import in a hook.

A project may set environment variables, by a client's settings or an `.env` file. So a directory that a
variable names is ignored if it lies inside the project, and code is only ever loaded from `user_code`.
"""

from __future__ import annotations

import os
import sys

from progress_plugin.core.clients import PROJECT_VARIABLE, SERVER_VARIABLE

NAME = "agent-progress"
DATABASE_VARIABLE = "AGENT_PROGRESS_DB"
MAX_NAME_BYTES = 180  # of a path that is written as one file name; file systems take 255


def user_data() -> str | None:
    """Return the directory for lasting data; None without a home directory."""
    return _user_directory("XDG_DATA_HOME", ".local/share", "Application Support")


def user_state() -> str | None:
    """Return the directory for what the program remembers between runs; None without a home directory."""
    return _user_directory("XDG_STATE_HOME", ".local/state", "Application Support")


def user_config() -> str | None:
    """Return the directory for the user's configuration; None without a home directory."""
    return _user_directory("XDG_CONFIG_HOME", ".config", "Application Support")


def user_cache() -> str | None:
    """Return the directory for what can be made again; None without a home directory."""
    return _user_directory("XDG_CACHE_HOME", ".cache", "Caches", windows="Cache")


def user_code() -> str | None:
    """Return the directory for the environment and compiled code; no XDG variable moves it."""
    return _below_home(".local/share", "Application Support")


def database_path(*roots: str) -> str | None:
    """Return the path of the memory database; None without a home directory.

    `roots` are the roots of projects that the caller works for. Raises BadInput if `AGENT_PROGRESS_DB` names
    a file inside one of them or the current project: the project could fill it in the user's name.
    """
    path = named_database_path()
    if path is None:
        return usual_database_path()
    if not is_outside(path, *roots):
        from progress_plugin.core.errors import BadInput  # noqa: PLC0415 - rare

        raise BadInput(
            f"{DATABASE_VARIABLE} names {path}, which lies in the project and may not be yours; "
            "name a file outside, or unset it"
        )
    return path


def named_database_path() -> str | None:
    """Return the file that `AGENT_PROGRESS_DB` names, wherever it lies; None if it is not set."""
    named = os.environ.get(DATABASE_VARIABLE)
    return os.path.abspath(os.path.expanduser(named)) if named else None


def usual_database_path() -> str | None:
    """Return the path of the memory database if no variable names one; None without a home directory."""
    data = user_data()
    return os.path.join(data, "memory.db") if data else None


def make_private(folder: str) -> None:
    """Make a directory and its missing parents, readable by the user alone. Raises OSError."""
    if os.path.isdir(folder):
        return
    make_private(os.path.dirname(folder))
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:  # another process was first, or a file is in its place
        if not os.path.isdir(folder):
            raise


def is_outside(path: str, *roots: str) -> bool:
    """Return whether a path is absolute and, with all links followed, outside the project.

    The project is the working directory, the directory that the client names, each of `roots`, and the
    repository around one of them. The home directory and its parents are never a project.
    """
    if not os.path.isabs(path) or "\0" in path:
        return False
    real, home = os.path.realpath(path), os.path.realpath(os.path.expanduser("~"))
    named = (
        os.environ.get(PROJECT_VARIABLE, ""),
        os.environ.get(SERVER_VARIABLE, ""),
        *roots,
        _working_directory(),
    )
    starts = {os.path.realpath(start) for start in named if os.path.isabs(start)}
    projects = starts | {repository_around(start) for start in starts}
    return not any(_contains(project, real) for project in projects if not _contains(project, home))


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def repository_around(start: str) -> str:
    """Return the nearest directory from `start` upward that is a repository or has a log of ours."""
    current = start
    while not any(os.path.lexists(os.path.join(current, mark)) for mark in (".git", ".agent-os")):
        if current == (current := os.path.dirname(current)):
            return start
    return current


def flat_name(path: str) -> str:
    """Return a path as one file name, from which it can be read again; a long path is hashed."""
    name = path.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C").replace(":", "%3A")
    if len(name) * 4 > MAX_NAME_BYTES and len(os.fsencode(name)) > MAX_NAME_BYTES:
        from binascii import crc32  # noqa: PLC0415 - rare

        return f"{crc32(os.fsencode(path)):08x}-{crc32(os.fsencode(path[::-1])):08x}"
    return name


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _user_directory(variable: str, unix: str, mac: str, windows: str = "") -> str | None:
    named = os.environ.get(variable, "")
    usual = _below_home(unix, mac, windows)
    # The specification has relative paths ignored.
    is_usable = sys.platform != "win32" and named != "" and is_outside(named)
    return os.path.join(named, NAME) if is_usable else usual


def _below_home(unix: str, mac: str, windows: str = "") -> str | None:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return os.path.normpath(os.path.join(local, NAME, windows)) if local else None
    home = os.environ.get("HOME", "")
    base = f"Library/{mac}" if sys.platform == "darwin" else unix
    return os.path.join(home, base, NAME) if os.path.isabs(home) else None
