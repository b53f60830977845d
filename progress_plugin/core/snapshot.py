"""Cache of the last start's output with a snapshot of its inputs, which detects changes."""

import os
import time

from progress_plugin import START_CACHE_FORMAT, VERSION
from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Stamp = list[int]  # size and mtime in ns, size -1 if nothing is there
MISSING = -1
CHANGED: Stamp = [-2, 0]  # differs from the stamp of any file
# Two changes within one tick of the file system's clock leave the same mtime.
RACY_NS = 10_000_000  # Linux: a tick takes 1 to 10 ms
COARSE_RACY_NS = 2_000_000_000  # FAT: 2 s
MAX_BYTES = 64 << 20  # of a file, unless the caller says otherwise
LAST_SEEN_FILE = "last-seen.json"  # in the private state: the plans and logs that hooks have compared
DOCUMENT_ENDINGS = (".md", ".txt", ".json", ".jsonl", ".yaml", ".yml")  # of plans and logs
CACHE_FILE = "start.json"
FILE_NOTES_FILE = "file-notes.json"  # next to the start cache, and made with it
REOPENED = "reopened"  # the source of a start if OpenCode reopens a session in a new process
FAILURE = "progress: no summary could be made; `agent-progress doctor` says why"
_OLDER_HEADING = "agent-progress: the summary could not be renewed (`agent-progress doctor`); an older one:\n"
_CACHE_MEMBERS = ("context", "user_message", "status_line", "name")
_MEMBERS = ("root", "recorded_ns", "files", "start_files", "variables", "written")  # that are stored


