"""Records of inputs as they were read, so that a later start can compare (S8).

`fresh_start.first_change` compares; its docstring says when an input counts as unchanged.
"""

import os
import stat

from progress_plugin.core.fresh_start import content_digest, folder_digest

_LARGEST = 64 * 1024 * 1024


class Record:
    """One input as it was read: a file, its absence, or a folder's list of names."""

    __slots__ = ("ctime_ns", "digest", "kind", "mtime_ns", "path", "racy", "size")

    def __init__(self, kind: str, path: str, *, digest: bytes = b"-") -> None:
        self.kind = kind
        self.path = path
        self.digest = digest
        self.size = self.mtime_ns = self.ctime_ns = 0
        self.racy = False

    def line(self) -> bytes:
        """Return the record as one line of the cache."""
        path = self.path.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")
        flag = "racy" if self.racy else "safe"
        numbers = f"{self.kind} {flag} {self.size} {self.mtime_ns} {self.ctime_ns} "
        return numbers.encode() + self.digest + b" " + path.encode("utf-8", "surrogateescape")


def _read(path: str) -> tuple[bytes, os.stat_result] | None:
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    # The stat comes before the read: what is written in between makes the record stale, not wrong.
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        try:
            data = file.read(_LARGEST + 1)
            return (data, status) if data is not None and len(data) <= _LARGEST else None
        except OSError:
            return None


class Inputs:
    """Reads files and remembers how each one was found, so that a later start can compare.

    `clock_file` is touched and its mtime taken as "now" of the very file system, whatever its
    granularity: an input at least as young may be written again without its mtime moving.
    """

    def __init__(self, root: str, clock_file: str | None = None) -> None:
        self.root = root
        self.problems: list[str] = []
        self._clock_file = clock_file
        self._now = self._tick()
        self._records: dict[str, Record] = {}
        self._contents: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes | None:
        """Return a file's content, or None where there is no regular file.

        `path` is relative to the root, or absolute; what lies in the root is recorded relative to it, so that
        a copied project does not look at the files of the one it was copied from.
        """
        path = self._relative(path)
        if path not in self._contents:
            self._contents[path] = self._read_and_record(path)
        return self._contents[path]

    def read_again(self, path: str) -> bytes | None:
        """Return the content of a file that we have written since it was read, and record that."""
        path = self._relative(path)
        self._now = self._tick()
        content = self._contents[path] = self._read_and_record(path)
        return content

    def names(self, path: str) -> list[str]:
        """Return the sorted names in a folder; empty where there is none."""
        absolute = os.path.join(self.root, path)
        self._records[path] = Record("names", path, digest=folder_digest(absolute))
        try:
            return sorted(os.listdir(absolute))
        except OSError:
            return []

    def changed(self, path: str) -> int:
        """Return when a file that was read was changed last, in ns; 0 where there was none."""
        record = self._records.get(path)
        return record.mtime_ns if record else 0

    def database_stats(self, path: str) -> list[tuple[str, int, int, bool]]:
        """Return path, size, mtime and whether that is racy, of a SQLite file and its write-ahead log.

        A file that is not there has size -1.
        """
        return [_stats(name, self._now) for name in (path, f"{path}-wal")]

    def record_row(self, stats: list[tuple[str, int, int, bool]], digest: bytes) -> None:
        """Record one row of a database; the stats, taken before reading it, are its shortcut (S8.3)."""
        for name, size, mtime, racy in stats:
            record = self._records[name] = Record("row", name, digest=digest)
            record.size, record.mtime_ns, record.racy = size, mtime, racy

    def records(self) -> list[Record]:
        """Return the record of every input so far, in the order of reading.

        An input written in the tick of its reading is looked at again: if it is still the same and the
        clock has moved on, its stat alone is proof from now on.
        """
        racy = [record for record in self._records.values() if record.racy and record.kind == "file"]
        if racy:
            now = self._tick()
            for record in racy:
                self._settle(record, now)
        return list(self._records.values())

    def _relative(self, path: str) -> str:
        return path.removeprefix(self.root.rstrip(os.sep) + os.sep)

    def _read_and_record(self, path: str) -> bytes | None:
        absolute = os.path.join(self.root, path)
        found = _read(absolute)
        if found is None:
            self._records[path] = Record("absent", path)
            if os.path.exists(absolute) and not os.path.isdir(absolute):
                self.problems.append(f"{path}: not a readable file of at most 64 MiB; left out")
            return None
        data, status = found
        record = self._records[path] = Record("file", path, digest=content_digest(data))
        record.size = len(data)
        record.mtime_ns = status.st_mtime_ns
        record.ctime_ns = status.st_ctime_ns
        record.racy = status.st_mtime_ns >= self._now
        return data

    def _settle(self, record: Record, now: int) -> None:
        found = _read(os.path.join(self.root, record.path))
        if found is None:
            return
        data, status = found
        same = status.st_mtime_ns == record.mtime_ns and content_digest(data) == record.digest
        if same and status.st_mtime_ns < now:
            record.racy = False
            record.ctime_ns = status.st_ctime_ns

    def _tick(self) -> int:
        """Return the file system's clock in ns; 0, everything is racy, where it cannot be asked."""
        if self._clock_file is None:
            return 0
        try:
            os.utime(self._clock_file)
            return os.stat(self._clock_file).st_mtime_ns
        except OSError:
            return 0


def _stats(path: str, now: int) -> tuple[str, int, int, bool]:
    try:
        status = os.stat(path)
    except OSError:
        return path, -1, 0, False
    return path, status.st_size, status.st_mtime_ns, status.st_mtime_ns >= now
