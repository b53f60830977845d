"""The records of transcripts made by hand, read as a hook reads them."""

from __future__ import annotations

from progress_plugin.core.project import Project
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile
from progress_plugin.usecases.sessions.transcript_reading import Outcome, read_transcript
from tests.transcripts.claude_transcript import ClaudeTranscript


def reading(project: Project, told: ClaudeTranscript, *, over: bool = False) -> Outcome:
    """Read what is new in a transcript."""
    store = SessionStore(project)
    file = TranscriptFile("claude", told.session, str(told.path), 0)
    with store.lock(1):
        return read_transcript(store, file, over=over)


def record_of(project: Project, told: ClaudeTranscript) -> SessionRecord:
    """Return the record of a session, with what is new in its transcript."""
    record = reading(project, told).record
    assert record is not None
    return record


def requests_of(record: SessionRecord) -> list[str]:
    """Return the texts of a session's requests."""
    return [request.text for request in record.requests]