def stamp_of(path: str) -> Stamp:
    """Return size and mtime of a file or folder; size -1 if nothing is there."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return [MISSING, 0]
    return [status.st_size, status.st_mtime_ns]


class InputSnapshot:
    """Reads a project's files and remembers the size and time of each.

    Some inputs, such as the memory database and the folders of transcripts, change while a session works:
    only starts compare these. The paths of all others are kept relative to the root if they are inside.
    """

    __slots__ = (*_MEMBERS, "_contents", "problems")

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: dict[str, Stamp] = {}
        self.start_files: dict[str, Stamp] = {}
        self.variables: dict[str, str] = {}
        self.written: list[str] = []  # files that only this program writes
        self.recorded_ns = 0
        self.problems: list[str] = []
        self._contents: dict[str, bytes | None] = {}

    def read(self, path: str, root: str | None = "", max_bytes: int = MAX_BYTES) -> bytes | None:
        """Return a file's content; None if it is missing, unreadable, too large or outside the root.

        The file must be inside `root`, by default the project's root; for the log the caller passes that of
        the main worktree, for a file of the user or of this program None.
        """
        path = self._relative(path)
        if path not in self._contents:
            self._contents[path] = self._read(path, self.root if root == "" else root, max_bytes)
        return self._contents[path]

    def note_written(self, path: str) -> None:
        """Remember a file as we have just written it; its content is not needed."""
        self.note(path)
        self.written.append(self._relative(path))

    def note(self, path: str) -> None:
        """Remember a file or folder without reading it."""
        path = self._relative(path)
        self.files[path] = self._stamp_now(path)

    def list_folder(self, path: str) -> list[str]:
        """Return the sorted names in a folder, none if there is no folder or it is outside the root."""
        from progress_plugin.core.files import list_inside  # noqa: PLC0415 - a comparison does without it

        path = self._relative(path)
        self.note(path)
        return list_inside(self.root, os.path.join(self.root, path))

    def note_for_starts(self, path: str, *, is_settled: bool = True) -> None:
        """Remember a file that only session starts compare.

        Without `is_settled` it counts as changed: it could not be read, and the next start tries again.
        """
        self.start_files[path] = stamp_of(path) if is_settled else CHANGED

    def note_variable(self, name: str) -> None:
        """Remember the value of an environment variable."""
        self.variables[name] = os.environ.get(name, "")

    def modified_ns(self, path: str) -> int:
        """Return the mtime that a file had when it was noted, in ns; 0 if it was missing or not noted."""
        return self.files.get(self._relative(path), [MISSING, 0])[1]

    def changes(self) -> list[str]:
        """Return the paths that have changed since they were noted; not those that only starts compare."""
        return [path for path, stamp in self.files.items() if self._stamp_now(path) != stamp]

    def has_start_changes(self) -> bool:
        """Return whether any of the files and folders that only session starts compare has changed."""
        return any(stamp_of(path) != stamp for path, stamp in self.start_files.items())

    def first_change(self, *, at_start: bool = True) -> str | None:
        """Return the first input that may have changed since it was recorded; None if none may have.

        It is a path, or the name of an environment variable. A file that changed just before it was recorded
        may have changed again without a new modification time.
        """
        for path, stamp in self.files.items():
            if (self._is_racy(stamp) and path not in self.written) or self._stamp_now(path) != stamp:
                return path
        if at_start:
            for path, known in self.start_files.items():
                if self._is_racy(known) or stamp_of(path) != known:
                    return path
            for name, value in self.variables.items():
                if os.environ.get(name, "") != value:
                    return name
        return None

    def to_data(self) -> "dict[str, Any]":
        """Return the snapshot as JSON data, recorded now."""
        self.recorded_ns = time.time_ns()
        return {name: getattr(self, name) for name in _MEMBERS}

    @classmethod
    def from_data(cls, data: "dict[str, Any]") -> "InputSnapshot":
        """Return the snapshot from the data of `to_data`. Raises KeyError if a member is missing."""
        snapshot = cls(data["root"])
        for name in _MEMBERS:
            setattr(snapshot, name, data[name])
        return snapshot

    def _is_racy(self, stamp: Stamp) -> bool:
        is_coarse = stamp[1] % 1_000_000_000 == 0
        return stamp[1] > self.recorded_ns - (COARSE_RACY_NS if is_coarse else RACY_NS)

    def _stamp_now(self, path: str) -> Stamp:
        return stamp_of(os.path.join(self.root, path))

    def _relative(self, path: str) -> str:
        return path.removeprefix(self.root.rstrip(os.sep) + os.sep)

    def _read(self, path: str, root: str | None, max_bytes: int) -> bytes | None:
        from progress_plugin.core.errors import BadInput  # noqa: PLC0415 - a comparison does without it
        from progress_plugin.core.files import LeadsOutside, read_inside  # noqa: PLC0415

        absolute = os.path.join(self.root, path)
        content = None
        try:
            self.note(path)  # before it is read: a change after this shows in its stamp
            content = read_inside(root, absolute, max_bytes)
        except LeadsOutside as error:
            self._add_problem(f"{error.link} is a link out of the project; not read")
        except BadInput:
            if not os.path.isdir(absolute):
                self._add_problem(f"{path}: not a readable file of at most {max_bytes >> 20} MiB; left out")
        return content

    def _add_problem(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def has_changed(root: str, *, with_folders: bool) -> bool:
    """Return whether a plan or log of the project at `root` may have changed since hooks compared them.

    `with_folders`: also whether a folder that may get a plan has changed.
    """
    try:
        with open(state_file(root, LAST_SEEN_FILE), "rb") as file:
            data = fast_json.loads(file.read().decode("utf-8", "surrogateescape"))["inputs"]
        inputs = InputSnapshot.from_data(data)
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return True
    return inputs.first_change(at_start=with_folders) is not None


class StartCache:
    """The output of a start, and a snapshot of its inputs."""

    context = ""
    user_message = ""
    status_line = ""
    name = ""  # of the project, as it is shown

    def __init__(self, snapshot: InputSnapshot, **texts: str) -> None:
        self.snapshot = snapshot
        vars(self).update(texts)


def cache_path(root: str) -> str:
    return state_file(root, CACHE_FILE)


def load_start_cache(root: str) -> StartCache | None:
    """Return the start cache of the project at `root`; None if there is none of this version."""
    try:
        with open(cache_path(root), "rb") as file:
            data = fast_json.loads(file.read().decode("utf-8", "surrogateescape"))
        if data["version"] != _version():
            return None
        snapshot = InputSnapshot.from_data(data["snapshot"])
        return StartCache(snapshot, **{name: data[name] for name in _CACHE_MEMBERS})
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return None


def older_context(root: str) -> str:
    """Return the context of the last start, marked as older; empty if there is none."""
    cache = load_start_cache(root)
    return _OLDER_HEADING + cache.context if cache is not None and cache.context else ""


def load_fresh_cache(root: str) -> StartCache | None:
    """Return the start cache of the project at `root` if no input has changed since it was made."""
    cache = load_start_cache(root)
    return cache if cache is not None and cache.snapshot.first_change() is None else None


def root_with_cache(directory: str) -> str | None:
    """Return the nearest root with a start cache, from a directory up to one with `.git` or our directory."""
    current = directory
    while not has_start_cache(current):
        is_top = any(os.path.lexists(os.path.join(current, mark)) for mark in (".git", ".agent-os/progress"))
        if is_top or current == (current := os.path.dirname(current)):
            return None
    return current


def start_cache_bytes(cache: StartCache) -> bytes:
    """Return a start cache as it is written."""
    data = {name: getattr(cache, name) for name in _CACHE_MEMBERS}
    data |= {"version": _version(), "snapshot": cache.snapshot.to_data()}
    return fast_json.dumps(data).encode("utf-8", "surrogateescape")


def has_start_cache(root: str) -> bool:
    return os.path.exists(cache_path(root))


def _version() -> str:
    return f"{VERSION} {START_CACHE_FORMAT}"
