"""The texts of the last session start, ready to be printed as long as no input has changed."""

from __future__ import annotations

import os

from progress_plugin import START_CACHE_FORMAT, VERSION
from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.snapshot import InputSnapshot

CACHE_FILE = "start.json"
REOPENED = "reopened"  # the source of a start in OpenCode that goes on with a session in a new process
OLDER = "agent-progress: the summary could not be renewed (`agent-progress doctor`); an older one:\n"
TOO_LONG = "progress: the summary takes longer than a start may; it is made in the background"
FAILED = "progress: no summary could be made; see: agent-progress doctor"


class StartCache:
    """What a start prints, and the inputs that it was made from."""

    __slots__ = ("context", "learning_ids", "name", "snapshot", "status_line", "user_message")

    def __init__(  # noqa: PLR0913, PLR0917 - the members of the file
        self,
        snapshot: InputSnapshot,
        context: str,
        user_message: str = "",
        status_line: str = "",
        name: str = "",
        learning_ids: list[str] | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.context = context
        self.user_message = user_message
        self.status_line = status_line
        self.name = name  # of the project, as it is shown
        self.learning_ids = learning_ids or []  # of the learnings in the context


def cache_path(root: str) -> str:
    """Return the path of the start cache of the project at `root`."""
    return state_file(root, CACHE_FILE)


def load_start_cache(root: str) -> StartCache | None:
    """Return the start cache of the project at `root`; None if there is none of this version."""
    from progress_plugin.core.snapshot import InputSnapshot  # noqa: PLC0415 - most hooks find no cache

    try:
        with open(cache_path(root), "rb") as file:
            data = fast_json.loads(file.read().decode("utf-8", "surrogateescape"))
        if data["version"] != _version():
            return None
        snapshot = InputSnapshot.from_data(data["snapshot"])
        return StartCache(snapshot, *(data[name] for name in _MEMBERS))
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return None


def load_fresh_cache(root: str) -> StartCache | None:
    """Return the start cache of the project at `root` if no input has changed since it was made."""
    cache = load_start_cache(root)
    return cache if cache is not None and cache.snapshot.first_change() is None else None


def root_with_cache(directory: str) -> str | None:
    """Return the nearest root with a start cache, from a directory up to the top of its repository or log."""
    current = directory
    while not has_start_cache(current):
        is_top = any(os.path.lexists(os.path.join(current, mark)) for mark in (".git", ".agent-os/progress"))
        if is_top or current == (current := os.path.dirname(current)):
            return None
    return current


def start_cache_bytes(cache: StartCache) -> bytes:
    """Return a start cache as it is written."""
    data = {name: getattr(cache, name) for name in _MEMBERS}
    data |= {"version": _version(), "snapshot": cache.snapshot.to_data()}
    return fast_json.dumps(data).encode("utf-8", "surrogateescape")


def has_start_cache(root: str) -> bool:
    """Return whether a summary was made for the project at `root` and kept."""
    return os.path.exists(cache_path(root))


def _version() -> str:
    return f"{VERSION} {START_CACHE_FORMAT}"


_MEMBERS = ("context", "user_message", "status_line", "name", "learning_ids")
