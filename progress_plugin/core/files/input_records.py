"""Records of inputs as they were read, so that a later start can compare them.

`start_cache.first_change` compares; its docstring says when an input counts as unchanged.
"""

import os
import stat
from collections.abc import Collection
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.fast.link_records import link_digest
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.fast.start_cache import (
    BESIDE_KIND,
    DATABASE_VARIABLE,
    SESSIONS_KIND,
    database_digest,
    digest_beside,
    folder_digest,
    names_digest,
    other_type,
    record_line,
    record_parts,
)
from progress_plugin.core.files import (
    MAX_BYTES,
    MAX_INPUT_BYTES,
    LeadsOutside,
    append_line,
    list_inside,
    read_with_status,
)
from progress_plugin.core.known_paths import DATA_DIRECTORY

_NO_FOLDER = b"-"
"""The digest of a folder that is not there."""
_LARGEST_ROOT = 64 * 1024
"""Bytes of a folder beyond which listing it takes longer than asking for each of some names in it."""
_TOUCHES_LINKS = os.utime in os.supports_follow_symlinks


FileStamp = tuple[int, int, int, int] | None
"""The stat of a place: number, size, mtime and ctime; None where there is nothing."""


def file_stamp(path: str) -> FileStamp:
    """Return the stat of a place; nothing is read."""
    try:
        return _stamp(os.stat(path))
    except (OSError, ValueError):
        return None


def _stamp(status: os.stat_result) -> FileStamp:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


class RecordedPlace(NamedTuple):
    """What a record of the start cache is about."""

    kind: str
    """`file`, `absent`, `other` in its place, `names` of a folder, `folder` of many names, `link` that leads
    out, `row` of a database, `variable`, `sessions`, a client's folder of transcripts, or `sessions-beside`,
    which of those there are."""
    path: str
    """As recorded: relative to the root, or absolute."""


def place_of(record: bytes) -> RecordedPlace:
    """Return kind and path of a record, the path without the escapes it is kept with."""
    kind, *_, path = record_parts(record)
    return RecordedPlace(kind.decode(), path)


class InputRecord:
    """One input as it was read.

    A file, its absence, what stands in its place, a folder's names, a row, a variable, or a link out.
    """

    __slots__ = ("ctime_ns", "digest", "kind", "mtime_ns", "path", "racy", "size")

    def __init__(self, kind: str, path: str, *, digest: bytes = b"-") -> None:
        self.kind = kind
        self.path = path
        self.digest = digest
        self.size = self.mtime_ns = self.ctime_ns = 0
        self.racy = False

    def line(self) -> bytes:
        """Return the record as one line of the cache."""
        flag = "racy" if self.racy else "safe"
        return record_line(self.kind, flag, (self.size, self.mtime_ns, self.ctime_ns), self.digest, self.path)


