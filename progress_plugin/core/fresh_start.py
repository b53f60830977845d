"""A session start while nothing has changed: compare stats, print the ready summary (S8.2, S9.1).

This module runs at every start of every session, so it uses neither `os` (0.7 ms here, a sixth of a bare
interpreter) nor `json` (twice that): `posix` is what `os` is made of, and of the client's input three flat
strings are needed. Everything else is left to `usecases.start`, imported when it is.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.clients import PROJECT_VARIABLE, Client, current_client, session_start_output
from progress_plugin.core.door import read_input, say
from progress_plugin.core.version import VERSION
from progress_plugin.core.whereabouts import exists, physical, upward, value_of

FORMAT = b"agent-progress start cache "
MAGIC = FORMAT + b"6 "
DATABASE_VARIABLE = "AGENT_PROGRESS_DB"
OURS = "/.agent-os/progress"
CACHE = "/start.cache"
BASELINE = "/baseline.json"
SESSIONS = "/sessions/"
IGNORE = "/.gitignore"

_LARGEST = 64 * 1024 * 1024
_REGULAR = 0o100000
_DIRECTORY = 0o040000
_TYPE = 0o170000
_READ = (
    system.O_RDONLY
    | getattr(system, "O_NOFOLLOW", 0)
    | getattr(system, "O_NONBLOCK", 0)
    | getattr(system, "O_BINARY", 0)
)
_NOT_SHOWN = (
    "SITE",
    "DISABLED",
    "NO_INSTALL",
    "DB",
    "CORPUS",
    "PROJECT_DIR",
    "READ_ONLY",
    "WAITED",
    "WEIGHTS",
)
"""`AGENT_PROGRESS_*` variables that change nothing of what is shown."""


class Cache:
    """A start cache as read: a line of bytes per input, then what was made of them.

    `context`, `user_line` and `name`, the project's, are JSON string literals, the status line is itself.
    """

    __slots__ = ("context", "name", "records", "status_line", "user_line")

    def __init__(
        self,
        records: list[bytes],
        context: bytes,
        user_line: bytes,
        status_line: bytes = b"",
        name: bytes = b"",
    ) -> None:
        self.records = records
        self.context = context
        self.user_line = user_line
        self.status_line = status_line
        self.name = name


def answer(arguments: list[str]) -> tuple[bytes, Client] | None:
    """Answer the SessionStart hook; `arguments` are the event and, where a hooks file is its own, the client.

    Silent where nothing is of ours. Returns the input and the client where more is needed than this.
    """
    raw = read_input()
    variables = variable_names()
    if "AGENT_PROGRESS_DISABLED" in variables and value_of("AGENT_PROGRESS_DISABLED") not in ("", "0"):
        return None
    client = current_client(arguments[1] if len(arguments) > 1 else None, variables)
    start = started_in(raw)
    root = root_with_cache(start) if start else None
    session, source = session_of(raw), field(raw, b"source")
    if client.tells_server_nothing and start and session:
        from progress_plugin.core.session_keeping import keep  # noqa: PLC0415 - only some clients need it

        keep(session, start)
    # Where the packages are missing the slow way has them built, and tells the user.
    built = bool(value_of("AGENT_PROGRESS_SITE")) or _nothing_to_tell()
    if root is not None and built and not changes_output(variables):
        cache = read_cache(root)
        if cache is not None and first_change(cache.records, root) is None:
            if source != "resume":
                print_start(client, cache, source, cache.context)
                remember_session(root, session)
                return None
            if has_seen(root, session):
                print_start(client, cache, source, b"")
                return None
    if root is None and start:
        from progress_plugin.core.nothing_here import copy_outside, nothing_here  # noqa: PLC0415

        if nothing_here(start) and built and not copy_outside(start):
            return None
    return raw, client


def _nothing_to_tell() -> bool:
    import time  # noqa: PLC0415 - where the packages are missing

    from progress_plugin.core.build_attempts import nothing_to_tell  # noqa: PLC0415

    return nothing_to_tell(time.time())


def print_start(client: Client, cache: Cache, source: str | None, context: bytes) -> None:
    """Print the hook's answer; the line for the user only where a person has just sat down (S9.7)."""
    line = cache.user_line if source in (None, "startup", "resume", "new") else b""
    say(session_start_output(client, context, line))


def started_in(raw: bytes) -> str | None:
    """Return the directory a client works in: what its environment says, else its input (S5.1)."""
    named = value_of(PROJECT_VARIABLE) or field(raw, b"workspace_roots") or field(raw, b"cwd")
    return physical(named) if named else None


