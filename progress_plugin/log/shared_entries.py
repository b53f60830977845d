"""Entries as files that git carries from clone to clone: `shared/<writer>/<YYYY-MM>/<id>.<digest>.json`.

Each entry has a file of its own, made once and never changed. Its name holds a digest of its bytes, so two
branches with the same name have the same file: no merge, rebase, squash or cherry-pick can conflict, also if
two clones have one name. A file that is appended to would conflict as soon as one writer has been on two
branches (`docs/many-machines.md`). A writer is a clone, under a random name; all worktrees of a repository
are one. The files of others are validated by `entry_of`.

No copy, branch or clone is to bring an erased entry again. What was erased here is kept in the private state
of the project, which no repository can bring, with what others say by git or on the team's server. What they
say counts for entries of others only: nothing from elsewhere takes an entry out of a log. `sync`, `verify`
and `doctor` name it, and the user erases it. Entries are named by digests of their ids.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import LeadsOutside, content_digest, read_inside, resolve_inside, write_atomic
from progress_plugin.core.paths import make_state_directory, state_file, user_config
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.entry import WRITER, is_deep, is_valid, json_line, text_of, time_of
from progress_plugin.text.decode import finite

SHARED_FOLDER = "shared"
MAX_ENTRY_BYTES = 256 * 1024  # bytes of one entry
ERASURES = "erased"  # folder of a writer with an empty file per erased entry, named by a digest of its id
DIGEST_DIGITS = 12
ERASED_FILE = "erased"  # a line per entry: its digest, and the clone that has erased it unless it is this one
WRITER_FILE = "writer"  # in the private state, so that no copy of the working directory has the name
RANDOM_BYTES = 3
MAX_HOST_CHARS = 24
TAKEN_FILE = "shared"  # which files were taken in; if it is lost, all are looked at
_WRITER_NAME = re.compile(r"[0-9a-z](?:[0-9a-z-]{0,58}[0-9a-z])?")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,119}")  # that can be in the name of a file
_NAME = re.compile(rf"({_ID.pattern})\.[0-9a-f]{{12}}\.json")
_ERASURE = re.compile(r"[0-9a-f]{32}")


class SharedFile(NamedTuple):
    """A file of an entry, or that says that one was erased."""

    writer: str
    folder: str  # the month of the entry; else `ERASURES`
    name: str

    @property
    def path(self) -> str:
        """Its path in `shared/`."""
        return os.path.join(*self)

    @property
    def entry_id(self) -> str | None:
        """The id of its entry; None if it has none."""
        return id_in(self.name) if self.folder != ERASURES else None


def id_in(name: str) -> str | None:
    """Return the id of the entry in a file of this name; None for any other name."""
    match = _NAME.fullmatch(name)
    return match[1] if match else None


def month_of(entry: dict[str, Any]) -> str:
    """Return the folder of an entry with a readable time, which is the month of its archive."""
    when = time_of(entry)
    return f"{when.year:04}-{when.month:02}" if when else ""


def put(directory: str, writer: str, entries: Iterable[dict[str, Any]]) -> list[str]:
    """Make the files of entries in our directory, and return the ids of those that cannot be shared.

    The caller holds the lock. Raises Refused if a link leads out, AgentProgressError and OSError if the disk
    refuses.
    """
    left: list[str] = []
    for entry in entries:
        data = line_of(entry)
        if data is None:
            left.append(text_of(entry, "id") or "(no id)")
        else:
            name = f"{entry['id']}.{content_digest(data)[:DIGEST_DIGITS].decode()}.json"
            put_file(directory, SharedFile(writer, month_of(entry), name), data)
    return left


def put_file(directory: str, file: SharedFile, data: bytes) -> None:
    """Make a file unless it is there; an erasure is empty. The caller holds the lock. Raises as `put`."""
    # By our directory, not by the project: what was checked out may have a link in it.
    path = os.path.join(directory, SHARED_FOLDER, file.path)
    folder = resolve_inside(directory, os.path.dirname(path))
    os.makedirs(folder, exist_ok=True)
    if not os.path.lexists(path):
        write_atomic(os.path.join(folder, file.name), data, root=directory, durable=False)


def list_files(directory: str, inputs: InputSnapshot | None = None) -> Iterator[SharedFile]:
    """Yield the files that are called like an entry or erasure; note their folders in `inputs`."""
    inputs = inputs or InputSnapshot(root_of(directory))
    top = os.path.relpath(os.path.join(directory, SHARED_FOLDER), root_of(directory))
    for writer in filter(is_writer, inputs.list_folder(top)):
        for folder in reversed(inputs.list_folder(os.path.join(top, writer))):
            is_name = _NAME.fullmatch if _MONTH.fullmatch(folder) else _ERASURE.fullmatch
            if folder == ERASURES or _MONTH.fullmatch(folder):
                names = inputs.list_folder(os.path.join(top, writer, folder))
                yield from (SharedFile(writer, folder, name) for name in names if is_name(name))


def read(directory: str, file: SharedFile) -> dict[str, Any] | None:
    """Return the entry in a file, redacted and without a writer; None if it holds another or no valid one."""
    path = os.path.join(directory, SHARED_FOLDER, file.path)
    try:
        data = None if os.path.islink(path) else read_inside(root_of(directory), path, MAX_ENTRY_BYTES)
    except (BadInput, LeadsOutside):
        return None
    entry = entry_of(data or b"")
    is_named = entry is not None and (entry["id"], month_of(entry)) == (file.entry_id, file.folder)
    return entry if is_named else None


def read_taken(directory: str) -> set[str]:
    """Return the paths of the files that were taken in."""
    return set(_read_state(directory, TAKEN_FILE))


def add_taken(directory: str, files: Iterable[SharedFile]) -> None:
    """Keep which files were taken in, too. The caller holds the lock. Raises as `write_atomic`."""
    _write_state(directory, TAKEN_FILE, sorted(read_taken(directory) | {file.path for file in files}))


def is_writer(name: str) -> bool:
    """Return whether this can be the name of a clone."""
    return _WRITER_NAME.fullmatch(name) is not None


def known_writer(directory: str) -> str | None:
    """Return the name of this clone; None if it has none yet. `directory` is the log's."""
    data = read_inside(None, state_file(root_of(directory), WRITER_FILE)) or b""
    name = data.decode("ascii", "replace").strip()
    return name if is_writer(name) else None


