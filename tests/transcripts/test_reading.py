"""A transcript is read as a whole again, however it has changed since the last reading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from progress_plugin.core.clients import CLIENTS, HookEvent
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import begin_record
from progress_plugin.transcripts.session_store import MAX_RECORDS, SessionStore
from progress_plugin.transcripts.transcript import (
    MAX_BYTES,
    MAX_LINE_BYTES,
    claude_folder_name,
    project_at,
    transcript_lines,
)
from progress_plugin.usecases.sessions.read_transcripts import read_all_changed_transcripts
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import changed, kept, read, record_of, requests_of


def test_a_second_reading_replaces_the_record(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    assert record_of(project, told).size == told.path.stat().st_size
    told.runs("pytest", 1, "1 failed")
    told.writes("pier.py")
    record = record_of(project, told)
    assert (record.asked, record.files["pier.py"].times, record.checks["pytest"].passed) == (1, 2, False)
    assert changed(project) == []


def test_a_session_that_ended_goes_on_only_if_something_is_asked(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    assert read(project, told.path, over=True).over
    told.says("Done.")
    told.asks("/exit")
    assert record_of(project, told).over
    told.asks("Build the quay.")
    assert not record_of(project, told).over


def test_a_transcript_that_is_gone_leaves_its_record(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    record_of(project, told)
    told.path.unlink()
    assert record_of(project, told).asked == 1
    assert changed(project) == []


def test_another_projects_transcript_is_noted_and_not_kept(
    project: Project, home: Path, tmp_path: Path
) -> None:
    other = tmp_path / "harbour/quay"
    (other / ".git").mkdir(parents=True)
    told = ClaudeTranscript(home, other, "theirs")
    told.asks("Build the quay.")
    told.writes("quay.py", new=True)
    record = record_of(project, told)
    assert (record.foreign, record.requests, record.files) == (True, [], {})
    assert SessionStore(project).records() == []


def test_a_session_that_ran_in_a_subfolder_is_one_of_the_project(project: Project, home: Path) -> None:
    below = Path(project.root) / "src/api"
    below.mkdir(parents=True)
    told = ClaudeTranscript(home, below, "below")
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    fields = {"session_id": "below", "transcript_path": str(told.path), "cwd": str(below)}
    begin_record(HookEvent("SessionStart", CLIENTS["claude"], fields), project.root)
    assert [each.session for each in changed(project)] == ["below"]
    assert list(record_of(project, told).files) == ["src/api/pier.py"]


@pytest.mark.parametrize("named", ['"entrypoint": "cli"', '"entrypoint": "sdk-cli"'])
def test_a_session_that_a_program_ran_is_known_as_one(
    named: str, project: Project, told: ClaudeTranscript
) -> None:
    told.add_raw(f'{{"type": "mode", {named}}}\n'.encode())
    told.asks("Build the pier.")
    assert record_of(project, told).headless == ("sdk" in named)


def test_what_a_subagent_did_counts_but_not_what_it_was_asked(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Have the pier built.")
    beside = told.path.parent / told.session / "subagents"
    beside.mkdir(parents=True)
    work = ClaudeTranscript.at(beside / "agent-a1.jsonl", Path(project.root), told.session, sidechain=True)
    work.asks("Build the pier.")
    work.writes("pier.py", new=True)
    work.runs("pytest", 1, "1 failed")
    record = record_of(project, told)
    assert (list(record.files), list(record.checks), record.asked) == (["pier.py"], ["pytest"], 1)


def test_a_line_of_enormous_length_is_left_out(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.add_raw(b'{"type":"user","message":{"content":"' + b"x" * (2 * MAX_LINE_BYTES) + b'"}}\n')
    told.writes("pier.py", new=True)
    assert list(record_of(project, told).files) == ["pier.py"]


def test_of_a_large_transcript_the_first_line_and_the_end_are_read(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    line = b'{"a": "' + b"x" * (1 << 20) + b'"}\n'
    path.write_bytes(b'{"first": 1}\n' + line * (MAX_BYTES // len(line) + 2) + b'{"last": 1}\n')
    names = [next(iter(each)) for each in transcript_lines(str(path))]
    assert (names[0], names[-1]) == ("first", "last")
    assert MAX_BYTES // len(line) - 1 <= names.count("a") <= MAX_BYTES // len(line)


def test_a_session_whose_clock_is_ahead_is_not_the_last_one_until_then(project: Project, home: Path) -> None:
    now = datetime.now(UTC)
    ahead = ClaudeTranscript(home, Path(project.root), "ahead", begin=now + timedelta(days=40))
    ahead.asks("Build the pier.")
    record = record_of(project, ahead)
    assert record.started <= record.ended < (now + timedelta(days=1)).isoformat()


@pytest.mark.parametrize("when", ["2026-13-45T99:99:99Z", "2026-11-20T24:00:00Z", "2026-00-10T00:00:00Z"])
def test_a_time_that_does_not_exist_is_none(when: str, project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.asks("And the quay.", timestamp=when)
    record = record_of(project, told)
    assert (record.asked, record.ended) == (2, "2026-11-20T09:00:00.000Z")


def test_a_hundred_transcripts_are_each_read_once_and_no_more_are_kept(project: Project, home: Path) -> None:
    for number in range(MAX_RECORDS + 10):
        told = ClaudeTranscript(home, Path(project.root), f"session-{number}")
        told.asks(f"Build pier {number}.")
    assert len(changed(project)) == MAX_RECORDS
    read_all_changed_transcripts(project, None)
    assert len(SessionStore(project).records()) == MAX_RECORDS
    assert changed(project) == []


def session_of_codex(session: str, transcript: str) -> HookEvent:
    fields = {"session_id": session, "transcript_path": transcript}
    return HookEvent("SessionStart", CLIENTS["codex"], fields)


@pytest.mark.parametrize("path", ["/x\0y", "x\0y", "/half \udcff"])
def test_a_path_that_cannot_be_is_no_error(path: str, project: Project) -> None:
    begin_record(session_of_codex("ok", path), project.root)
    begin_record(session_of_codex("\0a", path), project.root)
    assert changed(project) == []
    assert project_at(project, path) is None


def test_a_record_that_is_damaged_is_none(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    record = record_of(project, told)
    (path,) = Path(SessionStore(project).folder).glob("*.json")
    for data in (b"", b"[]", b'{"client": 1}', b'{"client": "a", "session": "b", "files": [[]]}', b"\xff"):
        path.write_bytes(data)
        assert SessionStore(project).load() == {}
    SessionStore(project).save(record)
    assert requests_of(SessionStore(project).records()[0]) == ["Build the pier."]
    assert kept(record) == record


def test_the_folder_of_a_project_is_named_as_the_client_does() -> None:
    assert claude_folder_name("/p/.hidden dir(1)+@") == "-p--hidden-dir-1---"
    assert claude_folder_name("/p/🌊") == "-p---"


def test_a_record_from_which_a_text_was_erased_is_not_made_again(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    record_of(project, told)
    SessionStore(project).forbid_rereading(
        {str(path) for path in Path(SessionStore(project).folder).glob("*.json")}
    )
    told.asks("Build the quay.")
    assert changed(project) == []
    assert record_of(project, told).asked == 1