def session_of(raw: bytes) -> str | None:
    """Return the id of the session that an event belongs to."""
    return field(raw, b"session_id") or field(raw, b"conversation_id")


def field(raw: bytes, name: bytes) -> str | None:
    """Return a flat string member of a JSON object, or the first of a list; None where there is none.

    Inside a JSON string every quote is escaped, so the quoted name can stand only where a member begins.
    """
    at = raw.find(b'"' + name + b'"')
    if at < 0:
        return None
    rest = raw[at + len(name) + 2 : at + len(name) + 8200].lstrip()
    rest = rest[1:].lstrip(b" \t\r\n[") if rest[:1] == b":" else b""
    end = rest.find(b'"', 1)
    while end > 0 and rest[end - 1 : end] == b"\\" and _odd_backslashes(rest, end):
        end = rest.find(b'"', end + 1)
    value = rest[1:end] if rest[:1] == b'"' and end > 0 else b""
    if b"\\" in value:
        return _unescaped(value)
    return value.decode("utf-8", "replace") or None


def _odd_backslashes(text: bytes, end: int) -> bool:
    return (end - len(text[:end].rstrip(b"\\"))) % 2 == 1


def _unescaped(literal: bytes) -> str | None:
    import json  # noqa: PLC0415 - paths of Windows, and text no one expects in a path

    try:
        value = json.loads(b'"' + literal + b'"')
    except ValueError:
        return None
    return value if isinstance(value, str) and value else None


def variable_names() -> set[str]:
    """Return the names of all environment variables."""
    return {name.decode("utf-8", "replace") if isinstance(name, bytes) else name for name in system.environ}


def root_with_cache(start: str) -> str | None:
    """Return the nearest directory from `start` up to the repository's top that holds a cache of ours."""
    for current in upward(start):
        if exists(current + OURS):
            return current if exists(current + OURS + CACHE) else None
        if exists(current + "/.git"):
            return None
    return None


def modified(path: str) -> int | None:
    """Return when a file was written last, in ns; None where there is none."""
    try:
        return system.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return None


def read_cache(root: str) -> Cache | None:
    """Return the cache of the project at `root`; None where it is missing, of another version or not ours.

    A cache is printed as it stands, so one that a repository brought along would speak unescaped. What it
    cannot bring is the seal of a cache that was made here.
    """
    data = read_regular(root + OURS + CACHE)
    mark = seal(root)
    return None if data is None or mark is None else parse_cache(data, mark)


def parse_cache(data: bytes, mark: bytes | None = None) -> Cache | None:
    """Return a cache from its bytes; None where they are not of this version, or lack the seal `mark`."""
    head, _, body = data.partition(b"\n\n")
    first, *records = head.split(b"\n")
    magic, _, sealed = first.rpartition(b" ")
    parts = body.split(b"\n")
    if magic != MAGIC + VERSION.encode() or mark not in (None, sealed) or len(parts) != 5:  # noqa: PLR2004 - context, two lines, name, end
        return None
    return Cache(records, *parts[:4])


def seal(root: str) -> bytes | None:
    """Return what nobody elsewhere can know of the project at `root`, None where our directory is not made.

    That is when our `.gitignore` got its place on this disk, in nanoseconds: no archive and no clone can
    set a ctime, nor choose a file's number. A link in its place could lead to a file that is the same on
    every machine, so it is none.
    """
    try:
        place, status = system.stat(root), system.lstat(root + OURS + IGNORE)
    except (OSError, ValueError):
        return None
    if status.st_mode & _TYPE != _REGULAR:
        return None
    return b"%d.%d.%d" % (place.st_ino, status.st_ino, status.st_ctime_ns)


