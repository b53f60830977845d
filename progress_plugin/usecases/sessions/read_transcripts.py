"""Read transcripts into the records of sessions: at a compaction, an end of a session or turn, and a start.

Each time the whole transcript is read and its record replaced. A detached process reads what would take a
hook too long.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from progress_plugin.core import error_log
from progress_plugin.core.clients import HookEvent
from progress_plugin.core.errors import AgentProgressError, Busy
from progress_plugin.core.files import read_beginning
from progress_plugin.core.paths import is_outside, is_read_only
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id
from progress_plugin.transcripts import transcript as transcripts
from progress_plugin.transcripts.events import SessionPlace
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.record_builder import RecordBuilder
from progress_plugin.transcripts.session_store import MAX_RECORDS, SessionStore, readable_since, switch_off
from progress_plugin.usecases.last_session import reads_transcripts

INLINE_FILES, INLINE_BYTES = 5, 2 << 20  # of transcripts that are read while a client waits
LOCK_TIMEOUT_S = 60.0
MAX_OTHERS = 20  # recorded sessions outside Claude Code's folders: the newest are looked at again
_HEADLESS = re.compile(
    rb'"(?:entrypoint": ?"sdk-|originator": ?"codex_exec"|promptSource": ?"sdk"|source": ?"exec")'
)


def read_event_transcript(project: Project, event: HookEvent) -> None:
    """Read the transcript of an event's session."""
    session, client, is_end = event.session or "", event.client.name, event.name == "SessionEnd"
    path = event.text("transcript_path") or transcripts.usual_path(client, session, project.root)
    is_known = is_session_id(session) and client in transcripts.READABLE_CLIENTS
    if not is_known or not is_outside(path, project.root) or not _may_read(project):
        return
    store = SessionStore(project)
    records, transcript = store.load(), transcripts.stamped(transcripts.Transcript(client, session, path))
    if transcript.size > INLINE_BYTES:
        store.save(replace(records.get(session) or SessionRecord(client, session), transcript=path))
        start_detached("background", "read", project.root, "", session if is_end else "")
    elif transcript.size or is_end:
        read_session(project, transcript, records, over=is_end)


def read_changed_transcripts(project: Project, skip: str | None) -> None:
    """Read the transcripts that have changed since they were read, except that of the session `skip`.

    As many of the newest five are read now as fit into 2 MiB; a detached process reads the others.
    """
    if is_read_only():
        return
    try:
        records = SessionStore(project).load()
        missing = changed_transcripts(project, records, skip) if _may_read(project) else []
        inline: list[transcripts.Transcript] = []
        for transcript in reversed(missing[-INLINE_FILES:]):
            if sum(each.size for each in inline) + transcript.size <= INLINE_BYTES:
                inline.insert(0, transcript)
        for transcript in inline:
            read_session(project, transcript, records)
        if len(inline) < len(missing):
            start_detached("background", "read", project.root, skip or "", "")
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)


def read_all_changed_transcripts(project: Project, skip: str | None, ended: str = "") -> None:
    """Read the transcripts that have changed, oldest first, except that of `skip`; `ended` has ended."""
    store = SessionStore(project)
    if not _may_read(project):
        return
    with suppress(Busy), store.lock(LOCK_TIMEOUT_S):
        records = store.load()
        for transcript in changed_transcripts(project, records, skip):
            read_session(project, transcript, records, over=transcript.session == ended)
        store.forget_oldest()


def changed_transcripts(
    project: Project, records: Mapping[str, SessionRecord], skip: str | None
) -> list[transcripts.Transcript]:
    """Return the changed transcripts that may be read, oldest first, except that of the session `skip`."""
    found = transcripts.claude_transcripts(project.root)
    listed = {each.session for each in found}
    unlisted = (each for each in records.values() if each.session not in listed)
    others = [each for each in unlisted if each.client in transcripts.READABLE_CLIENTS]
    for record in sorted(others, key=lambda record: record.written_ns)[-MAX_OTHERS:]:
        path = record.transcript or transcripts.usual_path(record.client, record.session, project.root)
        if is_outside(path, project.root):
            found.append(transcripts.stamped(transcripts.Transcript(record.client, record.session, path)))
    known = {(session, record.written_ns, record.size) for session, record in records.items()}
    unread = {skip, *(session for session, record in records.items() if record.never_reread)}
    newest = sorted(found, key=lambda each: each.written_ns)[-MAX_RECORDS:]
    changed = (
        each for each in newest if each.size and (each.session, each.written_ns, each.size) not in known
    )
    return [each for each in changed if each.session not in unread]


def read_session(
    project: Project,
    transcript: transcripts.Transcript,
    records: dict[str, SessionRecord],
    *,
    over: bool = False,
) -> SessionRecord:
    """Read a whole transcript and replace the record of its session. Raises AgentProgressError or OSError.

    `records` are those of the project by session. `over` says that the session has ended. A session
    that ended earlier counts as running again if its last request is a new one and is about work.
    """
    store, known = SessionStore(project), records.get(transcript.session)
    if known is not None and known.never_reread:
        return known
    transcript = transcripts.stamped(transcript)
    if known is not None and known.size and not transcript.size:  # it is gone, or its database is locked
        known.over = known.over or over
        store.save(known)
        return known
    record = _read(project, transcript)
    if record is None:
        record = SessionRecord(client=transcript.client, session=transcript.session, foreign=True)
    record.transcript = transcript.path
    record.written_ns, record.size = transcript.written_ns, transcript.size
    request = record.requests[-1:]
    goes_on = known is not None and bool(request) and request[0].is_of_work and request != known.requests[-1:]
    record.over = over or (known is not None and known.over and not (known.size and goes_on))
    store.save(record)
    records[record.session] = record
    return record


def _read(project: Project, transcript: transcripts.Transcript) -> SessionRecord | None:
    """Return the record that a transcript makes; None for another project, for none and for a sub-agent."""
    since, when = readable_since(project), ""
    directory = transcripts.named_directory(transcript)
    here = transcripts.project_at(project, directory) if directory else None
    if directory and here is None:
        return None
    builder = RecordBuilder(transcript.client, transcript.session, project.root)
    beginning = read_beginning(None, transcript.path, transcripts.BEGINNING_BYTES)
    builder.record.headless = _HEADLESS.search(beginning) is not None
    for event in transcripts.transcript_events(transcript):
        if isinstance(event, SessionPlace) and event.is_subagent:
            return None
        if here is None and isinstance(event, SessionPlace) and event.directory:
            here = transcripts.project_at(project, event.directory)
            if here is None:
                return None
            builder.root, builder.record.worktree = here.root, here.worktree or ""
        when = event.when or when  # an event without a time belongs to the one before
        if not since or when[: len(since)] > since:
            builder.take(event)
    return builder.finished(here) if here is not None else None


def _may_read(project: Project) -> bool:
    """Return whether transcripts may be read. If not, note it, so that current sessions stay unread later."""
    if reads_transcripts(project):
        readable_since(project)  # the first call after reading was switched on stores the time
        return True
    switch_off(project)
    return False