def ensure_writer(directory: str) -> str:
    """Return the name of this clone, made now if it has none. The caller holds the project's lock.

    Raises AgentProgressError if there is no home to keep it in, or the disk refuses.
    """
    known = known_writer(directory)
    if known is not None:
        return known
    import platform  # noqa: PLC0415 - once in a clone's life

    host = platform.node().partition(".")[0]
    name = f"{_plain(_chosen_name()) or _plain(host) or 'host'}-{os.urandom(RANDOM_BYTES).hex()}"
    _write_state(directory, WRITER_FILE, [name])
    return name


def _chosen_name() -> str:
    """Return the user's name for their clones; a file of a repository cannot set it."""
    from progress_plugin.config.settings import load  # noqa: PLC0415 - once in a clone's life

    folder = user_config()
    users = read_inside(None, os.path.join(folder, "config.toml")) if folder else None
    return load(None, {}, users, os.environ).effective.team_name or ""


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower())[:MAX_HOST_CHARS].strip("-")


def digest_of(name: str) -> str:
    """Return the digest that replaces the id of an erased entry, which itself must not be kept."""
    return content_digest(name.encode("utf-8", "replace")).decode()


def is_id(name: object) -> bool:
    """Return whether the entry of this id can be shared."""
    return isinstance(name, str) and _ID.fullmatch(name) is not None


def line_of(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as it leaves this machine: a line of JSON without writer, secrets and private parts.

    None if no other clone would take it in: see `entry_of`.
    """
    if not is_valid(entry) or not is_id(entry["id"]) or is_deep(entry) or _is_large(json_line(entry)):
        return None  # redacting what is too large would take long, for nothing
    data = json_line(_redacted(entry)) + b"\n"
    return None if _is_large(data) else data


def entry_of(data: bytes) -> dict[str, Any] | None:
    """Return the entry that another clone wrote, redacted and without a writer; None if it is not valid."""
    try:
        entry: Any = None if _is_large(data) else _DECODER.decode(data.decode())
    except (ValueError, RecursionError):
        return None
    if is_deep(entry) or not (is_valid(entry) and is_id(entry["id"])):
        return None
    return _redacted(entry)


def _is_large(data: bytes) -> bool:
    return len(data) > MAX_ENTRY_BYTES


def _redacted(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without writer and secrets; its id stays."""
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - patterns only if something is written

    redacted: dict[str, Any] = redact_value({key: value for key, value in entry.items() if key != WRITER})[0]
    return {**redacted, "id": entry["id"]}


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_float=finite, parse_constant=_refuse)


class KnownErasures(NamedTuple):
    """The entries that are known as erased, by digests of their ids."""

    own: frozenset[str]  # erased here, by any writer
    others: Mapping[str, str]  # erased elsewhere, each with the clone that says so

    def has(self, name: str | None, writer: str | None) -> bool:
        """Return whether an entry is known as erased; `writer` is None for one that was written here."""
        digest = digest_of(name or "")
        return digest in self.own or (writer is not None and digest in self.others)


def read_erasures(directory: str, shared: str | None = None) -> KnownErasures:
    """Read the known erasures; `shared` is the directory with `shared/`, if not this one."""
    others: dict[str, str] = {}
    own: set[str] = set()
    for line in _read_state(directory, ERASED_FILE):
        digest, _, writer = line.partition(" ")
        if writer:
            others[digest] = writer
        else:
            own.add(digest)
    files = list_files(shared or directory)
    others |= {file.name: file.writer for file in files if file.folder == ERASURES}
    return KnownErasures(frozenset(own), others)


def remember_erasures(
    directory: str,
    shared: str | None = None,
    *,
    own: str | None = None,
    others: Mapping[str, str] | None = None,
) -> None:
    """Keep the digest of an `own` erasure, and what others say, also for when their branch is gone.

    Caller holds the lock. Raises as `write_atomic`.
    """
    known = read_erasures(directory, shared)
    elsewhere = sorted({**known.others, **(others or {})}.items())
    lines = [*sorted(known.own | {own} if own else known.own), *map(" ".join, elsewhere)]
    if lines and lines != _read_state(directory, ERASED_FILE):
        _write_state(directory, ERASED_FILE, lines)


def _read_state(directory: str, name: str) -> list[str]:
    """Return the lines of a private file; none if it cannot be read."""
    try:
        data = read_inside(None, state_file(root_of(directory), name)) or b""
    except BadInput:
        return []
    return data.decode("utf-8", "replace").splitlines()


def _write_state(directory: str, name: str, lines: Iterable[str]) -> None:
    path = os.path.join(make_state_directory(root_of(directory)), name)
    write_atomic(path, "".join(f"{line}\n" for line in lines).encode(), private=True)
