"""The start cache: its format, how it is read, and whether its records of inputs still hold.

It is read at every start of every session, so it uses neither `os` nor `json`.

What is recorded of an input is in `core.files.input_records` (`Inputs`), what is read at all, in
`usecases.summarizing.sources`.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import (
    FILE_TYPE,
    REGULAR_TYPE,
    content_digest,
    exists,
    read_regular,
    upward,
    value_of,
)
from progress_plugin.core.version import START_CACHE_FORMAT, VERSION

_MAGIC = b"agent-progress start cache "
CACHE_MAGIC = _MAGIC + START_CACHE_FORMAT + b" "
"""How a start cache of this format begins."""
DATABASE_VARIABLE = "AGENT_PROGRESS_DB"
DATA_SUFFIX = "/.agent-os/progress"
"""Our directory below a root: `known_paths.DATA_DIRECTORY`, which is not loaded for this alone."""
CACHE_FILE = "/start.cache"
SESSIONS_KIND = b"sessions"
"""Kind of the record of a client's folder of transcripts: names, which starts alone look at."""
BESIDE_KIND = b"sessions-beside"
"""Kind of the record of which such folders there are for a project: of its root, and of what is below."""
BASELINE_FILE = "/baseline.json"
IGNORE_FILE = "/.gitignore"


class CacheHead:
    """The first part of a start cache, of whatever version: what wrote it where, and its records."""

    __slots__ = ("format", "records", "seal", "version")

    def __init__(self, words: list[bytes], records: list[bytes]) -> None:
        self.format, self.version, self.seal = words
        self.records = records


class Cache:
    """A start cache as read: a line of bytes per input, then what was made of them.

    `context`, `user_line` and `name`, the project's, are JSON string literals, the status line is itself.
    `told` are the ids of the learnings that the context tells, with blanks between them.
    """

    __slots__ = ("context", "name", "records", "status_line", "told", "user_line")

    def __init__(  # noqa: PLR0913, PLR0917 - the lines of the file
        self,
        records: list[bytes],
        context: bytes,
        user_line: bytes,
        status_line: bytes = b"",
        name: bytes = b"",
        told: bytes = b"",
    ) -> None:
        self.records = records
        self.context = context
        self.user_line = user_line
        self.status_line = status_line
        self.name = name
        self.told = told


def root_with_cache(start: str) -> str | None:
    """Return the nearest directory from `start` up to the repository's top that holds a cache of ours."""
    for current in upward(start):
        if exists(current + DATA_SUFFIX):
            return current if exists(current + DATA_SUFFIX + CACHE_FILE) else None
        if exists(current + "/.git"):
            return None
    return None


def read_cache(root: str) -> Cache | None:
    """Return the cache of the project at `root`; None where it is missing, of another version or not ours.

    A cache is printed as it is, so one that a repository brought along would speak unescaped. What it
    cannot bring is the seal of a cache that was made here.
    """
    data = read_regular(root + DATA_SUFFIX + CACHE_FILE)
    mark = seal(root)
    return None if data is None or mark is None else parse_cache(data, mark)


def parse_cache(data: bytes, mark: bytes | None = None) -> Cache | None:
    """Return a cache from its bytes; None where they are not of this version, or lack the seal `mark`."""
    head, parts = cache_head(data), data.partition(b"\n\n")[2].split(b"\n")
    if head is None or head.format != START_CACHE_FORMAT or head.version != VERSION.encode():
        return None
    if mark not in (None, head.seal) or len(parts) != 6:  # noqa: PLR2004 - context, two lines, name, told, end
        return None
    return Cache(head.records, *parts[:5])


def cache_head(data: bytes) -> CacheHead | None:
    """Return the head of a start cache of any format; None where the bytes are none."""
    first, *records = data.partition(b"\n\n")[0].split(b"\n")
    words = first.removeprefix(_MAGIC).split(b" ")
    if not first.startswith(_MAGIC) or len(words) != 3:  # noqa: PLR2004 - format, version, seal
        return None
    return CacheHead(words, records)


def seal(root: str) -> bytes | None:
    """Return what no other place can know of the project at `root`, None where our directory is not made.

    That is when our `.gitignore` got its place on this disk, in nanoseconds: no archive and no clone can
    set a ctime, nor choose a file's number. A link in its place could lead to a file that is the same on
    every machine, so it is none.
    """
    try:
        place, status = system.stat(root), system.lstat(root + DATA_SUFFIX + IGNORE_FILE)
    except (OSError, ValueError):
        return None
    if status.st_mode & FILE_TYPE != REGULAR_TYPE:
        return None
    return b"%d.%d.%d" % (place.st_ino, status.st_ino, status.st_ctime_ns)


def cache_bytes(root: str, records: list[bytes], ready: tuple[bytes, bytes, bytes, bytes, bytes]) -> bytes:
    """Return a start cache as it is written: magic and seal, records, an empty line, and what is ready.

    That is context, line for the user, status line, name and what is told, in the order of `Cache`.
    """
    head = CACHE_MAGIC + VERSION.encode() + b" " + (seal(root) or b"unsealed")
    return b"\n".join([head, *records, b"", *ready, b""])


