"""Entries as files that git carries from clone to clone: `shared/<writer>/<YYYY-MM>/<id>.<digest>.json`.

Each entry has its own file, which never changes. The file name contains a digest of the content, so files of
the same name are equal on all branches: no merge, rebase, squash or cherry-pick can conflict, even if two
clones have the same name. A file that grows would conflict after one writer worked on two branches
(`docs/many-machines.md`). A writer is a clone with a random name; all worktrees of a repository are one
writer. `parse_entry` validates the files of other writers.

An erased entry must not come back through a copy, branch or clone. So the private state of the project, which
no repository can supply, stores digests of the erased ids: of those erased here, and of those that other
clones announce through git or the team's server. A remote erasure blocks remote entries only. It never
removes an entry from our log: `sync`, `verify` and `doctor` name the entry, and the user erases it.
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
from progress_plugin.log.entry import WRITER, is_deep, is_valid, json_line, time_of
from progress_plugin.text.decode import finite

SHARED_FOLDER = "shared"
MAX_ENTRY_BYTES = 256 * 1024  # bytes of one entry
ERASURES_FOLDER = "erased"  # in `shared/<writer>/`: an empty file per erased entry, named by its digest
DIGEST_DIGITS = 12
ERASURES_FILE = "erased"  # a line per erased entry: its digest, then the clone that erased it if not this one
WRITER_FILE = "writer"  # in the private state, so a copied working directory gets another name
IMPORTED_FILE = "shared"  # paths of the imported files; if it is lost, all files are read again
_WRITER_NAME = re.compile(r"[0-9a-z](?:[0-9a-z-]{0,58}[0-9a-z])?")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,119}")  # an id that a file name can contain
_NAME = re.compile(rf"({_ID.pattern})\.[0-9a-f]{{12}}\.json")
_ERASURE = re.compile(r"[0-9a-f]{32}")


class SharedFile(NamedTuple):
    """A file that holds an entry or announces an erasure."""

    writer: str
    folder: str  # month of the entry, or `ERASURES_FOLDER`
    name: str

    @property
    def path(self) -> str:
        return os.path.join(*self)

    @property
    def entry_id(self) -> str | None:
        """The id of its entry; None for an erasure."""
        return id_in(self.name) if self.folder != ERASURES_FOLDER else None


def id_in(name: str) -> str | None:
    """Return the entry id in a file name; None if it is not the name of an entry file."""
    match = _NAME.fullmatch(name)
    return match[1] if match else None


def month_of(entry: dict[str, Any]) -> str:
    """Return the month of an entry, which names its folder, e.g. `2026-03`; empty without a readable time."""
    when = time_of(entry)
    return f"{when.year:04}-{when.month:02}" if when else ""


def put_entry(directory: str, writer: str, entry: dict[str, Any]) -> bool:
    """Write the file of an entry in our directory; return whether it can be shared. Raises as `put_file`."""
    data = serialise_entry(entry)
    if data is None:
        return False
    name = f"{entry['id']}.{content_digest(data)[:DIGEST_DIGITS].decode()}.json"
    put_file(directory, SharedFile(writer, month_of(entry), name), data)
    return True


def put_file(directory: str, file: SharedFile, data: bytes) -> None:
    """Write a file unless it exists; an erasure is empty. The caller holds the lock.

    Raises Refused if a link leads out, AgentProgressError or OSError if the disk refuses.
    """
    # A checked-out file may be a link: it may not lead out of our directory, not even into the project.
    path = os.path.join(directory, SHARED_FOLDER, file.path)
    folder = resolve_inside(directory, os.path.dirname(path))
    os.makedirs(folder, exist_ok=True)
    if not os.path.lexists(path):
        write_atomic(os.path.join(folder, file.name), data, root=directory, durable=False)


def list_files(directory: str, inputs: InputSnapshot | None = None) -> Iterator[SharedFile]:
    """Yield the files that are named as entries or erasures, and note the folders read in `inputs`."""
    inputs = inputs or InputSnapshot(root_of(directory))
    top = os.path.relpath(os.path.join(directory, SHARED_FOLDER), root_of(directory))
    for writer in filter(is_writer, inputs.list_folder(top)):
        for folder in reversed(inputs.list_folder(os.path.join(top, writer))):
            is_name = _NAME.fullmatch if _MONTH.fullmatch(folder) else _ERASURE.fullmatch
            if folder == ERASURES_FOLDER or _MONTH.fullmatch(folder):
                names = inputs.list_folder(os.path.join(top, writer, folder))
                yield from (SharedFile(writer, folder, name) for name in names if is_name(name))


def read(directory: str, file: SharedFile) -> dict[str, Any] | None:
    """Return the redacted entry of a file with its writer; None if it is invalid or does not belong there."""
    path = os.path.join(directory, SHARED_FOLDER, file.path)
    try:
        data = None if os.path.islink(path) else read_inside(root_of(directory), path, MAX_ENTRY_BYTES)
    except (BadInput, LeadsOutside):
        return None
    entry = parse_entry(data or b"", file.writer)
    is_named = entry is not None and (entry["id"], month_of(entry)) == (file.entry_id, file.folder)
    return entry if is_named else None


def read_imported(directory: str) -> set[str]:
    return set(_read_state(directory, IMPORTED_FILE))


def add_imported(directory: str, files: Iterable[SharedFile]) -> None:
    """Add files to the list of imported files. The caller holds the lock.

    Raises AgentProgressError if the disk refuses.
    """
    _write_state(directory, IMPORTED_FILE, sorted(read_imported(directory) | {file.path for file in files}))


def is_writer(name: str) -> bool:
    return _WRITER_NAME.fullmatch(name) is not None


def known_writer(directory: str) -> str | None:
    """Return the name of this clone; None if it has none yet. `directory` is the directory of the log."""
    name = next(iter(_read_state(directory, WRITER_FILE)), "")
    return name if is_writer(name) else None


def ensure_writer(directory: str) -> str:
    """Return the name of this clone; create it if it has none. The caller holds the project's lock.

    Raises AgentProgressError if the disk refuses.
    """
    known = known_writer(directory)
    if known is not None:
        return known
    import platform  # noqa: PLC0415 - once in a clone's life

    from progress_plugin.config.settings import load  # noqa: PLC0415

    users = read_inside(None, os.path.join(user_config(), "config.toml"))  # not a repository's settings
    team_name = load(None, {}, users, os.environ).effective.team_name or ""
    host = platform.node().partition(".")[0]
    name = f"{_plain(team_name) or _plain(host) or 'host'}-{os.urandom(3).hex()}"
    _write_state(directory, WRITER_FILE, [name])
    return name


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower())[:24].strip("-")


def digest_of(name: str) -> str:
    """Return the digest of the id of an erased entry; the id itself must not be kept."""
    return content_digest(name.encode("utf-8", "replace")).decode()


def is_id(name: object) -> bool:
    return isinstance(name, str) and _ID.fullmatch(name) is not None


def serialise_entry(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as one line of JSON without writer, secrets and private parts, ready to be sent.

    Returns None if `parse_entry` of another clone would reject it.
    """
    if not is_valid(entry) or not is_id(entry["id"]) or is_deep(entry) or _is_large(json_line(entry)):
        return None  # checked before redacting, which is slow for a large entry
    data = json_line(_redact_entry(entry)) + b"\n"
    return None if _is_large(data) else data


