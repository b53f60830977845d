"""What the MCP server says about itself and its project, found out without `os` and JSON.

A client waits for it before its first request. The project's name comes from the start cache, where that is
fresh, or from the folder, where there is nothing of ours; of the database the head of its file is looked at.
What that leaves open is found out by `usecases.server_instructions`.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.clients import PROJECT_MARKS
from progress_plugin.core.errors import NoProject
from progress_plugin.core.fast import plain_json
from progress_plugin.core.fast.minimal_os import (
    exists,
    is_absolute,
    is_folder,
    physical,
    upward,
    user_data_directory,
    user_directory,
    value_of,
)
from progress_plugin.core.fast.served_project import served_directory
from progress_plugin.core.fast.start_cache import DATABASE_VARIABLE, first_change, read_cache, root_with_cache
from progress_plugin.core.fast.unused_project import nothing_here

_HEAD = b"SQLite format 3\0"
_APPLICATION_ID = b"AGPR"
"""`application_id` of a database that we made (memory.schema), and where it is in the file."""
_AT = 68
_BESIDE = ("-wal", "-shm", "-journal")
_REGULAR = 0o100000
_TYPE = 0o170000
_OPEN = system.O_RDONLY | getattr(system, "O_NONBLOCK", 0) | getattr(system, "O_BINARY", 0)
_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_SHORT = 18
"""Characters of a plain name that is no secret, whatever it looks like: those are longer."""


class Introduction:
    """What a client is told when it connects."""

    __slots__ = ("has_memory", "instructions")

    def __init__(self, instructions: str, *, has_memory: bool) -> None:
        self.instructions = instructions
        self.has_memory = has_memory
        """Whether the memory tools are listed."""


class _Unclear(Exception):
    """A quick look is not enough."""


def introduction(name: str | None) -> str:
    """Return the server's instructions; `name` is the project's, as `text.safe_output.one_line` gives it."""
    here = f"This project's exact name: {name!r}." if name else "No project here: name one."
    return (
        f"{here} mem_progress holds your own work state, no session summary, task tracker or to-do list: "
        "read it at session start, write it after a significant step and before the end, as JSON "
        '{"goal":"","completed":[],"next_steps":[],"blockers":[]}. '
        "mem_compact in two phases: identify, review, execute."
    )


def quick_introduction() -> Introduction | None:
    """Return what to tell a client; None where a quick look is not enough."""
    try:
        _look_at_memory()
        return Introduction(introduction(_name()), has_memory=True)
    except _Unclear:
        return None


def _name() -> str | None:
    """Return the name of the project that is served, None where there is none."""
    try:
        start = physical(served_directory() or ".")
    except NoProject:
        return None
    if not is_absolute(start):
        raise _Unclear  # the working directory is gone
    places = upward(start)
    if not places:
        return None  # a home, or where everybody's projects are
    root = root_with_cache(start)
    return _folders_name(start, places) if root is None else _kept_name(root)


def _kept_name(root: str) -> str:
    """Return the name that the last summary was made for; the memory has no part in it."""
    cache = read_cache(root)
    if cache is None or not cache.name:
        raise _Unclear
    records = [record for record in cache.records if not record.startswith((b"row ", b"variable "))]
    if first_change(records, root) is not None:
        raise _Unclear
    try:
        return str(plain_json.read(cache.name.decode("utf-8")))
    except ValueError:
        raise _Unclear from None  # a name with a quote in it


def _folders_name(start: str, places: list[str]) -> str:
    """Return the name of a repository or folder that has nothing of ours, nor settings that name it."""
    config = user_directory("XDG_CONFIG_HOME", ".config", "Library/Application Support")
    if config is None or exists(f"{config}/config.toml") or not nothing_here(start):
        raise _Unclear
    top = next((place for place in places if exists(f"{place}/.git")), None)
    if top is not None and not _is_plain_folder(f"{top}/.git"):
        raise _Unclear
    name = (top or start).rpartition("/")[2]
    if not name or len(name) > _SHORT or not _PLAIN.issuperset(name) or "/.git/" in f"{start}/":
        raise _Unclear
    return name


def _is_plain_folder(path: str) -> bool:
    return is_folder(path) and system.lstat(path).st_mode & _TYPE == system.stat(path).st_mode & _TYPE


def _look_at_memory() -> None:
    """Return where the memory can be used: a database of ours, or none yet in a place that can be written."""
    path = value_of(DATABASE_VARIABLE)
    if path:
        path = value_of("HOME") + path[1:] if path.startswith("~/") else path
        _look_around(path)
    else:
        data = user_data_directory()
        if data is None:
            raise _Unclear
        path = f"{data}/memory.db"
    if path.startswith("~") or any(
        exists(path + ending) and not _is_file(path + ending) for ending in _BESIDE
    ):
        raise _Unclear
    if not exists(path):
        _look_above(path)
    elif not _is_ours(path):
        raise _Unclear


def _look_around(path: str) -> None:
    """Raise where a named database could be somebody else's: `core.paths` decides that."""
    here = physical(".")
    if not is_absolute(here) or not is_absolute(path) or "/../" in path:
        raise _Unclear
    folder = path.rpartition("/")[0]
    while folder and not exists(folder):
        folder = folder.rpartition("/")[0]
    place = physical(folder or "/").rstrip("/")
    try:
        served = physical(served_directory() or ".")
    except NoProject:
        served = here
    if f"{place}/".startswith((f"{served}/", f"{here}/")):
        raise _Unclear
    while place:
        if any(exists(f"{place}/{mark}") for mark in PROJECT_MARKS):
            raise _Unclear
        place = place.rpartition("/")[0]


def _look_above(path: str) -> None:
    """Raise where the directory a database is to be made in cannot be had."""
    above = path.rpartition("/")[0] or "."
    while not exists(above) and "/" in above:
        above = above.rpartition("/")[0]
    if not is_folder(above) or not system.access(above, system.W_OK | system.X_OK):
        raise _Unclear


def _is_file(path: str) -> bool:
    return system.stat(path).st_mode & _TYPE == _REGULAR


def _is_ours(path: str) -> bool:
    """Return whether a file begins as a database that we made does."""
    if not _is_file(path):
        return False
    try:
        handle = system.open(path, _OPEN)
    except OSError:
        return False
    try:
        head = system.read(handle, _AT + len(_APPLICATION_ID))
    except OSError:
        return False
    finally:
        system.close(handle)
    return head.startswith(_HEAD) and head[_AT:] == _APPLICATION_ID