def record_line(kind: str, flag: str, numbers: tuple[int, int, int], digest: bytes, path: str) -> bytes:
    """Return a record as one line: `kind flag size mtime_ns ctime_ns digest path`, the path escaped."""
    plain = path.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")
    size, mtime, ctime = numbers
    return (
        f"{kind} {flag} {size} {mtime} {ctime} ".encode()
        + digest
        + b" "
        + plain.encode("utf-8", "surrogateescape")
    )


def record_parts(record: bytes) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes, str]:
    """Return the parts of a record in the order of `record_line`, the path without its escapes."""
    kind, flag, size, mtime, ctime, digest, path = record.split(b" ", 6)
    if b"%" in path:
        path = path.replace(b"%0A", b"\n").replace(b"%0D", b"\r").replace(b"%25", b"%")
    return kind, flag, size, mtime, ctime, digest, path.decode("utf-8", "surrogateescape")


def first_change(records: list[bytes], root: str) -> bytes | None:
    """Return the first record that no longer holds, None where all do; one stat each as a rule.

    A record of a database's row stands for its files: while they are the same, so is the row. One of the
    variable that names the database holds while this call's environment names the same.
    A folder's mtime stands for its names, unless that is racy. Size and mtime of a file must be the recorded
    ones. Where they prove nothing, because the file was written in the
    clock tick it was read in (racy) or its ctime moved, the content must have the recorded hash.
    """
    for record in records:
        if not _holds(record, root):
            return record
    return None


def _holds(record: bytes, root: str) -> bool:
    kind, flag, size, mtime, ctime, digest, place = record_parts(record)
    if not place.startswith("/") and place[1:2] != ":":
        place = root + "/" + place
    if kind in (b"names", SESSIONS_KIND):
        return folder_digest(place) == digest
    if kind == BESIDE_KIND:
        return digest_beside(place) == digest
    if kind == b"link":
        from progress_plugin.core.fast.link_records import link_digest  # noqa: PLC0415 - hardly a project has one

        return link_digest(root, place) == digest
    if kind == b"variable":
        return database_digest() == digest != b"?"
    try:
        status = system.stat(place)
    except (OSError, ValueError):
        return kind == b"absent" or size == b"-1"
    if status.st_mode & FILE_TYPE != REGULAR_TYPE:
        if kind == b"folder":
            return (flag != b"racy" and status.st_mtime_ns == int(mtime)) or names_digest(place) == digest
        return kind == b"other" and digest == _type_word(status.st_mode)
    if (
        kind in (b"absent", b"other", b"folder")
        or status.st_size != int(size)
        or status.st_mtime_ns != int(mtime)
    ):
        return False
    if kind == b"row":
        # Only the row itself would show more; the next step reads it.
        return flag != b"racy"
    if flag != b"racy" and status.st_ctime_ns == int(ctime):
        return True
    content = read_regular(place)
    return content is not None and content_digest(content) == digest


def other_type(path: str) -> bytes | None:
    """Return what stands in the place of a file, as one word; None for a regular file or nothing."""
    try:
        mode = system.stat(path).st_mode
    except (OSError, ValueError):
        return None
    return None if mode & FILE_TYPE == REGULAR_TYPE else _type_word(mode)


def _type_word(mode: int) -> bytes:
    return b"%o" % (mode & FILE_TYPE)


def folder_digest(path: str) -> bytes:
    """Return the names in a folder as one comparable word; `-` where there is no folder."""
    try:
        names = "/".join(sorted(system.listdir(path)))
    except (OSError, ValueError):
        return b"-"
    return (
        names.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A").encode("utf-8", "surrogateescape")
        or b"."
    )


def digest_beside(path: str) -> bytes:
    """Return which folders are called as this one, or so with more behind a dash; `-` where there is none."""
    above, _, own = path.rpartition("/")
    try:
        found = [name for name in system.listdir(above) if name == own or name.startswith(f"{own}-")]
    except (OSError, ValueError):
        return b"-"
    return content_digest("/".join(sorted(found)).encode("utf-8", "surrogateescape")) if found else b"-"


def names_digest(path: str) -> bytes:
    """Return a hash of the names in a folder, for one that may hold thousands."""
    return content_digest(folder_digest(path))


def database_digest() -> bytes:
    """Return which memory database the environment names, as one word: `-` for none.

    `?` stands for one that depends on the working directory, so that two calls may mean two.
    """
    named = value_of(DATABASE_VARIABLE)
    if not named:
        return b"-"
    if named.startswith("~/"):
        named = value_of("HOME") + named[1:]
    if not named.startswith("/") and named[1:2] != ":":
        return b"?"
    word = named.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A").replace("\r", "%0D")
    return word.encode("utf-8", "surrogateescape")
