"""What is said of a turn's end was read up to it: clients write a transcript while it is read."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.core.project import Project
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile
from progress_plugin.usecases.sessions.stop_gate import is_read_to_its_end
from progress_plugin.usecases.sessions.transcript_reading import read_transcript
from tests.transcripts import client_sessions


def read(project: Project, path: Path) -> SessionRecord:
    store = SessionStore(project)
    with store.lock(1):
        record = read_transcript(store, TranscriptFile("copilot", "any", str(path), 0), over=False).record
    assert record is not None
    return record


def test_what_was_written_while_a_transcript_was_read_is_not_taken_as_read(project: Project) -> None:
    path = client_sessions.write("copilot", Path(project.root).parent, Path(project.root))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    early = read(project, path)
    path.write_bytes(b"".join(lines))
    told = {"timestamp": "2026-11-20T09:00:05.000Z"}
    assert not is_read_to_its_end(early, told)
    assert is_read_to_its_end(read(project, path), told)
