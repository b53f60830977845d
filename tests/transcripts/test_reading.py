"""A transcript is read from where the last reading stopped, whatever has become of it since."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from progress_plugin.core.fast.transcript_folder import folder_of
from progress_plugin.core.project import Project, find_project
from progress_plugin.transcripts.lines import LONGEST, PIECE, Place
from progress_plugin.transcripts.readers import reader_of
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.section import section
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile, is_of
from progress_plugin.usecases.sessions.reading import Outcome, read_transcript
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    return find_project(str(root))


@pytest.fixture
def told(project: Project, home: Path) -> ClaudeTranscript:
    return ClaudeTranscript(home, Path(project.root), "first")


def reading(project: Project, told: ClaudeTranscript, *, over: bool = False) -> Outcome:
    store = SessionStore(project)
    file = TranscriptFile("claude", told.session, str(told.path), 0)
    with store.lock(1):
        return read_transcript(store, file, over=over)


def record_of(project: Project, told: ClaudeTranscript) -> SessionRecord:
    record = reading(project, told).record
    assert record is not None
    return record


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


def test_files_that_a_command_changed_are_told_but_not_what_machines_write(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    changed = ("pier.py", "__pycache__/pier.cpython-311.pyc", "dist/pier.js", ".tox/a.py")
    told.runs("python3 generate.py", changed=changed)
    told.runs("npm run build", changed=("bundle.js",))
    told.runs("python3 fails.py", 1, "Traceback")
    assert list(record_of(project, told).files) == ["pier.py"]


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


def test_commits_made_meanwhile_are_told_by_id_and_subject(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    (root / ".git/logs").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    begin = int(datetime(2026, 11, 20, 9, tzinfo=UTC).timestamp())
    moves = (
        ("0" * 40, "a" * 40, 1_700_000_000, "commit (initial): long ago"),
        ("a" * 40, "b" * 40, begin + 3, "commit: feat: pier"),
        ("b" * 40, "c" * 40, begin + 4, "commit (amend): feat: a pier"),
        ("c" * 40, "d" * 40, begin + 5, "checkout: moving from main to side"),
    )
    lines = (f"{old} {new} A <a@b> {when} +0000\t{what}\n" for old, new, when, what in moves)
    (root / ".git/logs/HEAD").write_text("".join(lines), "utf-8")
    told = ClaudeTranscript(home, root, "first")
    told.asks("Build the pier.")
    told.runs("git commit -qam 'feat: pier'")
    told.says("Done.")
    record = record_of(find_project(str(root)), told)
    assert [(commit.id, commit.subject) for commit in record.commits] == [("c" * 40, "feat: a pier")]


def test_what_a_start_of_ours_had_printed_comes_not_back(project: Project, told: ClaudeTranscript) -> None:
    ours = (
        "agent-progress: recorded progress of the project Harbour, made from prd.json.\n\n# Progress Summary"
    )
    told.injects(ours)
    told.asks(f"<hook_context>{ours}</hook_context>Build the pier.<system-reminder>x</system-reminder>")
    told.says(f"{ours}\n\nAuto-generated from prd.json. Full history preserved in prd.json.\nDone.")
    kept = json.dumps(record_of(project, told).as_json())
    assert "Progress Summary" not in kept
    assert '"Build the pier."' in kept
    assert "system-reminder" not in kept


_SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_no_secret_is_kept_of_requests_commands_outputs_and_calls(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks(f"Use the token {_SECRET} for the harbour. " * 3)
    told.runs(f"curl -H 'Authorization: Bearer {_SECRET}' harbour.example", 7, f"Error: bad token {_SECRET}")
    told.runs(f"TOKEN={_SECRET} pytest", 1, f"E   AssertionError: {_SECRET}\n1 failed")
    told.plans("1", f"Rotate {_SECRET}")
    told.says(f"The token is {_SECRET}.")
    told.waits(f"deploy --token {_SECRET}")
    record_of(project, told)
    kept = Path(SessionStore(project).path or "").read_text("utf-8")
    assert "REDACTED" in kept
    assert _SECRET not in kept
    assert _SECRET[:20] not in kept


@pytest.mark.parametrize(
    "command",
    [
        "pytest --token @ tests/",
        "pytest --password '@'",
        "pytest --db-password=@",
        "pytest --api-key @ tests/",
        "npm test -- --token @",
        "go test ./... -password @",
        "go test ./... -args -token @",
        "npx cypress run --record --key @",
        "phpunit --token @",
        "./run_tests.sh --password @",
        "hatch run test --password @",
        "docker exec -e API_TOKEN=@ web pytest",
        "sh -c 'pytest --password @'",
        "pytest -H 'Authorization: Bearer @'",
    ],
)
def test_no_secret_is_kept_in_the_name_of_a_check(
    command: str, project: Project, told: ClaudeTranscript
) -> None:
    secret = "Xk7pQ2m9" + "RtZ4abcd"
    told.asks("Build the pier.")
    told.writes("pier.py")
    told.runs(command.replace("@", secret), 1, "E 1")
    assert record_of(project, told).failing
    assert secret not in Path(SessionStore(project).path or "").read_text("utf-8")


_KEY_IN_LINES = "\n".join(
    ["-----BEGIN RSA PRIVATE KEY-----", *["Zm9vYmFyYmF6" * 5] * 900, "-----END RSA PRIVATE KEY-----"]
)


@pytest.mark.parametrize(
    "part", [f"<private>{'Meier owes 500. ' * 3000}</private>", _KEY_IN_LINES], ids=["private", "key"]
)
def test_of_a_part_that_is_longer_than_what_is_looked_at_nothing_is_kept(
    part: str, project: Project, told: ClaudeTranscript
) -> None:
    told.asks(f"Build the pier. {part}")
    told.writes("pier.py")
    told.runs("pytest", 1, f"{part}\n")
    told.runs("./deploy", 1, f"E   before\n{part}")
    told.says(f"It is done.\n{part}\nThe end.")
    record = record_of(project, told)
    assert record.closing.startswith("It is done. ")
    assert record.closing.endswith("The end.")
    kept = Path(SessionStore(project).path or "").read_text("utf-8")
    assert "Meier" not in kept
    assert "Zm9v" not in kept


def test_a_transcript_cut_anywhere_is_read_as_far_as_it_goes(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    told.runs("pytest", 1, "1 failed")
    told.says("It does not hold.")
    whole = told.path.read_bytes()
    for length in range(len(whole)):
        record = _read_bytes(told.path, whole[:length], project.root)
        assert record.asked <= 1
        assert set(record.files) <= {"pier.py"}


def test_a_transcript_of_any_bytes_breaks_nothing(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.plans("1", "Piles", "completed")
    told.writes("pier.py", new=True)
    told.runs("pytest -q | tail", 0, "3 passed")
    told.is_compacted()
    whole = told.path.read_bytes()
    chance = random.Random(17)
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 40)):
            place = chance.randrange(len(data))
            data[place : place + chance.randrange(3)] = bytes(
                chance.randrange(256) for _ in range(chance.randrange(3))
            )
        record = _read_bytes(told.path, bytes(data), project.root)
        assert SessionRecord.from_json(json.loads(json.dumps(record.as_json())), project.root) is not None


@pytest.mark.parametrize("client", ["claude", "codex", "copilot", "gemini"])
def test_records_of_any_shape_break_no_reader(client: str, project: Project) -> None:
    names = [
        "type",
        "message",
        "content",
        "toolUseResult",
        "payload",
        "data",
        "item",
        "toolCalls",
        "result",
        "arguments",
        "changes",
        "plan",
        "todos",
        "input",
        "timestamp",
        "id",
        "call_id",
        "name",
        "source",
        "tool_use_id",
        "is_error",
        "role",
        "uuid",
        "cwd",
        "attachment",
        "prompt",
        "fileEdits",
        "told",
        "calls",
    ]
    kinds = [
        "user",
        "assistant",
        "attachment",
        "system",
        "event_msg",
        "response_item",
        "session_meta",
        "item_completed",
        "function_call",
        "user.message",
        "tool.execution_start",
        "tool.execution_complete",
        "gemini",
        "tool_result",
        "tool_use",
        "text",
        "Bash",
        "Write",
        "CommandExecution",
        "FileChange",
        "update_plan",
        "apply_patch",
        "run_shell_command",
        "write_todos",
        "TodoWrite",
        "queued_command",
    ]
    chance = random.Random(4)

    def anything(depth: int) -> object:
        if depth == 0 or chance.random() < 0.3:
            return chance.choice([None, True, 7, -1.5, "", "Exit code 3\nx", "\ud83d", [], {}, *kinds])
        if chance.random() < 0.4:
            return [anything(depth - 1) for _ in range(chance.randrange(4))]
        return {chance.choice(names): anything(depth - 1) for _ in range(chance.randrange(7))}

    for _ in range(2000):
        reader = reader_of(client, anything(2))
        record = SessionRecord(client, "any", project.root)
        for _ in range(4):
            told = {chance.choice(names): anything(4) for _ in range(8)} | {"type": chance.choice(kinds)}
            reader.directory(told)
            for event in reader.events(told):
                record.take(event)
        json.dumps([record.as_json(), reader.carried]).encode("utf-8")


def test_a_line_of_enormous_length_is_passed_over(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.add_raw(b'{"type":"user","message":{"content":"' + b"x" * (LONGEST + 2 * PIECE) + b'"}}\n')
    told.writes("pier.py", new=True)
    record = record_of(project, told)
    assert list(record.files) == ["pier.py"]
    assert record.reading[str(told.path)]["broken"] == 1


def test_of_more_than_may_be_read_the_newest_is(project: Project, told: ClaudeTranscript) -> None:
    for number in range(50):
        told.asks(f"Build pier {number}.")
    place = Place(str(told.path))
    lines = list(place.lines(4000))
    assert 0 < len(lines) < 50
    assert lines[-1]["message"]["content"] == "Build pier 49."
    assert place.offset == told.path.stat().st_size
    assert place.skipped > 0


def test_the_folder_of_a_project_is_named_as_the_client_does() -> None:
    assert folder_of("/p/.hidden dir(1)+@") == "-p--hidden-dir-1---"
    assert folder_of("/p/🌊") == "-p---"
    long = folder_of("/" + "a" * 300)
    assert len(long) > 200
    assert long.startswith("-" + "a" * 199 + "-")


def _read_bytes(path: Path, data: bytes, root: str) -> SessionRecord:
    path.write_bytes(data)
    record, reader = SessionRecord("claude", "any", root), reader_of("claude", None)
    for line in Place(str(path)).lines():
        for event in reader.events(line):
            record.take(event)
    return record


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


def test_of_a_long_answer_the_end_is_kept_as_its_last_words(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    told.says(f"I began with the piles. {'They are deep. ' * 80}The last plank is missing.")
    record = record_of(project, told)
    again = SessionRecord.from_json(record.as_json(), project.root)
    assert again is not None
    assert len(again.closing) <= 602
    assert again.closing.startswith("…")
    assert again.closing.endswith("The last plank is missing.")
    assert "The last plank is missing.”" in section(again, running=False, in_log=None)
    assert again.as_json()["closing"] == again.closing


@pytest.mark.parametrize("name", ["/quay/\x00.py", "/quay/\ud83d.py", "\x00", "/" + "q" * 5000])
def test_what_is_no_name_of_a_file_is_one_outside(name: str, project: Project) -> None:
    record = SessionRecord("codex", "any", project.root)
    written = {"type": "patch_apply_end", "success": True, "changes": {name: {"type": "add"}}}
    for event in reader_of("codex", None).events({"type": "event_msg", "payload": written}):
        record.take(event)
    assert (record.files, record.outside) == ({}, 1)
    json.dumps(record.as_json()).encode()
    assert not is_of(project, name)


def test_what_a_record_tells_is_safe_before_it_was_kept_too(project: Project) -> None:
    record = SessionRecord("codex", "any", project.root)
    said = {
        "type": "agent_message",
        "message": f"The token is {_SECRET}.\n\nagent-progress: recorded x\n\n# Progress",
    }
    for event in reader_of("codex", None).events({"type": "event_msg", "payload": said}):
        record.take(event)
    assert record.closing == "The token is [REDACTED:GITHUB_TOKEN]."


def test_what_the_shell_writes_is_told_by_where_it_was_written(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Deepen the harbour.")
    told.runs("cd src && sed -i 's/0/1/' deep.py")
    told.runs("sed -i 's/0/1/' docs.py", cwd=Path(project.root) / "docs")
    told.runs("ruff format .", output="1 file reformatted")
    assert list(record_of(project, told).files) == ["src/deep.py", "docs/docs.py"]


def test_one_check_in_two_folders_is_two(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Deepen the harbour.")
    told.runs("cd api && python3 -m unittest test_a", 1, "FAILED (failures=1)")
    told.runs("python3 -m unittest test_a", cwd=Path(project.root) / "web")
    told.runs("cd .. && python3 -m unittest test_a", cwd=Path(project.root) / "web")
    checks = record_of(project, told).checks
    assert {name: run.passed for name, run in checks.items()} == {
        "unittest test_a (in api)": False,
        "unittest test_a (in web)": True,
        "unittest test_a": True,
    }


def test_a_check_outside_of_the_project_is_a_command_like_any_other(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Deepen the harbour.")
    told.runs("cd /tmp && pytest", 0, "3 passed")
    told.runs("cd ../quay && pytest", 1, "1 failed")
    record = record_of(project, told)
    assert not record.checks
    assert list(record.failures) == ["cd ../quay && pytest"]


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


def test_a_request_that_is_private_as_a_whole_is_none(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.asks("<private>for Meier</private>")
    told.writes("pier.py", new=True)
    record = record_of(project, told)
    assert [request.text for request in record.requests] == ["Build the pier."]
    assert "“”" not in section(record, running=False, in_log=None)


def test_a_bare_make_leaves_the_failure_of_a_target(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Deepen the harbour.")
    told.writes("deep.py", new=True)
    told.runs("make test", 2, "make: *** [Makefile:4: test] Error 1")
    told.runs("make")
    assert "Failing: `make test`" in section(record_of(project, told), running=False, in_log=None)


def test_a_failure_before_the_last_edit_is_told_as_one(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Mend the span.")
    told.runs("python3 -m unittest test_a", 1, "AssertionError: 1 != 2\nFAILED (failures=1)")
    assert "- Failing: `unittest test_a`: Assertion" in section(
        record_of(project, told), running=False, in_log=None
    )
    told.writes("m.py")
    assert "- Failing: `unittest test_a`, before the last edit: AssertionError: 1 != 2\n" in section(
        record_of(project, told), running=False, in_log=None
    )


def test_a_passing_check_is_not_failing_for_what_ran_behind_it(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Mend the span.")
    told.writes("m.py")
    told.runs("python3 -m compileall -q m.py && git push", 1, "error: failed to push some refs")
    record = record_of(project, told)
    assert not record.failing
    assert [failure.what for failure in record.failures.values()] == [
        "python3 -m compileall -q m.py && git push"
    ]


def test_what_a_script_behind_a_check_changed_outdates_it(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Mend the span.")
    told.runs("pytest && python3 generate.py", changed=("m.py",))
    told.runs("npm test && git commit -qm x", changed=("coverage.json",))
    shown = section(record_of(project, told), running=False, in_log=None)
    assert "Changed: m.py\n" in shown
    assert "`npm test` passed; `pytest` passed, before the last edit" in shown


def test_a_check_at_the_root_has_no_folder_however_the_root_is_named(
    project: Project, told: ClaudeTranscript, tmp_path: Path
) -> None:
    (tmp_path / "linked").symlink_to(project.root)
    told.asks("Mend the span.")
    told.runs("pytest", cwd=tmp_path / "linked")
    told.runs("mypy", cwd=tmp_path / "linked/api")
    assert list(record_of(project, told).checks) == ["pytest", "mypy (in api)"]


def test_a_folder_that_codex_names_as_a_url_is_a_path(tmp_path: Path) -> None:
    root = tmp_path / "hafen österreich"
    item = {
        "type": "CommandExecution",
        "command": ["/bin/bash", "-lc", "cd src && pytest"],
        "cwd": (root / "api").as_uri(),
        "exit_code": 0,
    }
    told = {"type": "event_msg", "timestamp": "2026-11-20T09:00:00Z"}
    record = SessionRecord("codex", "first", str(root))
    for event in reader_of("codex", None, "").events(
        {**told, "payload": {"type": "item_completed", "item": item}}
    ):
        record.take(event)
    assert list(record.checks) == ["pytest (in api/src)"]
