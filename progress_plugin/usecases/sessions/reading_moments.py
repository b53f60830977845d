"""When transcripts are read: before a compaction, at a session's end, at the next start what is missing."""

from __future__ import annotations

import os
import time

from progress_plugin.core import error_log
from progress_plugin.core.clients import CLIENTS, HookEvent
from progress_plugin.core.errors import AgentProgressError, Busy
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id
from progress_plugin.core.start_cache import has_start_cache, load_fresh_cache
from progress_plugin.core.variables import looks_only
from progress_plugin.transcripts.begun_transcripts import begun_transcripts, end_begun, forget_begun
from progress_plugin.transcripts.clients.json_members import at
from progress_plugin.transcripts.reading_pause import begin_pause, end_pause
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile, usual_path
from progress_plugin.transcripts.transcript_lines import last_record
from progress_plugin.usecases.last_session import reads_transcripts
from progress_plugin.usecases.sessions.sessions_without_end import (
    AT_ONCE,
    divided,
    missing_sessions,
    read_missing,
)
from progress_plugin.usecases.sessions.transcript_reading import Outcome, read_transcript, unread

END = "SessionEnd"
_FOR_THE_LOCK = 0.5
_AT_REST, _LONGEST_WAIT = 0.3, 3.0
"""Seconds for which nobody has written a transcript that is at its end, and the most waited for that."""


def take_in(project: Project, event: HookEvent) -> None:
    """Read the transcript of an event's session; start a process for one that is too long for a hook."""
    is_end, client = event.name == END, event.client
    is_late = is_end and bool(client.last_record_type)
    file = _file_of(project, event, may_follow=is_late)
    if file is None and is_end and event.session is not None:
        end_begun(project, client.name, event.session)
    if file is None or not _may_read(project):
        return
    store = SessionStore(project)
    if store.path is None:
        return
    known = next((record for record in store.records() if record.session == file.session), None)
    is_short, record = unread(known, file) <= AT_ONCE, None
    is_left = is_late or not is_short
    if is_short:
        try:
            with store.lock(_FOR_THE_LOCK):
                record = read_transcript(store, file, over=is_end, is_whole=not is_late).record
        except Busy:
            is_left = True
    if is_left:
        over = "over" if is_end else ""
        _detach(project.root, file.client, file.session, file.path, str(file.changed), over)
    elif (
        record is not None and not is_end and not client.reports_session_end and _is_read_whole(record, file)
    ):
        end_begun(project, client.name, file.session)


def _is_read_whole(record: SessionRecord, file: TranscriptFile) -> bool:
    """Return whether a reading has left nothing to a later one, not even a call without its result."""
    waiting = at(record.reading.get(file.path), "waiting")
    return not waiting and unread(record, file) == 0


def renew(project: Project) -> None:
    """Make ready what the next start tells, where what was read has changed it."""
    from progress_plugin.usecases.summary_files import composed_and_kept, keep_ready  # noqa: PLC0415 - large

    if not project.has_directory:
        keep_ready(project)
        return
    if has_start_cache(project.root) and load_fresh_cache(project.root) is None:
        _, fault = composed_and_kept(project, _FOR_THE_LOCK)
        if fault is not None and not isinstance(fault, Busy):
            raise fault


def catch_up(project: Project, session: str | None) -> None:
    """Read what sessions left that ended without a word, but for the one that starts."""
    try:
        if not _may_read(project):
            return
        end_pause(project.root)
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)
        return
    store = SessionStore(project)
    if store.path is None:
        return
    forget_begun(project)
    now, behind = divided(missing_sessions(project, store, session))
    try:
        if behind:
            _detach(project.root, session or "")
        read_missing(store, now, _FOR_THE_LOCK)
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)


def ask_for_all(project: Project) -> None:
    """Read what is missing, as the next start would, for somebody who asks for the sessions."""
    if not looks_only():
        catch_up(project, None)