def parse_entry(data: bytes, writer: str) -> dict[str, Any] | None:
    """Parse and redact an entry that came from the clone `writer`; None if it is not valid."""
    try:
        entry: Any = None if _is_large(data) else _DECODER.decode(data.decode())
    except (ValueError, RecursionError):
        return None
    if is_deep(entry) or not (is_valid(entry) and is_id(entry["id"])):
        return None
    return {**_redact_entry(entry), WRITER: writer}


def _is_large(data: bytes) -> bool:
    return len(data) > MAX_ENTRY_BYTES


def _redact_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without writer and secrets, but with its id unchanged."""
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - only if something is written

    redacted: dict[str, Any] = redact_value({key: value for key, value in entry.items() if key != WRITER})[0]
    return {**redacted, "id": entry["id"]}


def _refuse_constant(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_float=finite, parse_constant=_refuse_constant)


def read_erasures(directory: str, shared: str | None = None) -> dict[str, str]:
    """Map the digest of each erased entry's id to the clone that erased it, `""` for this one.

    `directory` is the directory of the log, `shared` the one with the folder `shared/`, by default the same.
    """
    files = list_files(shared or directory)
    announced = {file.name: file.writer for file in files if file.folder == ERASURES_FOLDER}
    # Of two lines with one digest, the line without a clone comes last and counts: it was erased here.
    lines = sorted(_read_state(directory, ERASURES_FILE), reverse=True)
    return announced | {digest: writer for digest, _, writer in (line.partition(" ") for line in lines)}


def is_erased(erasures: Mapping[str, str], name: str | None, writer: str | None) -> bool:
    """Return whether an entry was erased; `writer` is None for an entry of this clone."""
    eraser = erasures.get(digest_of(name or ""))
    return eraser == "" or (eraser is not None and writer is not None)


def remember_erasures(directory: str, new: Mapping[str, str], shared: str | None = None) -> None:
    """Store new erasures and those of `shared/`, so that they survive the deletion of a branch.

    The caller holds the lock. Raises AgentProgressError if the disk refuses.
    """
    known = {**read_erasures(directory, shared), **new}
    lines = [f"{digest} {writer}".rstrip() for digest, writer in sorted(known.items())]
    if lines and lines != _read_state(directory, ERASURES_FILE):
        _write_state(directory, ERASURES_FILE, lines)


def _read_state(directory: str, name: str) -> list[str]:
    """Return the lines of a file in the private state; an empty list if it cannot be read."""
    try:
        data = read_inside(None, state_file(root_of(directory), name)) or b""
    except BadInput:
        return []
    return data.decode("utf-8", "replace").splitlines()


def _write_state(directory: str, name: str, lines: Iterable[str]) -> None:
    path = os.path.join(make_state_directory(root_of(directory)), name)
    write_atomic(path, "".join(f"{line}\n" for line in lines).encode(), private=True)
