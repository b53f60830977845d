"""The user's directories in which this program keeps its files, and the variables that change one call.

The directories follow the XDG Base Directory Specification, and on macOS and Windows the platform's own
conventions. A project may set environment variables, by a client's settings or an `.env` file. So a directory
that a variable names is ignored if it lies inside the project, and none names the place of the environment.
Without a home directory, those that no variable names are below `/dev/null`, where nothing can exist.

The private state of a project is below `user_state`, not in the project: so a cloned repository cannot bring
any of it.
"""

import os
import sys

from progress_plugin.core.clients import PROJECT_VARIABLE, SERVER_VARIABLE

NAME = "agent-progress"
DATABASE_VARIABLE = "AGENT_PROGRESS_DB"
PREFIX = "AGENT_PROGRESS_"  # of our environment variables
MAX_FLAT_NAME_BYTES = 180  # file systems take 255
MAX_STATE_NAME_CHARS = 40
PROJECT_MARKERS = (".git", ".agent-os")
_NO_EFFECT_ON_OUTPUT = (
    "DISABLED", "NO_INSTALL", "DB", "CORPUS", "PROJECT_DIR", "TEAM_URL", "TEAM_PROJECT_KEY",
    "READ_ONLY",
)  # fmt: skip


def is_set(name: str) -> bool:
    """Return whether `AGENT_PROGRESS_<name>` is set, and neither empty nor 0."""
    return os.environ.get(PREFIX + name, "") not in ("", "0")


def is_read_only() -> bool:
    return is_set("READ_ONLY")


def variables_change_output() -> bool:
    """Return whether a variable such as `AGENT_PROGRESS_PLAN` may change the output of this call."""
    ours = (name.removeprefix(PREFIX) for name in os.environ if name.startswith(PREFIX))
    return any(name not in _NO_EFFECT_ON_OUTPUT for name in ours)


def user_data() -> str:
    return _user_directory("XDG_DATA_HOME", ".local/share", "Application Support")


def has_home() -> bool:
    """Return whether there is a place for the user's data: below a home, or where a variable says."""
    return not user_data().startswith(os.devnull)


def user_state() -> str:
    return _user_directory("XDG_STATE_HOME", ".local/state", "Application Support")


def user_config() -> str:
    return _user_directory("XDG_CONFIG_HOME", ".config", "Application Support")


def user_cache() -> str:
    return _user_directory("XDG_CACHE_HOME", ".cache", "Caches", windows="Cache")


def user_code() -> str:
    """Return the directory for the environment; no XDG variable moves it."""
    return _below_home(".local/share", "Application Support")


def state_directory(root: str) -> str:
    """Return the folder for the private state of a project."""
    real = os.path.realpath(root)
    name = os.path.basename(real)[:MAX_STATE_NAME_CHARS] or "root"
    name = "".join(letter if letter.isalnum() else "-" for letter in name)
    return os.path.join(user_state(), "projects", f"{name}-{_hash(real):016x}")


def make_state_directory(root: str, name: str = "") -> str:
    """Make the folder for the private state of a project, or its subfolder `name`, and return the path.

    Raises DiskRefused if it cannot be made.
    """
    from progress_plugin.core.errors import DiskRefused  # noqa: PLC0415 - only to write

    folder = os.path.normpath(os.path.join(state_directory(root), name))
    try:
        make_private(folder)
    except OSError as error:
        raise DiskRefused(f"cannot make {folder}", error) from error
    return folder


def state_file(root: str, name: str) -> str:
    return os.path.join(state_directory(root), name)