def read_behind(project: Project, session: str | None) -> None:
    """Read what a start had no time for, until all is known; arguments are as for `catch_up`."""
    store = SessionStore(project)
    if not _may_read(project) or store.path is None:
        return
    read_missing(store, missing_sessions(project, store, session), DEFAULT_TIMEOUT_S)
    renew(project)


def running_session(project: Project, session: str | None) -> SessionRecord | None:
    """Return the record of a session that goes on after a compaction, with what is new; None without one."""
    if session is None or not reads_transcripts(project):
        return None
    store = SessionStore(project)
    record = next((each for each in store.records() if each.session == session), None)
    file = _file_of_running(project, session, record)
    if file is None or store.path is None or unread(record, file) > AT_ONCE:
        return record
    try:
        with store.lock(_FOR_THE_LOCK):
            return read_transcript(store, file, over=False).record or record
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)
        return record


def _file_of_running(project: Project, session: str, record: SessionRecord | None) -> TranscriptFile | None:
    """Return the transcript of a session that goes on; of one that nobody has read what its start has noted.

    OpenCode tells of no compaction before it has happened, and its first turn may not have ended by then.
    """
    if record is None:
        begun = (each for each in begun_transcripts(project) if each.session == session)
        return next((each for each in begun if os.path.exists(each.path)), None)
    path = next(iter(record.reading), "")
    return TranscriptFile(record.client, session, path, 0) if os.path.exists(path) else None


def goes_on(project: Project, session: str | None) -> None:
    """Note of a resumed session that it has not ended: it may be killed before it does so again."""
    if session is None or not reads_transcripts(project):
        return
    store = SessionStore(project)
    if store.path is None or not any(each.session == session and each.over for each in store.records()):
        return
    with store.lock(_FOR_THE_LOCK):
        for record in store.records():
            if record.session == session:
                record.over = False
                store.put([record])


def read_detached(project: Project, file: TranscriptFile, *, over: bool) -> Outcome:
    """Read what a hook had no time for; `file.changed` says when that was, in ns.

    Where the client has not written its end by then, the session stays noted: the next start looks again.
    """
    store = SessionStore(project)
    is_whole = not over or _waits_for_its_end(file)
    with store.lock(DEFAULT_TIMEOUT_S):
        done = read_transcript(store, file, over=over, is_whole=is_whole)
    renew(project)
    return done


def _waits_for_its_end(file: TranscriptFile) -> bool:
    """Wait until a transcript has its end, a few seconds at most; return whether it has."""
    last = CLIENTS[file.client].last_record_type if file.client in CLIENTS else ""
    until = time.monotonic() + _LONGEST_WAIT
    while time.monotonic() < until:
        try:
            written = os.stat(file.path).st_mtime_ns
        except OSError:
            written = 0  # it may be written yet
        if last and written >= file.changed and last_record(file.path).get("type") == last:
            return True
        if written and not last and time.time() - written / 1e9 > _AT_REST:
            return True
        time.sleep(_AT_REST / 4)
    return not last


def _may_read(project: Project) -> bool:
    """Return whether transcripts are read; where that is switched off, note it: what happens stays unread."""
    if reads_transcripts(project):
        return True
    begin_pause(project.root)
    return False


def _file_of(project: Project, event: HookEvent, *, may_follow: bool) -> TranscriptFile | None:
    """Return the transcript that a hook's input names; None if it names none, or one in the project.

    None, too, if it is not there, unless it `may_follow`.
    """
    session, client = event.session, event.client.name
    if session is None or not is_session_id(session):
        return None
    path = event.text("transcript_path") or usual_path(client, session, project.root)
    if not path or not is_outside(path, project.root):
        return None
    is_known = may_follow or os.path.isfile(path)
    return TranscriptFile(client, session, path, time.time_ns()) if is_known else None


def _detach(*arguments: str) -> None:
    """Start a process that reads, with the arguments of `hooks.background.read`."""
    start_detached("background", "read", *arguments)
