"""Read transcripts into the records of sessions: at a compaction, at a session's end, and at the next start.

A reading reads the whole transcript again and replaces the record. What is too much for a hook is read by a
detached process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from progress_plugin.core import error_log
from progress_plugin.core.clients import HookEvent
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy
from progress_plugin.core.files import read_inside, read_range
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id
from progress_plugin.core.start_cache import has_start_cache, load_fresh_cache
from progress_plugin.core.variables import looks_only
from progress_plugin.log.timestamp import moment
from progress_plugin.transcripts.clients.json_members import text
from progress_plugin.transcripts.clients.readers import can_read, read_events
from progress_plugin.transcripts.disk_edits import edits_since
from progress_plugin.transcripts.events import Asked, Compacted, Event, Setting, SubagentTranscript
from progress_plugin.transcripts.locate import (
    BEGINNING_BYTES,
    Transcript,
    claude_folders,
    claude_transcripts,
    named_directory,
    project_at,
    stamped,
    subagent_transcripts,
    usual_path,
)
from progress_plugin.transcripts.own_commits import own_commits
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import MAX_RECORDS, SessionStore, readable_since, switch_off
from progress_plugin.transcripts.transcript_lines import transcript_lines
from progress_plugin.usecases.last_session import reads_transcripts

INLINE_FILES, INLINE_BYTES = 5, 2 << 20  # of transcripts that are read while a client waits
MAX_OTHERS = 20  # sessions of clients without a folder per project that are looked at again
MAX_META_BYTES = 64 << 10
RENEW_TIMEOUT_S = 0.5
_HEADLESS = re.compile(
    rb'"(?:entrypoint": ?"sdk-|originator": ?"codex_exec"|promptSource": ?"sdk"|source": ?"exec")'
)


def take_in(project: Project, event: HookEvent) -> None:
    """Read the transcript of an event's session."""
    session, client, is_end = event.session or "", event.client.name, event.name == "SessionEnd"
    path = event.text("transcript_path") or usual_path(client, session, project.root)
    is_usable = is_session_id(session) and can_read(client) and is_outside(path, project.root)
    if not is_usable or not _may_read(project):
        return
    transcript = stamped(Transcript(client, session, path))
    if transcript.size > INLINE_BYTES:
        over = "over" if is_end else ""
        start_detached("background", "read", project.root, client, session, path, over)
    elif transcript.size or is_end:
        read_session(project, transcript, SessionStore(project).load(), over=is_end)


def catch_up(project: Project, skip: str | None) -> None:
    """Read the transcripts that have changed since they were read, except that of the session `skip`.

    The newest are read now, as far as they are small; a detached process reads the others.
    """
    if looks_only():
        return
    try:
        records = SessionStore(project).load()
        missing = changed_transcripts(project, records, skip) if _may_read(project) else []
        inline: list[Transcript] = []
        left = INLINE_BYTES
        for transcript in reversed(missing):
            if len(inline) < INLINE_FILES and transcript.size <= left:
                inline.insert(0, transcript)
                left -= transcript.size
        for transcript in inline:
            read_session(project, transcript, records)
        if len(inline) < len(missing):
            start_detached("background", "read", project.root, skip or "")
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)


def read_rest(project: Project, skip: str | None) -> None:
    """Read all transcripts that have changed, oldest first, unless another process does."""
    store = SessionStore(project)
    if not _may_read(project):
        return
    try:
        with store.lock(0):
            records = store.load()
            for transcript in changed_transcripts(project, records, skip):
                read_session(project, transcript, records)
            store.forget_oldest()
    except Busy:
        return
    renew(project)


def read_detached(project: Project, transcript: Transcript, *, over: bool) -> None:
    """Read a transcript that a hook had no time for."""
    if _may_read(project):
        read_session(project, transcript, SessionStore(project).load(), over=over)
        renew(project)


def renew(project: Project) -> None:
    """Make what the next start shows, if the records that it was made from have changed."""
    from progress_plugin.usecases.summary_files import composed_and_kept, keep_ready  # noqa: PLC0415 - large

    if not project.has_directory:
        keep_ready(project)
    elif has_start_cache(project.root) and load_fresh_cache(project.root) is None:
        _, fault = composed_and_kept(project, RENEW_TIMEOUT_S)
        if fault is not None and not isinstance(fault, Busy):
            raise fault


def changed_transcripts(
    project: Project, records: Mapping[str, SessionRecord], skip: str | None
) -> list[Transcript]:
    """Return the transcripts that have changed since they were read, except that of a session, oldest first.

    If there are as many records as are kept, transcripts that are older than all of them are left out.
    """
    found = [each for folder in claude_folders(project) for each in claude_transcripts(folder)]
    listed = {each.session for each in found}
    others = sorted(
        (record for record in records.values() if record.session not in listed and can_read(record.client)),
        key=lambda record: record.written_ns,
    )
    found += [_transcript_of(project, record) for record in others[-MAX_OTHERS:]]
    is_full = len(records) >= MAX_RECORDS
    oldest_ns = min(record.written_ns for record in records.values()) if is_full else 0
    newest = sorted(found, key=lambda each: each.written_ns)[-MAX_RECORDS:]
    return [
        each
        for each in newest
        if each.session != skip
        and each.written_ns >= oldest_ns
        and _has_changed(each, records.get(each.session))
    ]


