"""Read transcripts that tests made into records, as a hook does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from progress_plugin.core.paths import state_file
from progress_plugin.core.project import Project
from progress_plugin.transcripts.events import Event
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.record_builder import RecordBuilder
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript import Transcript, read_events
from progress_plugin.usecases.sessions.read_transcripts import changed_transcripts, read_session
from tests.transcripts.claude_transcript import ClaudeTranscript


def read(
    project: Project, path: Path, client: str = "claude", session: str = "", *, over: bool = False
) -> SessionRecord:
    """Return the record of a transcript, and save it."""
    transcript = Transcript(client, session or path.stem, str(path))
    return read_session(project, transcript, SessionStore(project).load(), over=over)


def changed(project: Project) -> list[Transcript]:
    """Return the transcripts that have changed since they were read."""
    return changed_transcripts(project, SessionStore(project).load(), None)


def record_of(project: Project, told: ClaudeTranscript) -> SessionRecord:
    """Return the record of a session of Claude Code."""
    return read(project, told.path)


def kept_text(project: Project) -> str:
    """Return all that is kept of the sessions of a project."""
    folder = Path(state_file(project.main_root, "sessions"))
    return "".join(path.read_text("utf-8") for path in folder.glob("*.json"))


def record_of_lines(client: str, lines: Iterable[dict[str, Any]], root: str = "/p") -> SessionRecord:
    """Return the record that the events of these lines make."""
    return record_of_events(*read_events(client, lines), root=root)


def record_of_events(*events: Event, root: str = "/p", session: str = "any") -> SessionRecord:
    """Return the record that these events make."""
    builder = RecordBuilder("claude", session, root)
    for event in events:
        builder.take(event)
    return kept(builder.finished())


def kept(record: SessionRecord) -> SessionRecord:
    """Return a record after it was saved and loaded again."""
    return SessionRecord.of_data(json.loads(json.dumps(record.to_data())))


def requests_of(record: SessionRecord) -> list[str]:
    """Return the texts of a session's requests."""
    return [request.text for request in record.requests]
