"""Read the recorded sessions of a project, and show the last one at a start."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence

from progress_plugin.config.settings import load
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.entry import data_of, text_of
from progress_plugin.log.store import LogHistory
from progress_plugin.summary.session_section import section
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts import transcript
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore

OFF_REASON = "transcripts are switched off (transcripts = false): none is read, and no record of one is shown"
MAX_NOTED = 20  # newest transcripts that a start checks for changes
MAX_LINE_CHARS = 80  # of a request in the line for the user
_CONFIG = "config.toml"
_OF_SESSIONS = ("session_started", "session_ended")


def reads_transcripts(project: Project, inputs: InputSnapshot | None = None) -> bool:
    """Return whether transcripts may be read: neither the user nor the project has switched them off."""
    inputs = inputs or InputSnapshot(project.root)
    own = inputs.read(os.path.join(project.directory, _CONFIG))
    named = inputs.read(os.path.join(user_config(), _CONFIG), None)
    return load(own, {}, None, {}).stored.transcripts and load(None, {}, named, {}).stored.transcripts


def read_sessions(project: Project, inputs: InputSnapshot) -> tuple[SessionRecord, ...]:
    """Return the records that a start may show, the last session at the end. Add their files to `inputs`."""
    if not reads_transcripts(project, inputs):
        return ()
    store = SessionStore(project)
    inputs.note_for_starts(store.folder)
    if project.repository is not None:
        inputs.note_for_starts(os.path.join(project.repository.common_dir, "worktrees"))
    records = store.load().values()
    _note_transcripts(project, inputs, records)
    return tuple(store.visible_records(records))


def _note_transcripts(project: Project, inputs: InputSnapshot, records: Iterable[SessionRecord]) -> None:
    """Note the newest transcripts as inputs: a session that was killed changes no other file."""
    written = {record.transcript: record.written_ns for record in records if record.transcript}
    inputs.note_for_starts(transcript.claude_folder(project.root))
    written |= {each.path: each.written_ns for each in transcript.claude_transcripts(project.root)}
    for path in sorted(written, key=lambda each: written[each])[-MAX_NOTED:]:
        inputs.note_for_starts(path)


def last_session(
    records: Sequence[SessionRecord], logged: Collection[str], excluded: str | None = None
) -> SessionRecord | None:
    """Return the last session that did or logged something, except the session `excluded`.

    A session that a program started is returned only if no person started one. The last session may still be
    running; its section says so.
    """
    worth = [
        each
        for each in reversed(records)
        if (each.did_something or each.session in logged) and each.session != excluded
    ]
    return next((each for each in worth if not each.headless), next(iter(worth), None))


def last_session_section(
    records: Sequence[SessionRecord], log: LogHistory, excluded: str | None = None
) -> str:
    """Return the section of the last session, except `excluded`, as Markdown; empty if none did something.

    The newest other session that changed something and ended after this one began gets a line in the section.
    """
    logged = logged_sessions(log)
    record = last_session(records, logged, excluded)
    if record is None:
        return ""
    others = [each for each in records if each.session not in {record.session, excluded}]
    later = [each for each in others if each.changed_something and each.ended > record.started]
    in_log = record.session in logged if log.log.items else None
    return section(record, in_log=in_log, beside=later[-1] if later else None)


def describe_sessions(sessions: Sequence[SessionRecord]) -> str:
    """Describe the number of recorded sessions and the last request; empty without a session."""
    listed = [record for record in sessions if record.is_listed]
    request = ", then ".join(listed[-1].last_requests) if listed else ""
    last = f", the last: {one_line(request, MAX_LINE_CHARS)}" if request else ""
    return f"{counted(len(listed), 'session')} recorded{last}" if listed else ""


def logged_sessions(log: LogHistory) -> set[str]:
    """Return the sessions that logged more than their start and end."""
    entries = (each for each in log.entries if each.get("type") not in _OF_SESSIONS)
    return {session for entry in entries if (session := text_of(data_of(entry), "session_id"))}