class Inputs:
    """Reads files and remembers how each one was found, so that a later start can compare.

    `clock_file` is touched and its mtime taken as "now" of the very file system, whatever its
    granularity: an input at least as young may be written again without its mtime moving. No lock is needed
    for that: whoever else touches it moves it to a "now" before our reading, too.

    Reading takes its time, so no lock is held meanwhile; `moved` says under it what has changed since.
    """

    def __init__(self, root: str, clock_file: str | None = None) -> None:
        self.root = root
        self.problems: list[str] = []
        self._clock_file = clock_file
        self._now = self._tick()
        self._records: dict[str, InputRecord] = {}
        self._contents: dict[str, bytes | None] = {}
        self._looks: dict[str, FileStamp] = {}
        self._roots: dict[str, str | None] = {}
        """By path, the root of what does not belong to the project's own."""
        self._most: dict[str, int] = {}
        """By path, the bytes of a file that are read, where that is not what others may bring."""
        self._top = _names_at(root)

    @property
    def clock(self) -> int:
        """The file system's clock when it was looked at last, in ns; 0 where it cannot be asked."""
        return self._now

    def read(self, path: str, root: str | None = None, most: int = MAX_INPUT_BYTES) -> bytes | None:
        """Return a file's content, or None where there is no regular file, or a link leads out to it.

        `path` is relative to the root, or absolute; what lies in the root is recorded relative to it, so that
        a copied project does not look at the files of the one it was copied from. `root` is that of a file
        which belongs to another place, such as the log of a linked worktree. One of more than `most` bytes is
        left out.
        """
        path = self._relative(path)
        if path not in self._contents:
            self._roots[path] = root or self.root
            self._most[path] = most
            is_known = self._record_what_cannot_be(path)
            self._contents[path] = None if is_known else self._read_and_record(path)
        return self._contents[path]

    def read_users(self, path: str) -> bytes | None:
        """Return the content of a file that no project can bring: the user's own, or the plugin's."""
        if path not in self._contents:
            self._roots[path] = None
            self._contents[path] = self._read_and_record(path)
        return self._contents[path]

    def read_again(self, path: str) -> bytes | None:
        """Return the content of a file that we have written since it was read, and record that."""
        path = self._relative(path)
        self._now = self._tick()
        content = self._contents[path] = self._read_and_record(path)
        return content

    def is_as_read(self, path: str) -> bool:
        """Return whether a stat proves that an input that was read is still what it was."""
        path = self._relative(path)
        record = self._records.get(path)
        looked = file_stamp(os.path.join(self.root, path))
        return record is not None and not record.racy and path in self._looks and self._looks[path] == looked

    def note(self, path: str, root: str | None = None, seen: os.stat_result | None = None) -> None:
        """Record a file of ours by its stats alone: what it says was read before and is kept elsewhere.

        One that may be written again in this tick is read all the same: its content shows a change. `root` is
        what `read` takes it for; `seen` are its stats, where they have just been taken of a file that is
        older than the `clock` was then.
        """
        path = self._relative(path)
        self._roots[path] = root or self.root
        self._most[path] = MAX_BYTES
        try:
            status = seen or os.stat(os.path.join(self.root, path))
        except OSError:
            status = None
        self._looks[path] = None if status is None else _stamp(status)
        if status is None or not stat.S_ISREG(status.st_mode):
            self._records[path] = self._not_there(path)
            return
        record = self._records[path] = InputRecord("file", path)
        record.size, record.mtime_ns, record.ctime_ns = status.st_size, status.st_mtime_ns, status.st_ctime_ns
        record.racy = status.st_mtime_ns >= self._now
        if record.racy and self._clock_file is not None:
            self._read_and_record(path)

    def names(self, path: str) -> list[str]:
        """Return the sorted names in a folder; empty where there is none."""
        self._looks[path] = file_stamp(os.path.join(self.root, path))
        try:
            found = list_inside(self.root, path)
        except LeadsOutside as error:
            self._leave_out(path, error)
            return []
        self._records[path] = InputRecord("names", path, digest=folder_digest(os.path.join(self.root, path)))
        return found

    def note_transcripts(self, folder: str, digest: bytes) -> None:
        """Record a client's folder of transcripts by the digest of its names."""
        self._records[folder] = InputRecord(SESSIONS_KIND.decode(), folder, digest=digest)

    def note_folders_beside(self, folder: str) -> None:
        """Record which folders of transcripts there are for a project; `folder` is that of its root."""
        kind = BESIDE_KIND.decode()
        self._records[f"{kind} {folder}"] = InputRecord(kind, folder, digest=digest_beside(folder))

    def folder(self, path: str) -> list[str]:
        """Return the sorted names in a folder that may hold thousands, and record it by its mtime.

        What was there when it was listed is what the record says: what comes meanwhile makes it stale.
        """
        path = self._relative(path)
        place = os.path.join(self.root, path)
        before = file_stamp(place)
        if before is None:
            self._records[path] = self._not_there(path)
            return []
        try:
            found = list_inside(self.root, place)
        except LeadsOutside as error:
            self._leave_out(path, error)
            return []
        record = self._records[path] = InputRecord("folder", path, digest=names_digest(place))
        record.mtime_ns = before[2]
        after = file_stamp(place)
        record.racy = after != before or record.mtime_ns >= self._now
        if after != before:
            record.digest = b"?"  # looked at again by whoever compares it
        return found

    def adopt(self, line: bytes) -> None:
        """Take over the record of a folder that was made when its content was taken in."""
        kind, flag, (size, mtime, ctime), digest, path = _numbered(line)
        record = self._records[path] = InputRecord(kind, path, digest=digest)
        record.size, record.mtime_ns, record.ctime_ns, record.racy = size, mtime, ctime, flag == b"racy"

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
        """Record one row of a database; the stats, taken before reading it, are its shortcut."""
        for name, size, mtime, racy in stats:
            record = self._records[name] = InputRecord("row", name, digest=digest)
            record.size, record.mtime_ns, record.racy = size, mtime, racy

    def record_database_named(self) -> None:
        """Record which database this call's environment names: another call may name another one."""
        self._records[DATABASE_VARIABLE] = InputRecord(
            "variable", DATABASE_VARIABLE, digest=database_digest()
        )

    def moved(self) -> list[str]:
        """Return the inputs that are not as they were when they were read, by a stat each; nothing is read.

        Of what was not there and whose way begins with a name that the root does not have that is known.

        What a stat cannot show, the record does not take for proof either. Rows of databases are left out:
        looking at one may touch its files.
        """
        top = _names_at(self.root)
        return [
            path
            for path, before in self._looks.items()
            if not (before is None and _cannot_be(path, top))
            and file_stamp(os.path.join(self.root, path)) != before
        ]

    def settle(self, paths: Collection[str] | None = None) -> None:
        """Look again at inputs that were written in the tick of their reading, all or those at `paths`.

        If one is still the same and the clock has moved on, its stat alone is proof from now on.
        """
        wanted = self._records.keys() if paths is None else {self._relative(path) for path in paths}
        racy = [record for path, record in self._records.items() if record.racy and path in wanted]
        racy = [record for record in racy if record.kind in ("file", "folder")]
        if racy:
            now = self._tick()
            for record in racy:
                self._settle(record, now)

    def records(self) -> list[InputRecord]:
        """Return the record of every input so far, in the order of reading."""
        return list(self._records.values())

    def _relative(self, path: str) -> str:
        return path.removeprefix(self.root.rstrip(os.sep) + os.sep)

    def _read_and_record(self, path: str) -> bytes | None:
        self._looks[path] = file_stamp(os.path.join(self.root, path))
        try:
            found = self._found(path)
        except LeadsOutside as error:
            self._leave_out(path, error)
            return None
        except BadInput:
            found = None
            if not os.path.isdir(os.path.join(self.root, path)):
                self._problem(
                    f"{path}: not a readable file of at most {self._bound(path) >> 20} MiB; left out"
                )
        if found is None:
            self._record_absence(path)
            return None
        data, status = found
        record = self._records[path] = InputRecord("file", path, digest=content_digest(data))
        record.size = len(data)
        record.mtime_ns = status.st_mtime_ns
        record.ctime_ns = status.st_ctime_ns
        record.racy = status.st_mtime_ns >= self._now
        return data

    def _record_what_cannot_be(self, path: str) -> bool:
        """Record the absence of a file where the root lacks the first name on its way; return whether so.

        Most of the places where plans and logs may be are of that kind, and to look at each takes four calls
        into the system. What has come there since the root was listed makes the record stale.
        """
        if not _cannot_be(path, self._top) or path.startswith(DATA_DIRECTORY):
            return False
        first, _, rest = path.partition("/")
        self._looks[first] = None
        self._records[first] = (
            InputRecord("names", first, digest=_NO_FOLDER) if rest else InputRecord("absent", path)
        )
        return True

    def _record_absence(self, path: str) -> None:
        """Record that there is no such file: by its topmost folder that is not there, else by the file.

        One record stands for all that could be in that folder, so a start looks at it once.
        """
        folder = self._missing_folder(path)
        if folder is None:
            self._records[path] = self._not_there(path)
            return
        self._looks.pop(path, None)
        self._records.pop(path, None)
        self._looks[folder] = None
        self._records[folder] = InputRecord("names", folder, digest=_NO_FOLDER)

    def _not_there(self, path: str) -> InputRecord:
        """Return the record of a file that is not there, or in whose place stands what is none.

        Of a directory or a FIFO a summary may tell, so it is not the same as nothing.
        """
        other = other_type(os.path.join(self.root, path))
        return InputRecord("other", path, digest=other) if other else InputRecord("absent", path)

    def _missing_folder(self, path: str) -> str | None:
        """Return the topmost folder on the way to a file of ours to read that is not there, else None."""
        if os.path.isabs(path) or path.startswith(
            DATA_DIRECTORY
        ):  # our directory comes and goes by our own hand
            return None
        parts = path.split("/")
        for number in range(1, len(parts)):
            folder = "/".join(parts[:number])
            place = os.path.join(self.root, folder)
            if not os.path.isdir(place) and folder_digest(place) == _NO_FOLDER:
                return folder
        return None

    def _found(self, path: str) -> tuple[bytes, os.stat_result] | None:
        return read_with_status(self._roots[path], os.path.join(self.root, path), self._bound(path))

    def _bound(self, path: str) -> int:
        return self._most.get(path, MAX_INPUT_BYTES)

    def _leave_out(self, path: str, error: LeadsOutside) -> None:
        """Record the links on the way, all that may be looked at, and name the one that leads out."""
        self._problem(f"{error.link} is a link out of the project; not read")
        self._looks.pop(path, None)  # what it leads to may change with every look, and is no business of ours
        self._records[path] = InputRecord(
            "link", path, digest=link_digest(self.root, os.path.join(self.root, path))
        )

    def _problem(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _settle(self, record: InputRecord, now: int) -> None:
        if record.kind == "folder":
            place = os.path.join(self.root, record.path)
            before = file_stamp(place)
            same = before is not None and before[2] == record.mtime_ns < now
            record.racy = not (same and names_digest(place) == record.digest)
            return
        try:
            found = self._found(record.path)
        except (BadInput, LeadsOutside):
            return  # the next start sees it
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
            if not os.path.lexists(self._clock_file):
                append_line(self._clock_file, b"")
            # What is there was not examined: by a link, a file outside the project would be touched.
            os.utime(self._clock_file, follow_symlinks=not _TOUCHES_LINKS)
            return os.lstat(self._clock_file).st_mtime_ns
        except OSError:
            return 0


def _names_at(root: str) -> frozenset[str] | None:
    """Return the names in a root as a file system that ignores case compares them; None where unknown.

    They are not asked for in a folder of very many, nor where a file has several spellings.
    """
    try:
        if os.sep != "/" or os.stat(root).st_size > _LARGEST_ROOT:
            return None
        return frozenset(map(str.casefold, os.listdir(root)))
    except OSError:
        return None


def _cannot_be(path: str, top: frozenset[str] | None) -> bool:
    """Return whether there can be nothing at a path from the root, given the names that are there."""
    first = path.partition("/")[0]
    return (
        top is not None
        and first.casefold() not in top
        and path.isascii()
        and path.isprintable()
        and not {"", ".", ".."} & set(path.split("/"))
    )


def _numbered(line: bytes) -> tuple[str, bytes, tuple[int, int, int], bytes, str]:
    kind, flag, size, mtime, ctime, digest, path = record_parts(line)
    return kind.decode(), flag, (int(size), int(mtime), int(ctime)), digest, path


def _stats(path: str, now: int) -> tuple[str, int, int, bool]:
    try:
        status = os.stat(path)
    except OSError:
        return path, -1, 0, False
    return path, status.st_size, status.st_mtime_ns, status.st_mtime_ns >= now
