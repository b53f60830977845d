"""The index of what is recorded about files: its format, and the look at one file's name.

It is looked into at every file that an agent reads or edits, so a name that nobody mentions costs two small
reads, however much is recorded: a table of fixed width leads from the name to its rows.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import is_absolute, open_regular
from progress_plugin.core.private_state import state_file
from progress_plugin.core.version import FILE_INDEX_FORMAT, VERSION

INDEX_FILE = "files.index"
_MAGIC = b"agent-progress file index "
HEAD = 192
"""Bytes of the first line, filled up with blanks: magic, version, place of the table, its slots."""
_MOST_DIGITS = 10
"""Of the numbers there: offsets in the table are four bytes."""
SLOT = 8
"""Bytes of a slot: where a bucket begins and how long it is, four each, the low byte first."""
MOST_OF_A_BUCKET = 64 * 1024
"""Bytes of a bucket; rows beyond them are left out when the index is made."""
ID_LENGTH = 12
"""Characters of a note's id."""
LONGEST_NOTE = 4096
"""Bytes of a note."""
_LINKS = 8
"""Links in a row that are followed from a file's own name."""


class Reference:
    """A note as a row names it: its id, where it is in the file, and its price in tokens."""

    __slots__ = ("id", "length", "offset", "tokens")

    def __init__(self, word: bytes) -> None:
        self.id, offset, length, tokens = word.split(b":")
        self.offset, self.length, self.tokens = int(offset), int(length), int(tokens)


class Row:
    """A recorded path and the notes about it, those that matter most first."""

    __slots__ = ("notes", "path", "shown", "tokens")

    def __init__(self, line: bytes) -> None:
        _, path, self.shown, tokens, notes = line.split(b"\t")
        self.path = path.decode("utf-8", "replace")
        self.tokens = int(tokens)
        self.notes = [Reference(word) for word in notes.split(b" ")]


class FileIndex:
    """An index that is open; whoever opens it closes it."""

    __slots__ = ("_handle", "_slots", "_table")

    def __init__(self, handle: int, table: int, slots: int) -> None:
        self._handle = handle
        self._table = table
        self._slots = slots

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a base name, in whatever case; none where nobody mentions it."""
        key = key_of(name)
        slot = self._part(self._table + SLOT * slot_of(key, self._slots), SLOT)
        size = int.from_bytes(slot[4:], "little")
        if not 0 < size <= MOST_OF_A_BUCKET:
            return []
        lines = self._part(int.from_bytes(slot[:4], "little"), size).split(b"\n")
        try:
            return [Row(line) for line in lines if line.startswith(key + b"\t")]
        except ValueError:
            return []  # it was damaged; the next summary makes it again

    def note(self, reference: Reference) -> bytes:
        """Return the text of a note, the inside of a JSON literal."""
        return self._part(reference.offset, min(reference.length, LONGEST_NOTE))

    def is_in_place(self, root: str) -> bool:
        """Return whether it is the index of the project at `root` now: another may have replaced it since."""
        try:
            now, this = system.stat(state_file(root, INDEX_FILE)), system.fstat(self._handle)
        except OSError:
            return False
        return (now.st_dev, now.st_ino) == (this.st_dev, this.st_ino)

    def close(self) -> None:
        """Let go of the file."""
        system.close(self._handle)

    def _part(self, offset: int, size: int) -> bytes:
        return _part(self._handle, offset, size)


def names_of(path: str, start: str) -> list[str]:
    """Return a tool's path and, where that is a link, the paths it leads to.

    All are absolute, with forward slashes; a relative one is taken from `start`.
    """
    path = path.replace("\\", "/")
    found = [path if is_absolute(path) else f"{start}/{path}"]
    while len(found) <= _LINKS:
        try:
            target = system.readlink(found[-1]).replace("\\", "/")
        except (OSError, ValueError):
            break
        found.append(target if is_absolute(target) else f"{found[-1].rpartition('/')[0]}/{target}")
    return found


def open_index(root: str) -> FileIndex | None:
    """Open the index of the project at `root`; None if there is none of this version."""
    handle = open_regular(state_file(root, INDEX_FILE))
    if handle is None:
        return None
    words = _part(handle, 0, HEAD).removeprefix(_MAGIC).split()
    table, slots = words[2:] if len(words) == 4 else (b"", b"")  # noqa: PLR2004
    is_ours = words[:2] == [FILE_INDEX_FORMAT, VERSION.encode()]
    is_sound = max(len(table), len(slots)) <= _MOST_DIGITS and table.isdigit() and slots.isdigit()
    if not is_ours or not is_sound or int(slots) == 0:
        system.close(handle)
        return None
    return FileIndex(handle, int(table), int(slots))


def head_line(table: int, slots: int) -> bytes:
    """Return the first line of an index: where its table begins, and its slots, at least one."""
    words = _MAGIC + FILE_INDEX_FORMAT + b" " + VERSION.encode() + b" %d %d" % (table, slots)
    return words.ljust(HEAD - 1) + b"\n"


def key_of(name: str) -> bytes:
    """Return what a base name is looked up by: case is compared later, where it makes a difference."""
    return name.lower().encode("utf-8", "replace")


def slot_of(key: bytes, slots: int) -> int:
    """Return the number of a key's slot."""
    return int.from_bytes(key, "little") % slots


def _part(handle: int, offset: int, size: int) -> bytes:
    """Return a part of the file; empty for a place that no file has, which a repository may have written."""
    try:
        system.lseek(handle, offset, 0)
        return system.read(handle, size)
    except (OSError, OverflowError):
        return b""
