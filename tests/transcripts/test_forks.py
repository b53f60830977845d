"""A session that was copied from another one tells only what is its own (S19.6)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from progress_plugin.core.project import Project
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of


def test_a_fork_tells_only_what_is_its_own(project: Project, told: ClaudeTranscript, home: Path) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    record_of(project, told)
    fork = ClaudeTranscript(home, Path(project.root), "second", begin=told.now)
    fork.add_raw(told.path.read_bytes().replace(b'"sessionId": "first"', b'"sessionId": "second"'))
    fork.asks("What is left?")
    record = record_of(project, fork)
    assert [request.text for request in record.requests] == ["What is left?"]
    assert not record.files


def test_a_fork_of_a_fork_tells_only_what_is_its_own(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    record_of(project, told)
    before = told
    for number, name in enumerate(("fork", "fork-of-fork")):
        fork = ClaudeTranscript(home, Path(project.root), name, begin=told.now + timedelta(hours=1 + number))
        own, copied = (f'"sessionId": "{each}"'.encode() for each in (name, before.session))
        fork.path.write_bytes(before.path.read_bytes().replace(copied, own))
        fork.asks(f"Build the {name}.")
        fork.writes(f"{name}.py", new=True)
        record, before = record_of(project, fork), fork
        assert [request.text for request in record.requests] == [f"Build the {name}."]
        assert list(record.files) == [f"{name}.py"]
