"""An answer to the end of a turn in which a task was called done that no check proves.

Off unless the user asks for it. Each completion is answered for once, whatever the client says of its stop
hook, so no turn can go on for ever; where the transcript is not whole yet nothing is said.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from progress_plugin.config.load import load
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.hook_filter import AT_STOP
from progress_plugin.core.fast.minimal_os import variable_names
from progress_plugin.core.fast.shown_sessions import session_path
from progress_plugin.core.files import atomic_file, data_directory, safe_read
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.log import history
from progress_plugin.log.entry import data_of, text_of, time_of
from progress_plugin.log.recent_entries import headline
from progress_plugin.log.timestamp import moment
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import item
from progress_plugin.transcripts.clients.json_members import text
from progress_plugin.transcripts.evidence import FAILED, STALE, UNCHECKED, Evidence, evidence_of_turn
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.timeline import ASKED
from progress_plugin.transcripts.transcript_files import TranscriptFile
from progress_plugin.transcripts.transcript_lines import last_record
from progress_plugin.usecases.sessions.reading_moments import is_to_come, take_in
from progress_plugin.usecases.sessions.transcript_reading import unread
from progress_plugin.usecases.summarizing.evidence_input import completions

CHECKS = "checks"
_ANSWERED = ".gate"
"""Ending of the file that names the completions a session was answered for, beside what it was shown."""
_PATIENCE = 0.5
"""Seconds for the client to write the end of the turn: they write some 100 ms after it."""
_PAUSE = 0.03
_NAMED = 3
_LONGEST = 80


def answer(project: Project, raw: bytes) -> bytes:
    """Return what a Stop hook prints, nothing where the turn may end; the answer is noted before it is given.

    Raises AgentProgressError or OSError where a record cannot be read or written.
    """
    told = _parsed(raw)
    session = text(told, "session_id")
    if told.get("stop_hook_active") is True or not _is_on(project):
        return b""
    if not current_client(None, variable_names()).can_block_stop:
        return b""
    done = _unanswered(project, session)
    record = _whole_record(project, raw, told) if done else None
    if record is None:
        return b""
    begun = max((step.when for step in record.timeline.steps if step.kind == ASKED), default=0.0)
    done = [entry for entry in done if (when := time_of(entry)) and when.timestamp() + 1 >= begun]
    found = evidence_of_turn(record.timeline)
    if not done or not _is_unproven(found) or not _note(project, session, done):
        return b""
    return json.dumps({"decision": "block", "reason": _reason(done, found, record)}).encode()


def _is_on(project: Project) -> bool:
    own = data_directory.read(project.directory, "config.toml")
    users = user_config()
    named = safe_read.read(os.path.join(users, "config.toml"), None) if users else None
    settings = load(own, {}, named, {}).stored
    return settings.gate == CHECKS and settings.transcripts


def _unanswered(project: Project, session: str) -> list[dict[str, Any]]:
    """Return the completions of a session that nothing was said of yet."""
    path = session_path(project.root, session)
    if path is None:
        return []
    known = set((safe_read.read(path + _ANSWERED, project.root) or b"").decode("utf-8", "replace").split())
    return [
        entry
        for entry in completions(history.load(project.log_directory))
        if data_of(entry).get("session_id") == session and text_of(entry, "id") not in known
    ]


def _whole_record(project: Project, raw: bytes, told: dict[str, Any]) -> SessionRecord | None:
    """Return the session's record up to the end of this turn; None where that is not to be had in time.

    Copilot writes nothing at all before a quick first turn has ended.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        record = take_in(project, AT_STOP, raw)
        if is_read_to_its_end(record, told) if record is not None else not is_to_come(project, raw):
            return record
        if time.monotonic() > until:
            return None
        time.sleep(_PAUSE)


def is_read_to_its_end(record: SessionRecord, told: dict[str, Any]) -> bool:
    """Return whether a transcript was read up to the message, or else the time, of the turn's end.

    What is written while it is read counts once it is read.
    """
    message = text(told, "last_assistant_message")
    if message.strip():
        return record.has_closed_with(message)
    ended, path = moment(told.get("timestamp")), next(iter(record.reading), "")
    last = moment(last_record(path).get("timestamp"))
    is_there = ended is not None and last is not None and last >= ended
    return is_there and not unread(record, TranscriptFile(record.client, record.session, path, 0))


def _is_unproven(found: Evidence) -> bool:
    """Return whether the turn ends with a failing check, or with edits of code that nothing has checked."""
    return found.state in (FAILED, STALE) or (found.state == UNCHECKED and bool(found.files))


def _note(project: Project, session: str, done: list[dict[str, Any]]) -> bool:
    """Note for which completions an answer is given; False where that cannot be, and none may be given."""
    path = session_path(project.root, session)
    names = " ".join(filter(None, (text_of(entry, "id") for entry in done)))
    try:
        target = atomic_file.ensure_inside(project.root, f"{path}{_ANSWERED}")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        atomic_file.add(target, names.encode() + b"\n")
    except (OSError, AgentProgressError):
        return False
    return True


def _reason(done: list[dict[str, Any]], found: Evidence, record: SessionRecord) -> str:
    """Return facts, and no order: what was called done, and what the checks say."""
    tasks = some_of([item(text_of(entry, "task_id") or headline(entry), _LONGEST) for entry in done], _NAMED)
    names = some_of([f"`{item(name, _LONGEST)}`" for name in found.checks], _NAMED)
    if found.state == FAILED:
        run = record.checks.get(found.checks[0])
        says = f": {item(run.says, 2 * _LONGEST)}" if run is not None and run.says else ""
        fact = f"{names} failed after the last edit{says}"
    else:
        edited = some_of([item(path, _LONGEST) for path in found.files], _NAMED)
        before = f" ({names} ran before it)" if found.state == STALE else ""
        fact = f"no check ran after the last edit of {edited or 'a file'}{before}"
    are = "is" if len(done) == 1 else "are"
    return f"agent-progress: {tasks} {are} marked done, and {fact}. This is said once; the setting is `gate`."


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
