"""A transcript is read from where the last reading stopped, whatever has become of it since."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.project import Project
from progress_plugin.transcripts.claude_folder import folder_of
from progress_plugin.transcripts.clients.json_members import is_dense
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile
from progress_plugin.transcripts.transcript_lines import LONGEST, PIECE, Place
from progress_plugin.usecases.sessions.transcript_reading import Outcome, read_transcript
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import reading, record_of


def test_a_second_reading_begins_where_the_first_stopped(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    offset = record_of(project, told).reading[str(told.path)]["offset"]
    assert offset == told.path.stat().st_size
    told.runs("pytest", 1, "1 failed")
    told.writes("pier.py")
    record = record_of(project, told)
    assert (record.asked, record.files["pier.py"].times, record.checks["pytest"].passed) == (1, 2, False)
    assert not reading(project, told).is_new


def test_a_call_whose_result_comes_later_is_told_with_it(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    whole = told.path.read_bytes()
    call = whole.rindex(b"\n", 0, len(whole) - 1) + 1
    told.path.write_bytes(whole[:call])
    assert not record_of(project, told).files
    told.path.write_bytes(whole)
    assert list(record_of(project, told).files) == ["pier.py"]


def test_a_line_without_its_end_waits_for_it(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    whole = told.path.read_bytes()
    told.path.write_bytes(whole[:-20])
    assert reading(project, told).record is None
    told.path.write_bytes(whole)
    assert record_of(project, told).asked == 1


def test_a_file_that_is_another_one_now_is_read_from_its_beginning(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    record_of(project, told)
    told.path.write_bytes(b"")
    told.asks("Build the lighthouse, please, and nothing else at all.")
    told.writes("light.py", new=True)
    assert "light.py" in record_of(project, told).files


def test_another_projects_transcript_is_left_alone(project: Project, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "quay"
    (other / ".git").mkdir(parents=True)
    told = ClaudeTranscript(home, other, "theirs")
    told.asks("Build the quay.")
    told.writes("quay.py", new=True)
    assert reading(project, told) == Outcome(None, is_new=False)
    assert SessionStore(project).records() == []


def test_what_a_subagent_did_is_told_with_its_name(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Have somebody build the pier.")
    beside = told.path.parent / told.session / "subagents"
    beside.mkdir(parents=True)
    (beside / "agent-a1.meta.json").write_text(json.dumps({"agentType": "builder"}), "utf-8")
    work = ClaudeTranscript.at(beside / "agent-a1.jsonl", Path(project.root), told.session, sidechain=True)
    work.asks("Build the pier.")
    work.writes("pier.py", new=True)
    work.runs("pytest", 1, "1 failed")
    record = record_of(project, told)
    assert record.files["pier.py"].agent == "builder"
    assert record.checks["pytest"].agent == "builder"
    assert record.asked == 1


def test_copilots_todos_are_read_from_its_table_also_where_they_stand_in_its_write_ahead_log(
    project: Project, tmp_path: Path
) -> None:
    folder = tmp_path / "session-state/one"
    folder.mkdir(parents=True)
    context = {"cwd": project.root, "branch": "main"}
    records = [
        {"type": "session.start", "data": {"context": context}, "timestamp": "2026-11-20T09:00:00.000Z"},
        {
            "type": "user.message",
            "data": {"content": "Build the pier."},
            "timestamp": "2026-11-20T09:00:01.000Z",
        },
    ]
    events = folder / "events.jsonl"
    events.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    with closing(sqlite3.connect(folder / "session.db", isolation_level=None)) as store:
        store.execute("pragma journal_mode = wal")
        store.execute("create table todos (id text, title text, status text)")
        store.execute(
            "insert into todos values ('t1', 'Drive the piles', 'done'), ('t2', 'Lay planks', 'pending')"
        )
        sessions = SessionStore(project)
        with sessions.lock(1):
            file = TranscriptFile("copilot", "one", str(events), 0)
            record = read_transcript(sessions, file, over=True).record
    assert record is not None
    assert [(task.text, task.is_open) for task in record.tasks.values()] == [
        ("Drive the piles", False),
        ("Lay planks", True),
    ]


def test_the_folder_of_a_project_is_named_as_the_client_does() -> None:
    assert folder_of("/p/.hidden dir(1)+@") == "-p--hidden-dir-1---"
    assert folder_of("/p/🌊") == "-p---"
    long = folder_of("/" + "a" * 300)
    assert len(long) > 200
    assert long.startswith("-" + "a" * 199 + "-")


def test_a_line_of_enormous_length_is_passed_over(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.add_raw(b'{"type":"user","message":{"content":"' + b"x" * (LONGEST + 2 * PIECE) + b'"}}\n')
    told.writes("pier.py", new=True)
    record = record_of(project, told)
    assert list(record.files) == ["pier.py"]
    assert record.reading[str(told.path)]["broken"] == 1


def test_a_line_of_millions_of_values_is_passed_over_before_it_is_parsed(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    told.add_raw(b'{"type":"user","message":{"content":"Sink it."},"x":[' + b"{}," * 1_000_000 + b"1]}\n")
    told.writes("pier.py", new=True)
    record = record_of(project, told)
    assert [each.text for each in record.requests] == ["Build the pier."]
    assert record.reading[str(told.path)]["broken"] == 1


@pytest.mark.parametrize("value", ["{},", "[],", '"ab",', "1.1,", '{"a":1},', "[[[[1]]]],"])
def test_values_that_take_many_times_the_room_of_their_text_are_dense(value: str) -> None:
    assert is_dense("[" + value * (18_000_000 // len(value)) + "1]")


def test_a_large_text_is_not_dense_whatever_marks_are_in_it() -> None:
    assert not is_dense(json.dumps(["a, b, {c} [d]\n" * 1_000_000, *range(1000)]))


def test_of_more_than_may_be_read_the_newest_is(project: Project, told: ClaudeTranscript) -> None:
    for number in range(50):
        told.asks(f"Build pier {number}.")
    place = Place(str(told.path))
    lines = list(place.lines(4000))
    assert 0 < len(lines) < 50
    assert lines[-1]["message"]["content"] == "Build pier 49."
    assert place.offset == told.path.stat().st_size
    assert place.skipped > 0


def test_a_session_of_another_century_is_not_the_last_one_for_ever(project: Project, home: Path) -> None:
    ahead = ClaudeTranscript(home, Path(project.root), "ahead", begin=datetime(2199, 1, 1, tzinfo=UTC))
    ahead.asks("Build the pier.")
    ahead.writes("pier.py", new=True)
    record = record_of(project, ahead)
    assert record.started <= record.ended < "2199"
    assert SessionRecord.from_json(record.as_json(), project.root) is not None


def test_a_session_that_was_just_read_is_kept_whatever_the_others_are_dated(
    project: Project, told: ClaudeTranscript
) -> None:
    store = SessionStore(project)
    others = [SessionRecord("claude", f"ahead-{number}", project.root) for number in range(100)]
    for other in others:
        other.started = other.ended = "2098-01-01T00:00:00Z"
    store.put(others)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    record_of(project, told)
    kept = store.records()
    assert (len(kept), kept[0].session) == (100, "first")


@pytest.mark.parametrize("when", ["2026-13-45T99:99:99Z", "2026-11-20T24:00:00Z", "2026-00-10T00:00:00Z"])
def test_a_time_that_there_is_not_is_none(when: str, project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.asks("And the quay.", timestamp=when)
    record = record_of(project, told)
    assert (record.asked, record.ended) == (2, "2026-11-20T09:00:00.000Z")
