"""The spool: events of hooks on the disk until they are in the log.

A hook has little time, and a client reports an event only once. `spool/` has one file per event, in the order
of their names. The file is removed when the event is in the log; a kill in between leaves it, and recording
it again is recognised.
"""

from __future__ import annotations

import json
import os
import time
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin import PENDING_EVENT_ENDING
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.files import (
    create_new,
    list_inside,
    read_inside,
    sync_directory,
    write_atomic,
)
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_private, make_state_directory, state_file
from progress_plugin.log.timestamp import moment
from progress_plugin.text import lenient_json

FOLDER = "spool"
LOCK = f"{FOLDER}/drainer"  # of the one process that records what waits here
WANTED = f"{FOLDER}/summary-wanted"  # exists while a summary is wanted for which a start had no time


class PendingEvent(NamedTuple):
    """Something that a hook has to record."""

    kind: str  # `task`, `look` or `end`
    root: str  # of the checkout that it happened in
    session: str | None
    when: datetime
    facts: dict[str, Any]  # without secrets: `subject`, `client_task` and `details`, `commits`, or `reason`


def drainer(directory: str, timeout: float = 0) -> FileLock:
    """Return the lock of the process that records what waits; other processes leave that to its holder.

    Unlike the project's lock it is held while plans and logs are read.
    """
    subfolder(directory)
    return FileLock(_path(directory, LOCK), timeout)


def start_background(directory: str, root: str) -> None:
    """Start a process for the checkout at `root` that records what waits and makes a wanted summary.

    If another process holds the lock of the spool none is started: that one looks again when it has released
    it. Raises OSError if no process can be started.
    """
    from progress_plugin.core.processes import start_detached  # noqa: PLC0415 - seldom

    try:
        with drainer(directory):
            pass
    except Busy:
        return
    start_detached("background", "record", root)


def subfolder(directory: str) -> str:
    """Make the folder and return its path; `directory` is the log's. Raises AgentProgressError."""
    folder = os.path.join(make_state_directory(root_of(directory)), FOLDER)
    try:
        make_private(folder)
    except OSError as error:
        raise DiskRefused(f"cannot make {folder}", error) from error
    return folder


def _path(directory: str, name: str) -> str:
    return state_file(root_of(directory), name)


def want_summary(directory: str) -> None:
    """Ask the next background process for a summary; the request need not be durable."""
    write_atomic(os.path.join(subfolder(directory), os.path.basename(WANTED)), b"", durable=False)


def is_summary_wanted(directory: str) -> bool:
    """Return whether a summary was asked for and not begun."""
    return os.path.isfile(_path(directory, WANTED))


def summary_begun(directory: str) -> None:
    """Note that the summary that was asked for is being made: a later request asks for another."""
    if is_summary_wanted(directory):
        os.unlink(_path(directory, WANTED))


def is_waiting(directory: str) -> bool:
    """Return whether there is anything to do here."""
    return bool(names(directory)) or is_summary_wanted(directory)


def put(directory: str, happened: PendingEvent) -> str:
    """Keep an event durably, and return the path of its file. Our directory exists; no lock is needed.

    Raises AgentProgressError if the disk refuses.
    """
    facts = _without_secrets(happened.facts) if happened.facts else {}
    value = happened._replace(facts=facts)._asdict() | {"when": happened.when.isoformat()}
    folder = subfolder(directory)
    path = os.path.join(folder, f"{time.time_ns():020d}-{os.urandom(4).hex()}{PENDING_EVENT_ENDING}")
    written = create_new(path, json.dumps(value).encode())
    sync_directory(os.path.dirname(folder))
    return written


def _without_secrets(facts: dict[str, Any]) -> Any:
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - patterns only if there is text of a client

    return redact_value(facts)[0]


def waiting(directory: str) -> dict[str, PendingEvent | None]:
    """Return the events that wait, oldest first, by path; None for a file that holds none."""
    return {_path(directory, f"{FOLDER}/{name}"): _read(directory, name) for name in names(directory)}


def names(directory: str) -> list[str]:
    """Return the names of the files that wait, oldest first."""
    found = list_inside(None, _path(directory, FOLDER))
    return [name for name in found if name.endswith(PENDING_EVENT_ENDING)]


def _read(directory: str, name: str) -> PendingEvent | None:
    try:
        value = lenient_json.loads(read_inside(None, _path(directory, f"{FOLDER}/{name}")) or b"")
    except (BadInput, ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    kind, root, session, facts = (value.get(name) for name in ("kind", "root", "session", "facts"))
    when = moment(value.get("when"))
    if not isinstance(kind, str) or not isinstance(root, str) or not isinstance(session, str | None):
        return None
    return PendingEvent(kind, root, session, when, facts) if when and isinstance(facts, dict) else None
