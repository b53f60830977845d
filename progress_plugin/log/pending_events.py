"""The spool: events of hooks on the disk until they are in the log.

A hook has little time, and a client reports an event only once. `spool/` has one file per event, whose name
begins with the time. The file is removed when the event is in the log. If the process is killed in between,
the event is read again, but logged only once.
"""

from __future__ import annotations

import json
import os
import time
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin import PENDING_EVENT_ENDING, PENDING_EVENTS
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import list_inside, read_inside, sync_directory, write_atomic
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.log.timestamp import read_time
from progress_plugin.text.decode import parse_json


class PendingEvent(NamedTuple):
    """Something that a hook has to record."""

    kind: str  # `task`: one was finished; `look`: a plan may have changed; `end`: the session ended
    root: str  # of the checkout that it happened in
    session: str | None
    when: datetime
    facts: dict[str, Any]  # `subject`, `client_task` and `details` of a task, `reason` of an end


def spool_lock(directory: str, timeout: float = 0) -> FileLock:
    """Return the lock of the process that records waiting events, with a `timeout` in seconds.

    The process looks for new events again after it has released the lock. Unlike the project's lock, this one
    is held while plans and logs are read.
    """
    return FileLock(os.path.join(_make_folder(directory), "drainer"), timeout, "events are being recorded")


def put(directory: str, event: PendingEvent) -> None:
    """Write an event durably and without its secrets. No lock is needed.

    Raises AgentProgressError or OSError if the disk refuses.
    """
    facts = event.facts
    if facts:
        from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - only if there is text of a client

        facts, _ = redact_value(facts)
    value = event._replace(facts=facts)._asdict() | {"when": event.when.isoformat()}
    folder = _make_folder(directory)
    name = f"{time.time_ns():020d}-{os.urandom(4).hex()}{PENDING_EVENT_ENDING}"
    write_atomic(os.path.join(folder, name), json.dumps(value).encode())
    sync_directory(os.path.dirname(folder))


def read_waiting(directory: str) -> dict[str, PendingEvent | None]:
    """Return the waiting events by path, oldest first; None for an unreadable file."""
    return {(path := os.path.join(_folder(directory), name)): _read(path) for name in names(directory)}


def names(directory: str) -> list[str]:
    """Return the names of the files of waiting events, oldest first."""
    return [name for name in list_inside(None, _folder(directory)) if name.endswith(PENDING_EVENT_ENDING)]


def _make_folder(directory: str) -> str:
    """Make the folder and return its path; `directory` has the log. Raises AgentProgressError."""
    return make_state_directory(root_of(directory), PENDING_EVENTS)


def _folder(directory: str) -> str:
    return state_file(root_of(directory), PENDING_EVENTS)


def _read(path: str) -> PendingEvent | None:
    try:
        value = parse_json(read_inside(None, path) or b"")
        event = PendingEvent(*(value[name] for name in PendingEvent._fields))
    except (BadInput, ValueError, RecursionError, KeyError, TypeError):
        return None
    is_text = isinstance(event.kind, str) and isinstance(event.root, str)
    when = read_time(event.when) if is_text and isinstance(event.session, str | None) else None
    return event._replace(when=when) if when and isinstance(event.facts, dict) else None