def database_path(*roots: str) -> str:
    """Return the path of the memory database; one that cannot exist if `has_home` is false.

    `roots` are the roots of projects that the caller works for. Raises BadInput if `AGENT_PROGRESS_DB` names
    a file inside one of them or the current project: the project could fill it in the user's name.
    """
    named = os.environ.get(DATABASE_VARIABLE)
    if not named:
        return os.path.join(user_data(), "memory.db")
    path = os.path.abspath(os.path.expanduser(named))
    if not is_outside(path, *roots):
        from progress_plugin.core.errors import BadInput  # noqa: PLC0415 - rare

        raise BadInput(
            f"{DATABASE_VARIABLE} names {path}, which lies in the project and may not be yours; "
            "name a file outside, or unset it"
        )
    return path


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
    repository around each of these. The home directory and its parents are never a project.
    """
    if not os.path.isabs(path) or "\0" in path:
        return False
    real, home = os.path.realpath(path), os.path.realpath(os.path.expanduser("~"))
    named = (os.environ.get(PROJECT_VARIABLE, ""), os.environ.get(SERVER_VARIABLE, ""))
    starts = {os.path.realpath(each) for each in (*named, *roots, working_directory()) if os.path.isabs(each)}
    projects = starts | {repository_around(start) for start in starts}
    return not any(contains(project, real) for project in projects if not contains(project, home))


def nearest_with(start: str, *names: str) -> str | None:
    """Return the nearest directory from `start` upward that has one of these names; None if none has."""
    current = start
    while not any(os.path.lexists(os.path.join(current, name)) for name in names):
        if current == (current := os.path.dirname(current)):
            return None
    return current


def repository_around(start: str) -> str:
    """Return the nearest directory from `start` upward with `.git` or `.agent-os`, else `start`."""
    return nearest_with(start, *PROJECT_MARKERS) or start


def folders_upward(start: str) -> list[str]:
    """Return a directory and its parents up to the repository's top, or below a home or temporary folder.

    A `.git` directory and folders in it are left out; the result is empty for a home or temporary folder.
    """
    never_roots = _never_roots()
    folders: list[str] = []
    current = os.path.realpath(start)
    while current not in never_roots:
        if os.path.basename(current) == ".git":
            folders.clear()
        else:
            folders.append(current)
            if os.path.lexists(os.path.join(current, ".git")):
                break
        if current == (current := os.path.dirname(current)):
            break
    return folders


def flat_name(path: str) -> str:
    """Return one file name for a path: its separators are escaped; a long path is hashed."""
    name = path.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C").replace(":", "%3A")
    return name if len(os.fsencode(name)) <= MAX_FLAT_NAME_BYTES else f"{_hash(path):016x}"


def contains(folder: str, path: str) -> bool:
    """Return whether `path` is `folder` or lies in it; links are not followed."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def working_directory() -> str:
    """Return the working directory; empty if it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _user_directory(variable: str, unix: str, mac: str, windows: str = "") -> str:
    named = os.environ.get(variable, "")  # the specification says to ignore a relative path
    is_usable = named != "" and sys.platform != "win32" and is_outside(named)
    return os.path.join(named, NAME) if is_usable else _below_home(unix, mac, windows)


def _below_home(unix: str, mac: str, windows: str = "") -> str:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.devnull
        return os.path.normpath(os.path.join(local, NAME, windows))
    home = os.environ.get("HOME", "")
    base = f"Library/{mac}" if sys.platform == "darwin" else unix
    return os.path.join(home if os.path.isabs(home) else os.devnull, base, NAME)


def _hash(text: str) -> int:
    """Return the 64-bit FNV-1a hash of a path: `hashlib` is too large for the fast path."""
    number = 0xCBF29CE484222325
    for byte in os.fsencode(text):
        number = (number ^ byte) * 0x100000001B3 % (1 << 64)
    return number


def _never_roots() -> set[str]:
    """Return the folders that are a root only if the user names them: home, temporary folders and `/`."""
    temporary = (os.environ.get("TMPDIR"), os.environ.get("TEMP"), "/tmp", "/var/tmp", "/private/tmp")  # noqa: S108
    return {os.path.realpath(place) for place in (*temporary, os.path.expanduser("~"), os.sep) if place}