def first_change(records: list[bytes], root: str) -> bytes | None:
    """Return the first record that no longer holds, None where all do; one stat each as a rule.

    A record of a database's row stands for its files: while they are the same, so is the row. One of the
    variable that names the database holds while this call's environment names the same.
    A record reads `kind flag size mtime_ns ctime_ns digest path`. Size and mtime must be the recorded
    ones. Where they prove nothing, because the file was written in the clock tick it was read in (racy)
    or its ctime moved, the content must have the recorded hash.
    """
    for record in records:
        kind, flag, size, mtime, ctime, digest, path = record.split(b" ", 6)
        if b"%" in path:
            path = path.replace(b"%0A", b"\n").replace(b"%0D", b"\r").replace(b"%25", b"%")
        place = path.decode("utf-8", "surrogateescape")
        if not place.startswith("/") and place[1:2] != ":":
            place = root + "/" + place
        if kind == b"names":
            if folder_digest(place) != digest:
                return record
            continue
        if kind == b"link":
            from progress_plugin.core.link_way import way_digest  # noqa: PLC0415 - hardly a project has one

            if way_digest(root, place) != digest:
                return record
            continue
        if kind == b"variable":
            if database_named() != digest or digest == b"?":
                return record
            continue
        try:
            status = system.stat(place)
        except (OSError, ValueError):
            if kind != b"absent" and size != b"-1":
                return record
            continue
        if status.st_mode & _TYPE != _REGULAR:
            if kind != b"absent":
                return record
        elif kind == b"absent" or status.st_size != int(size) or status.st_mtime_ns != int(mtime):
            return record
        elif kind == b"row":
            # Only the row itself could tell; whoever is asked next reads it (S8.3).
            if flag == b"racy":
                return record
        elif flag == b"racy" or status.st_ctime_ns != int(ctime):
            content = read_regular(place)
            if content is None or content_digest(content) != digest:
                return record
    return None


def read_regular(path: str) -> bytes | None:
    """Return the content of a regular file; None for anything else: no link is followed, no FIFO waited for.

    Folders on the way are not looked at: what is read is compared with what was read, or carries our seal.
    """
    try:
        if system.lstat(path).st_mode & _TYPE != _REGULAR:
            return None
        handle = system.open(path, _READ)
    except (OSError, ValueError):
        return None
    try:
        if system.fstat(handle).st_mode & _TYPE != _REGULAR:
            return None
        parts, room = [], _LARGEST
        while room > 0 and (part := system.read(handle, min(room, 1 << 20))):
            parts.append(part)
            room -= len(part)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        system.close(handle)


def content_digest(data: bytes) -> bytes:
    """Return a content hash: BLAKE2b, 128 bits, hexadecimal."""
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - what `hashlib` hands on, without its OpenSSL: 2 ms
    except ImportError:
        from hashlib import blake2b  # noqa: PLC0415

    return blake2b(data, digest_size=16).hexdigest().encode()


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


def database_named() -> bytes:
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


def folder_names(path: str) -> list[str]:
    """Return the names in a folder; none where there is no folder."""
    try:
        return system.listdir(path)
    except (OSError, ValueError):
        return []


def remember_session(root: str, session: str | None) -> None:
    """Keep what this session was shown: a second name for the cache's file; no data is written.

    The cache is replaced, never changed in place, so that name goes on showing the old text, and a resume
    can tell what is new (S9.3). Where links cannot be made, a resume shows everything.
    """
    target = session_path(root, session)
    if target is None or not _is_plain_folder(root + OURS + SESSIONS[:-1]):
        return
    for again in (True, False):
        try:
            system.link(root + OURS + CACHE, target)
        except FileExistsError:
            if has_seen(root, session) or not again or not _removed(target):
                return
        except FileNotFoundError:
            if not again or not exists(root + OURS + CACHE):
                return
            system.mkdir(root + OURS + SESSIONS)
        except OSError:
            return
        else:
            return


def _removed(path: str) -> bool:
    try:
        system.unlink(path)
    except OSError:
        return False
    return True


def _is_plain_folder(path: str) -> bool:
    """Tell whether a folder of ours is one, or can be made: no link that leads somewhere else (S16.4)."""
    try:
        return system.lstat(path).st_mode & _TYPE == _DIRECTORY
    except (OSError, ValueError):
        return True


def has_seen(root: str, session: str | None) -> bool:
    """Tell whether a session was shown the very cache that stands there now."""
    target = session_path(root, session)
    if target is None:
        return False
    try:
        seen, now = system.stat(target), system.stat(root + OURS + CACHE)
    except OSError:
        return False
    return (seen.st_ino, seen.st_dev) == (now.st_ino, now.st_dev)


def session_path(root: str, session: str | None) -> str | None:
    """Return where a session's last text is kept; None for an id that cannot be a file name."""
    if not session or len(session) > 80 or not session.replace("-", "").replace("_", "").isalnum():  # noqa: PLR2004
        return None
    return root + OURS + SESSIONS + session


def changes_output(variables: set[str] | None = None) -> bool:
    """Tell whether this call's environment asks for another output than the stored one (S12)."""
    names = (
        variables if variables is not None else {name.decode("utf-8", "replace") for name in system.environ}
    )
    prefix = "AGENT_PROGRESS_"
    return any(name.startswith(prefix) and name[len(prefix) :] not in _NOT_SHOWN for name in names)
