"""Where the user's data, configuration and cache of this program live, on every platform.

These answer as `platformdirs` does for the application name; it costs 17 ms to import, which is more than
a whole session start may take, so the fast paths and everything that must agree with them use these lines.
"""

import os
import sys

from progress_plugin.core.errors import BadInput

NAME = "agent-progress"
WRITERS = "writers"
"""Folder of user data with the name of each clone (`log.writer_identity`)."""


def has_writers() -> bool:
    """Return whether a clone of this user has a name, as those have that share their history: few do."""
    data = user_data()
    return data is not None and os.path.isdir(os.path.join(data, WRITERS))


def user_data() -> str | None:
    """Return the directory for lasting data; None where there is no home to hold one."""
    return place_of("XDG_DATA_HOME", ".local/share", "Application Support")


def user_config() -> str | None:
    """Return the directory for the user's own configuration; None where there is no home."""
    return place_of("XDG_CONFIG_HOME", ".config", "Application Support")


def user_cache() -> str | None:
    """Return the directory for what can be made again; None where there is no home."""
    return place_of("XDG_CACHE_HOME", ".cache", "Caches", windows="Cache")


def database_path(*roots: str) -> str | None:
    """Return where the memory database is: `AGENT_PROGRESS_DB`, else the user data; None without a home.

    `roots` are projects that are asked about. Raises BadInput where the variable names a file in one of them,
    in the project that is worked in or in any repository: whoever made it would speak as the user's memory.
    """
    path = named_database_path()
    if path is None:
        return usual_database_path()
    from progress_plugin.core.untrusted_paths import is_of_nobody_else  # noqa: PLC0415 - hardly anybody sets it

    if not is_of_nobody_else(path, *roots):
        raise BadInput(
            f"AGENT_PROGRESS_DB names {path}, which lies in a project or repository and may be a stranger's; "
            "name a file outside, or unset it"
        )
    return path


def named_database_path() -> str | None:
    """Return the file that `AGENT_PROGRESS_DB` names, whether or not it may be used; None without one."""
    named = os.environ.get("AGENT_PROGRESS_DB")
    return os.path.abspath(os.path.expanduser(named)) if named else None


def usual_database_path() -> str | None:
    """Return where the memory database is when no variable names one: what is stored comes from it."""
    data = user_data()
    return os.path.join(data, "memory.db") if data else None


def make_private(folder: str) -> None:
    """Make a directory of the user's where there is none, and those missing above it, open to nobody else.

    `os.makedirs` gives its mode to the last one alone. Raises OSError where one cannot be made.
    """
    missing: list[str] = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for each in reversed(missing):
        try:
            os.mkdir(each, 0o700)
        except FileExistsError:  # another process was first, or a file is in its place
            if not os.path.isdir(each):
                raise


def place_of(variable: str, unix: str, mac: str, windows: str = "") -> str | None:
    """Return one of these by the variable that may name it and where it is usual below the home."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return os.path.normpath(os.path.join(local, NAME, windows)) if local else None
    home = os.environ.get("HOME", "")
    base = f"Library/{mac}" if sys.platform == "darwin" else unix
    usual = os.path.join(home, base) if os.path.isabs(home) else None
    named = os.environ.get(variable, "")
    if named and named != usual:
        from progress_plugin.core.untrusted_paths import is_outside  # noqa: PLC0415 - hardly anybody sets one

        # The XDG specification has relative paths ignored: they would follow the working directory around.
        # A place in the project is the project's to fill, and these are the user's. Settings may be kept in a
        # repository of one's own; programs, answers and memories are not.
        if is_outside(named) if variable == "XDG_CONFIG_HOME" else _may_hold_code(named):
            return os.path.join(named, NAME)
    return os.path.join(usual, NAME) if usual else None


def _may_hold_code(named: str) -> bool:
    from progress_plugin.core.untrusted_paths import is_of_nobody_else, is_own  # noqa: PLC0415 - as above

    return is_of_nobody_else(named) and is_own(named, os.path.join(named, NAME))
