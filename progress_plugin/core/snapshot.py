"""What a summary was made from, and whether any of it has changed since."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Stamp = list[int]  # size and mtime in ns, size -1 if nothing is there
MISSING = -1
CHANGED: Stamp = [-2, 0]  # differs from the stamp of any file
CHANGED_NAMES = "/"  # differs from the names in any folder
RACY_NS = 10_000_000  # Linux takes the mtime from a clock that ticks every 1 to 10 ms
COARSE_RACY_NS = 2_000_000_000  # FAT counts in 2 s
MAX_BYTES = 64 << 20  # of a file that others wrote
MAX_READS = 3  # of a file that changes while it is read


def stamp_of(path: str) -> Stamp:
    """Return size and mtime of a file or folder; size -1 if nothing is there."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return [MISSING, 0]
    return [status.st_size, status.st_mtime_ns]


class InputSnapshot:
    """Reads a project's files and remembers the size and time of each.

    Some inputs, such as the memory database and the names of transcripts, change while a session works: only
    starts compare these. Paths inside the root are kept relative to it.
    """

    __slots__ = (
        "_contents", "files", "names", "problems", "recorded_ns", "root", "start_files", "variables",
        "written",
    )  # fmt: skip

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: dict[str, Stamp] = {}
        self.start_files: dict[str, Stamp] = {}
        self.names: dict[str, str] = {}  # by folder, or by folder, beginning of names and `*`
        self.variables: dict[str, str] = {}
        self.written: list[str] = []  # files that only this program writes
        self.recorded_ns = 0
        self.problems: list[str] = []
        self._contents: dict[str, bytes | None] = {}

    def read(self, path: str, root: str | None = None, max_bytes: int = MAX_BYTES) -> bytes | None:
        """Return a file's content; None if it is missing, not a regular file, too large, or outside the root.

        `root` is that of a file that belongs to another place, such as the log of a linked worktree.
        """
        path = self._relative(path)
        if path not in self._contents:
            self._contents[path] = self._read(path, root or self.root, max_bytes)
        return self._contents[path]

    def read_users(self, path: str, *, for_starts: bool = False) -> bytes | None:
        """Return the content of a file outside the project that belongs to the user or to this program.

        If it is `for_starts`, only starts compare it.
        """
        path = self._relative(path)
        if path not in self._contents:
            self._contents[path] = self._read(path, None, MAX_BYTES)
            if for_starts:
                self.start_files[path] = self.files.pop(path)
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
        from progress_plugin.core.files import LeadsOutside, list_inside  # noqa: PLC0415 - not to compare

        path = self._relative(path)
        self.note(path)
        try:
            return list_inside(self.root, os.path.join(self.root, path))
        except LeadsOutside as error:
            self._add_problem(f"{error.link} is a link out of the project; not read")
            return []

    def note_for_starts(self, path: str, *, is_settled: bool = True) -> None:
        """Remember a file that only starts compare; as changed unless `is_settled`."""
        self.start_files[path] = stamp_of(path) if is_settled else CHANGED

    def note_names(self, folder: str, *, is_settled: bool = True) -> None:
        """Remember the names in a folder that only starts compare; as changed unless `is_settled`."""
        self.names[folder] = names_in(folder) if is_settled else CHANGED_NAMES

    def note_variable(self, name: str) -> None:
        """Remember the value of an environment variable."""
        self.variables[name] = os.environ.get(name, "")

    def mark_changed(self, path: str) -> None:
        """Have a file or folder count as changed until it is read again."""
        self.files[path] = CHANGED

    def adopt(self, path: str, earlier: InputSnapshot) -> None:
        """Take a file or folder over from an earlier snapshot of the same root."""
        self.files[path] = earlier.files[path]

    def modified_ns(self, path: str) -> int:
        """Return when a file was changed last as it was read; 0 if it was missing."""
        return self.files.get(self._relative(path), [MISSING, 0])[1]

    def is_unchanged(self, path: str) -> bool:
        """Return whether a file that was read has the same size and time now."""
        path = self._relative(path)
        return self.files.get(path) == self._stamp_now(path)

    def changes(self) -> list[str]:
        """Return the paths of files and folders that have changed since they were read."""
        return [path for path, stamp in self.files.items() if self._stamp_now(path) != stamp]

    def has_start_changes(self) -> bool:
        """Return whether a file or folder that only starts compare has changed."""
        return any(stamp_of(path) != stamp for path, stamp in self.start_files.items())

    def first_change(self, *, at_start: bool = True) -> str | None:
        """Return the first input that may not be as it was recorded, None if all are.

        It is a path, or the name of an environment variable. A file that was changed just before it was
        recorded may have been changed again without its time showing that.
        """
        for path, stamp in self.files.items():
            if (self._is_racy(stamp) and path not in self.written) or self._stamp_now(path) != stamp:
                return path
        if at_start:
            for path, known in self.start_files.items():
                if self._is_racy(known) or stamp_of(path) != known:
                    return path
            for folder, names in self.names.items():
                if names_in(folder) != names:
                    return folder
            for name, value in self.variables.items():
                if os.environ.get(name, "") != value:
                    return name
        return None

    def to_data(self) -> dict[str, Any]:
        """Return the snapshot as JSON data, recorded now."""
        self.recorded_ns = time.time_ns()
        return {name: getattr(self, name) for name in _MEMBERS}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> InputSnapshot:
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
        from progress_plugin.core.errors import BadInput  # noqa: PLC0415 - not to compare
        from progress_plugin.core.files import LeadsOutside, read_inside  # noqa: PLC0415

        absolute = os.path.join(self.root, path)
        content = None
        try:
            for _ in range(MAX_READS):
                self.note(path)
                content = read_inside(root, absolute, max_bytes)
                if self.is_unchanged(
                    path
                ):  # else it is being written, and the stamp is not that of the content
                    break
        except LeadsOutside as error:
            self._add_problem(f"{error.link} is a link out of the project; not read")
        except BadInput:
            if not os.path.isdir(absolute):
                self._add_problem(f"{path}: not a readable file of at most {max_bytes >> 20} MiB; left out")
        return content

    def _add_problem(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


_MEMBERS = ("root", "recorded_ns", "files", "start_files", "names", "variables", "written")


def names_in(folder: str) -> str:
    """Return the sorted names in a folder as one text; for `folder/x*` those that begin with x."""
    folder, _, beginning = folder[:-1].rpartition(os.sep) if folder.endswith("*") else (folder, "", "")
    try:
        return "/".join(sorted(name for name in os.listdir(folder or os.sep) if name.startswith(beginning)))
    except (OSError, ValueError):
        return ""