def read_session(
    project: Project,
    transcript: Transcript,
    records: dict[str, SessionRecord],
    *,
    over: bool = False,
) -> SessionRecord:
    """Read a whole transcript and replace the record of its session. Raises AgentProgressError or OSError.

    `records` are those of the project by session. `over` says that the session has ended; one that ended
    before goes on if something was asked since.
    """
    store, known = SessionStore(project), records.get(transcript.session)
    if known is not None and known.frozen:
        return known
    transcript = stamped(transcript)
    if known is not None and known.size and not transcript.size:  # it is gone, or its database is locked
        known.over = known.over or over
        store.save(known)
        return known
    record = SessionRecord(transcript.client, transcript.session, project.root)
    here = _fill(record, project, transcript, records.values())
    if here is None:
        record = SessionRecord(transcript.client, transcript.session, project.root)
        record.foreign = True
    else:
        _end_by_now(record)
        _add_from_disk(record, here)
    record.transcript, record.written_ns, record.size = transcript[2:]
    record.over = over or (known is not None and known.over and not _goes_on(record, known))
    store.save(record)
    records[record.session] = record
    return record


def _fill(
    record: SessionRecord, project: Project, transcript: Transcript, others: Iterable[SessionRecord]
) -> Project | None:
    """Take in what a transcript says; return the project where it worked, None if it is another."""
    since, when = readable_since(project), ""
    directory = named_directory(transcript)
    here = project_at(project, directory) if directory else None
    if directory and here is None:
        return None
    record.headless = _HEADLESS.search(read_range(None, transcript.path, 0, BEGINNING_BYTES)) is not None
    for event in _without_copied(_events(transcript), record, others):
        if isinstance(event, SubagentTranscript):
            return None
        if here is None and isinstance(event, Setting) and event.directory:
            here = project_at(project, event.directory)
            if here is None:
                return None
            record.root, record.worktree = here.root, here.worktree or ""
        when = event.when or when  # an event without a time belongs to the one before
        if not since or when[: len(since)] > since:
            record.take(event)
    return here


def _events(transcript: Transcript) -> Iterator[Event]:
    """Yield the events of a session, then those of its sub-agents that have transcripts of their own."""
    if transcript.client == "opencode":
        from progress_plugin.transcripts.clients.opencode import read_lines  # noqa: PLC0415 - SQLite: 7 ms

        yield from read_events(transcript.client, read_lines(transcript.path, transcript.session))
        return
    yield from read_events(transcript.client, transcript_lines(transcript.path))
    for path in subagent_transcripts(transcript.path):
        yield from read_events(transcript.client, transcript_lines(path), _agent_of(path))


def _without_copied(
    events: Iterable[Event], record: SessionRecord, others: Iterable[SessionRecord]
) -> Iterator[Event]:
    """Leave out what a fork has copied from another session: all up to the first request of its own.

    Claude Code begins a fork with the records of its origin, under their ids.
    """
    known = {key for other in others if other.session != record.session for key in other.keys}
    is_copied = False
    for event in events:
        if isinstance(event, Asked | Compacted) and event.key:
            is_copied = event.key in known
        if not is_copied or isinstance(event, Setting | SubagentTranscript):
            yield event


def _agent_of(path: str) -> str:
    """Return the name of the sub-agent that wrote a transcript, from the file beside it."""
    try:
        data = read_inside(None, path.removesuffix(".jsonl") + ".meta.json", MAX_META_BYTES)
        return text(json.loads(data) if data else None, "agentType") or "sub-agent"
    except (BadInput, ValueError, RecursionError):
        return "sub-agent"


def _end_by_now(record: SessionRecord) -> None:
    """Let a session end by now if its clock was ahead: it would be the last one until then."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    record.ended = min(record.ended, now)
    record.started = min(record.started, record.ended)


def _add_from_disk(record: SessionRecord, project: Project) -> None:
    """Add edits that only the disk shows, and the session's own commits. Git's times have no fraction."""
    first, last = moment(record.started), moment(record.ended)
    if not first or not last:
        return
    edits = edits_since(project.repository, project.root, first.timestamp(), record.files)
    record.add_edits_on_disk(edits)
    if project.repository is None:
        return
    made = project.repository.local_commits(first.timestamp() + 1, last.timestamp() + 1)
    files_of = partial(project.repository.files_of_each, directory=project.root)
    own = own_commits(made, record.commit_calls, record.files, files_of)
    record.add_commits((commit.id, commit.subject) for commit in own)


def _goes_on(record: SessionRecord, known: SessionRecord) -> bool:
    """Return whether something was asked since a session had ended; a client adds lines behind the end."""
    is_new = known.size > 0 and record.requests[-1:] != known.requests[-1:]
    return is_new and bool(record.requests) and not record.requests[-1].is_to_client


def _transcript_of(project: Project, record: SessionRecord) -> Transcript:
    path = record.transcript or usual_path(record.client, record.session, project.root)
    return stamped(Transcript(record.client, record.session, path if is_outside(path, project.root) else ""))


def _has_changed(transcript: Transcript, record: SessionRecord | None) -> bool:
    if record is None:
        return transcript.size > 0
    stamp = record.written_ns, record.size
    return transcript.size > 0 and not record.frozen and transcript[3:] != stamp


def _may_read(project: Project) -> bool:
    """Return whether transcripts may be read; note it if not, because what happens now must stay unread."""
    if reads_transcripts(project):
        readable_since(project)
        return True
    switch_off(project)
    return False
