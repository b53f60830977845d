"""What a session did is told to the next one, though nobody wrote it down (S19)."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.journeys.project_life import OURS, Life, Session, section
from tests.transcripts.claude_transcript import ClaudeTranscript

LAST, SO_FAR = "## Last Session", "## This Session So Far"
STILL_RUNNING = "no end recorded: it may still be running"


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def transcript(life: Life, session: Session) -> ClaudeTranscript:
    day = 10 + int(session.name.rpartition("-")[2])
    begin = datetime(2026, 11, day, 9, tzinfo=UTC)
    return ClaudeTranscript(Path(os.environ["HOME"]), life.root, session.name, begin=begin)


def works(life: Life, session: Session) -> ClaudeTranscript:
    """Have a session ask for a tide table, write it, and leave its test failing."""
    told = transcript(life, session)
    told.asks("Add a tide table to the harbour project.")
    told.plans("1", "Write the tide table", "completed")
    told.plans("2", "Document the tide table", "in_progress")
    told.writes("tides.py", new=True)
    told.runs("pytest -q tests/test_tides.py", 1, "E   assert 3.3 == 3.5\n1 failed in 0.02s")
    told.says("One test still fails: the span is off by 0.2.")
    return told


def ends(life: Life, session: Session, told: ClaudeTranscript) -> None:
    life.hook("SessionEnd", session.name, {"reason": "other", "transcript_path": str(told.path)})


def compacted(life: Life, session: Session, told: ClaudeTranscript) -> str:
    fields = {"trigger": "manual", "transcript_path": str(told.path)}
    life.hook("PreCompact", session.name, fields)
    return session.starts("compact")


def test_in_an_empty_project_the_second_session_knows_what_the_first_did(project: Life) -> None:
    first = project.starts()
    assert first.context == ""
    ends(project, first, works(project, first))
    told = section(project.starts().context, LAST)
    assert "“Add a tide table to the harbour project.”" in told
    assert "tides.py (new)" in told
    assert "Failing: `pytest tests/test_tides.py`: E assert 3.3 == 3.5" in told
    assert "Open tasks: Document the tide table (in progress)" in told
    assert project.command("context") == project.starts().context
    assert not (project.root / ".agent-os").exists()


def test_a_session_that_changed_nothing_is_not_told_of_where_there_is_nothing_else(project: Life) -> None:
    first = project.starts()
    told = transcript(project, first)
    told.asks("What does this project do?")
    told.says("Nothing yet.")
    ends(project, first, told)
    assert project.starts().context == ""


def test_beside_a_plan_the_last_session_is_told_between_standing_and_learnings(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    first.logs("milestone_reached", "Tides", learning="Tides are in metres above chart datum.")
    ends(project, first, works(project, first))
    context = project.starts().context
    places = [context.index(heading) for heading in ("## Completion Status", LAST, "## Key Learnings")]
    assert places == sorted(places)
    assert "“Add a tide table to the harbour project.”" in section(context, LAST)


def test_a_session_whose_work_is_in_the_log_is_not_called_unlogged(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    first.marks("US-001", passes=True)
    ends(project, first, works(project, first))
    assert "not in the log" not in section(project.starts().context, LAST)
    second = project.starts()
    ends(project, second, works(project, second))
    assert "not in the log" in section(project.starts().context, LAST)


def test_after_a_compaction_the_agent_is_told_of_its_own_session(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    ends(project, first, works(project, first))
    second = project.starts()
    told = transcript(project, second)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    told.runs("npm test", 1, "1 failing\nError: pier too short")
    context = compacted(project, second, told)
    assert LAST not in context
    running = section(context, SO_FAR)
    assert "Being worked on: “Build the pier.”" in running
    assert "pier.py (new)" in running
    assert "Failing: `npm test`" in running
    # Another session that starts meanwhile is not told that this was its own.
    assert SO_FAR not in project.starts().context


def test_after_a_compaction_an_agent_is_told_where_that_comes_from_in_a_project_with_an_empty_log(
    project: Life,
) -> None:
    project.command("init")
    agent = project.starts()
    ends(project, agent, works(project, agent))
    second = project.starts()
    context = compacted(project, second, works(project, second))
    assert context.startswith("agent-progress: ")
    assert "“Add a tide table to the harbour project.”" in section(context, SO_FAR)


def test_after_a_compaction_in_an_empty_project_the_agent_is_told_of_its_own_session(project: Life) -> None:
    agent = project.starts()
    running = section(compacted(project, agent, works(project, agent)), SO_FAR)
    assert "Being worked on: “Add a tide table to the harbour project.”" in running
    assert not (project.root / ".agent-os").exists()


def test_a_session_that_was_killed_is_read_at_the_next_start(project: Life) -> None:
    project.plan("US-001 Tide table")
    project.starts().stops()
    killed = project.starts()
    works(project, killed)
    assert "tides.py (new)" in section(project.starts().context, LAST)


def test_a_resumed_session_is_not_told_of_itself(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    assert LAST not in first.starts("resume")


@pytest.mark.parametrize("began", ["in the root", "below it"])
def test_a_session_that_was_killed_is_told_where_no_client_had_been_before(project: Life, began: str) -> None:
    project.plan("US-001 Tide table")
    agent = project.starts()
    project.starts()
    assert not (Path(os.environ["HOME"]) / ".claude").exists()
    _works_at(project, agent, project.root if began == "in the root" else project.root / "api")
    for _ in range(2):
        assert "tides.py (new)" in section(project.starts().context, LAST)


@pytest.mark.parametrize("begun", ["with a plan", "not at all"])
def test_a_session_that_was_killed_below_the_root_is_told(project: Life, begun: str) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table")
    first = project.starts()
    told = transcript(project, first)
    told.asks("Look around.")
    ends(project, first, told)
    _works_at(project, project.starts(), project.root / "api")
    beside = ClaudeTranscript(told.path.parents[3], project.root.parent / "harbour-2", "beside")
    beside.root.mkdir()
    beside.asks("Send the keys away.")
    beside.writes("keys.py")
    os.utime(beside.path)
    for _ in range(2):
        said = section(project.starts().context, LAST)
        assert "tides.py (new)" in said
        assert "keys" not in said


def _works_at(life: Life, session: Session, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    told = ClaudeTranscript(Path(os.environ["HOME"]), folder, session.name)
    told.asks("Add a tide table.")
    told.writes("tides.py", new=True)


@pytest.mark.parametrize("begun", ["with a plan", "not at all"])
@pytest.mark.parametrize("still", [True, False], ids=["at work", "killed long ago"])
def test_what_a_session_did_after_it_was_resumed_is_told_though_it_ended_once(
    project: Life, begun: str, *, still: bool
) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table")
    first = project.starts()
    told = works(project, first)
    ends(project, first, told)
    os.utime(told.path, (0, 0))
    first.starts("resume")
    told.asks("Now rewrite the parser.")
    told.writes("parser.py", new=True)
    if not still:
        os.utime(told.path, (0, 0))
    for _ in range(2):
        said = section(project.starts().context, LAST)
        assert "Asked last: “Now rewrite the parser.”" in said
        assert "parser.py (new)" in said
        assert STILL_RUNNING in said
    ends(project, first, told)
    assert STILL_RUNNING not in section(project.starts().context, LAST)


def asks_for_the_tests(life: Life, branch: str = "main", code: int = 0) -> None:
    session = life.starts()
    told = transcript(life, session)
    told.branch = branch
    told.asks("Do the tests pass now?")
    told.runs("pytest -q", code, "1 failed in 0.1s" if code else "12 passed in 0.1s")
    told.says("They do.")
    ends(life, session, told)


def test_a_check_that_passed_in_a_later_session_is_no_longer_told_as_failing(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    assert "Failing: `pytest tests/test_tides.py`" in section(project.starts().context, LAST)
    asks_for_the_tests(project)
    said = section(project.starts().context, LAST)
    assert "tides.py (new)" in said
    assert "Failing" not in said
    assert "Checks: `pytest tests/test_tides.py` failed, and passed in a later session" in said
    asks_for_the_tests(project, code=1)
    assert "Failing: `pytest`" in section(project.starts().context, LAST)


def test_a_check_that_passed_later_on_another_branch_is_failing_still(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    asks_for_the_tests(project, branch="pier")
    assert "Failing: `pytest tests/test_tides.py`" in section(project.starts().context, LAST)


def test_lines_behind_the_end_of_a_session_do_not_open_it_again(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    told = works(project, first)
    ends(project, first, told)
    told.says("That is all.")
    told.asks("/exit")
    told.add_raw(b'{"type":"last-prompt","lastPrompt":"Add a tide table"}\n')
    project.plan("US-001 Tide table", "US-002 Pier")
    said = section(project.starts().context, LAST)
    assert "That is all." in said
    assert STILL_RUNNING not in said


def test_a_session_that_is_at_work_beside_is_told_as_one_that_may_still_be_running(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    beside = project.starts()
    told = works(project, beside)
    said = section(project.starts().context, LAST)
    assert "tides.py (new)" in said
    assert STILL_RUNNING in said
    ends(project, beside, told)
    said = section(project.starts().context, LAST)
    assert "tides.py (new)" in said
    assert STILL_RUNNING not in said


def test_without_a_log_a_session_that_is_at_work_beside_is_told_as_one_that_may_still_be_running(
    project: Life,
) -> None:
    beside = project.starts()
    told = works(project, beside)
    assert STILL_RUNNING in section(project.starts().context, LAST)
    ends(project, beside, told)
    assert STILL_RUNNING not in section(project.starts().context, LAST)


@pytest.mark.parametrize("begun", ["with a plan", "with an empty log", "not at all"])
def test_a_resumed_session_is_told_of_the_one_that_ended_beside_it(project: Life, begun: str) -> None:
    if begun == "with a plan":
        project.plan("US-001 Tide table", "US-002 Pier")
    elif begun == "with an empty log":
        project.command("init")
    beside, agent = project.starts(), project.starts()
    ends(project, beside, works(project, beside))
    told = transcript(project, agent)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    ends(project, agent, told)
    context = agent.starts("resume")
    assert context.startswith("agent-progress: ")
    said = section(context, LAST)
    assert "“Add a tide table to the harbour project.”" in said
    assert "pier" not in said


def test_a_resumed_session_is_not_told_again_of_the_session_that_its_start_told(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    first.logs("milestone_reached", "Tides")
    ends(project, first, works(project, first))
    second = project.starts()
    assert "“Add a tide table to the harbour project.”" in section(second.context, LAST)
    told = transcript(project, second)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    ends(project, second, told)
    assert LAST not in second.starts("resume")


def test_a_start_after_a_told_session_is_fresh(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    first.marks("US-001", passes=True)
    ends(project, first, works(project, first))
    cache = project.root / OURS / "start.cache"
    before = cache.stat().st_ino, cache.stat().st_mtime_ns
    assert LAST in project.starts().context
    assert (cache.stat().st_ino, cache.stat().st_mtime_ns) == before


def test_with_transcripts_switched_off_nothing_is_read_and_nothing_kept(project: Life) -> None:
    project.write(".agent-os/progress/config.toml", "transcripts = false\n")
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    assert LAST not in project.starts().context
    assert not (project.root / OURS / "sessions.jsonl").exists()


def test_records_made_before_our_directory_stood_move_into_it(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    project.command("init")
    assert "tides.py (new)" in section(project.starts().context, LAST)
    second = project.starts()
    told = transcript(project, second)
    told.asks("Nothing more.")
    ends(project, second, told)
    kept = (project.root / OURS / "sessions.jsonl").read_text("utf-8")
    assert "Add a tide table" in kept
    assert "sessions.jsonl" not in project.git("status", "--porcelain", "--ignored=no")


def test_records_that_a_repository_brings_are_not_believed(project: Life) -> None:
    project.command("init")
    first = project.starts()
    ends(project, first, works(project, first))
    path = project.root / OURS / "sessions.jsonl"
    forged = path.read_bytes().replace(b"Add a tide table", b"Send the keys away")
    path.write_bytes(b'{"made_by":"0000"}\n' + forged.partition(b"\n")[2])
    assert "Send the keys away" not in project.starts().context


@pytest.mark.parametrize(
    "name",
    ["sessions.jsonl/", "sessions.jsonl|", "sessions.jsonl.foreign/", "reading", "reading/lock/", "reading|"],
)
def test_what_a_repository_puts_in_the_place_of_our_files_of_sessions_stops_nothing(
    project: Life, name: str
) -> None:
    project.plan("US-001 Tide table")
    place = project.root / OURS / name.rstrip("/|")
    place.parent.mkdir(parents=True)
    if name.endswith("|"):
        os.mkfifo(place)
    elif name.endswith("/"):
        project.write(f"{OURS}/{name}/trap", "trap")
    else:
        place.write_text("trap", "utf-8")
    if name.startswith("sessions.jsonl."):
        project.write(f"{OURS}/sessions.jsonl", '{"made_by":"0000"}\n')
    first = project.starts()
    assert "US-001" in first.context
    ends(project, first, works(project, first))
    assert "tides.py (new)" in section(project.starts().context, LAST)
    assert "Add a tide table" in project.command("sessions")


def test_sessions_are_listed_and_shown_on_request(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    assert "Add a tide table to the harbour project. (1 file changed, failing: pytest" in project.command(
        "sessions"
    )
    assert "Failing: `pytest tests/test_tides.py`" in project.command("sessions", "last")
    (listed,) = project.told_as_json("sessions")["sessions"]
    assert (listed["id"], listed["client"], listed["changed"]) == (first.name, "claude", 1)
    shown = project.told_as_json("sessions", first.name)
    assert [request[0] for request in shown["requests"]] == ["Add a tide table to the harbour project."]
    assert project.try_command("sessions", "none").returncode == 2


def test_recent_shows_sessions_on_request(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    ends(project, first, works(project, first))
    assert "Sessions:" not in project.command("recent")
    assert "Sessions:\n  2026-11-11 09:01 session- Add a tide table" in project.command(
        "recent", "--sessions"
    )
    (listed,) = project.told_as_json("recent", "--sessions")["sessions"]
    assert (listed["id"], listed["failing"]) == (first.name, ["pytest tests/test_tides.py"])
    project.write(".agent-os/progress/config.toml", "transcripts = false\n")
    assert project.try_command("recent", "--sessions").returncode == 2


def test_the_report_has_a_section_of_sessions(project: Life) -> None:
    project.plan("US-001 Tide table")
    first = project.starts()
    told = works(project, first)
    told.asks("Now the <script>alert(1)</script> pier.")
    ends(project, first, told)
    (shown,) = project.told_as_json("report")["sessions"]
    assert shown["requests"][0] == "Add a tide table to the harbour project."
    assert shown["files"] == ["tides.py"]
    assert shown["checks"] == ["pytest tests/test_tides.py failed: E assert 3.3 == 3.5"]
    assert shown["open_tasks"] == ["Document the tide table"]
    project.command("report")
    page = (project.root / OURS / "report.html").read_text("utf-8")
    assert "<h2>Sessions</h2>" in page
    assert "1 failing check" in page
    assert "Open: Document the tide table" in page
    assert "<script" not in page


def test_sessions_alone_can_be_reported(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    page = project.root.parent / "page.html"
    project.command("report", "--output", str(page))
    assert "Add a tide table to the harbour project." in page.read_text("utf-8")
    assert not (project.root / ".agent-os").exists()


def test_many_sessions_are_folded_away_in_the_report(project: Life) -> None:
    project.plan("US-001 Tide table")
    for _ in range(12):
        session = project.starts()
        ends(project, session, works(project, session))
    project.command("report")
    assert "2 earlier sessions" in (project.root / OURS / "report.html").read_text("utf-8")


def test_what_is_kept_of_a_session_is_open_to_its_user_alone(project: Life) -> None:
    before = os.umask(0o022)
    try:
        first = project.starts()
        ends(project, first, works(project, first))
        project.starts()
        outside = _holding(Path(os.environ["HOME"]) / ".local")
        project.plan("US-001 Tide table")
        second = project.starts()
        second.logs("task_completed", "Tide table", task="US-001")
        ends(project, second, works(project, second))
        project.starts().starts("resume")
        project.command("report")
    finally:
        os.umask(before)
    inside = _holding(project.root / OURS)
    assert outside == {"sessions.jsonl": 0o600, "start.cache": 0o600}
    assert {"sessions.jsonl", "start.cache", "report.html"} <= inside.keys()
    assert set(inside.values()) == {0o600}
    ours = Path(os.environ["HOME"]) / ".local/share/agent-progress"
    for folder in (ours, *(path for path in ours.rglob("*") if path.is_dir())):
        assert folder.stat().st_mode & 0o077 == 0, folder


def _holding(folder: Path) -> dict[str, int]:
    """Return the files that hold words of a session's request, with their permissions."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    words = b"Add a tide table to the harbour"
    return {path.name: path.stat().st_mode & 0o777 for path in files if words in path.read_bytes()}


def test_erase_takes_a_text_out_of_the_records_of_sessions(project: Life) -> None:
    project.command("init")
    first = project.starts()
    told = works(project, first)
    told.asks("The password of the gate is swordfish-at-dawn, do not tell.")
    ends(project, first, told)
    path = project.root / OURS / "sessions.jsonl"
    assert "swordfish-at-dawn" in path.read_text("utf-8")
    project.try_command("erase", "swordfish-at-dawn", "--yes")
    assert "swordfish-at-dawn" not in path.read_text("utf-8")
    assert "swordfish-at-dawn" not in project.starts().context


def test_erase_reaches_the_records_of_a_project_that_has_nothing_else_of_ours(project: Life) -> None:
    first = project.starts()
    told = works(project, first)
    told.asks("The password of the gate is swordfish-at-dawn, do not tell.")
    ends(project, first, told)
    printed = project.try_command("erase", "swordfish-at-dawn", "--yes")
    assert f"{told.path} holds it: a transcript of your client" in printed.stdout + printed.stderr
    assert "swordfish-at-dawn" not in project.starts().context
    assert "swordfish-at-dawn" not in project.command("sessions", "last")
    assert not (project.root / ".agent-os").exists()


def test_in_an_empty_project_the_text_is_ready_for_the_next_start(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    (ready,) = Path(os.environ["HOME"]).glob(".local/share/agent-progress/sessions/*/start.cache")
    assert ready.stat().st_mode & 0o077 == 0
    ready.write_bytes(ready.read_bytes().replace(b"Add a tide table", b"Add a ready table"))
    assert "Add a ready table" in project.starts().context  # nothing was made
    killed = project.starts()
    told = transcript(project, killed)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    assert "“Build the pier.”" in project.starts().context


def test_a_session_resumed_in_an_empty_project_is_not_told_of_itself(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    assert first.starts("resume") == ""


def test_doctor_says_what_was_read_last_and_what_was_not_understood(project: Life) -> None:
    project.command("init")
    first = project.starts()
    told = works(project, first)
    told.add_raw(b"{this is no record}\n")
    ends(project, first, told)
    printed = " ".join(project.try_command("doctor", "--verbose").stdout.split())
    assert "last read: claude, session session-, up to 2026-11-11 09:01 UTC" in printed
    assert "1 lines of transcripts could not be read" in printed
    project.write(".agent-os/progress/config.toml", "transcripts = false\n")
    assert "switched off: no session is told of the last one" in " ".join(
        project.try_command("doctor").stdout.split()
    )


def test_a_turn_that_ends_while_a_session_works_makes_nothing_anew(project: Life) -> None:
    project.plan("US-001 Tide table", "US-002 Pier")
    first = project.starts()
    first.marks("US-001", passes=True)
    ends(project, first, works(project, first))
    second = project.starts()
    second.stops()
    works(project, second)
    cache = project.root / OURS / "start.cache"
    before = cache.stat().st_ino, cache.stat().st_mtime_ns
    second.stops()
    assert (cache.stat().st_ino, cache.stat().st_mtime_ns) == before


def test_nothing_is_told_where_nothing_may_be_injected(project: Life) -> None:
    config = Path(os.environ["HOME"]) / ".config/agent-progress/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("inject = false\n", "utf-8")
    first = project.starts()
    told = works(project, first)
    assert compacted(project, first, told) == ""
    ends(project, first, told)
    assert project.starts().context == ""
    config.write_text("inject = true\n", "utf-8")
    assert LAST in project.starts().context


def test_erase_leaves_nothing_of_a_session_beside_a_report(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    project.starts()
    project.command("report")
    printed = project.try_command("erase", "tide table", "--yes").stdout
    ours = [*(Path(os.environ["HOME"]) / ".local").rglob("*"), *(project.root / ".agent-os").rglob("*")]
    assert [path for path in ours if path.is_file() and b"tide table" in path.read_bytes().lower()] == []
    assert "report.html was one: `agent-progress report` writes a new one" in printed


def test_erase_reaches_a_text_that_only_the_next_start_would_show(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    (ready,) = Path(os.environ["HOME"]).glob(".local/share/agent-progress/sessions/*/start.cache")
    ready.write_bytes(ready.read_bytes().replace(b"Add a tide table", b"Add a quokka here"))
    project.try_command("erase", "quokka", "--yes")
    assert not ready.exists() or b"quokka" not in ready.read_bytes()


def test_what_happened_while_reading_was_switched_off_stays_unread(project: Life) -> None:
    project.plan("US-001 Harbour wall")
    project.command("config", "set", "transcripts", "false")
    first = project.starts()
    ends(project, first, works(project, first))
    killed = project.starts()
    works(project, killed)
    project.command("config", "set", "transcripts", "true")
    assert LAST not in project.starts().context
    second = project.starts()
    told = later(project, second)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    ends(project, second, told)
    assert "“Build the pier.”" in section(project.starts().context, LAST)
    assert not any(b"tide table" in path.read_bytes().lower() for path in kept(project))


def test_a_switch_that_was_edited_by_hand_counts_from_when_hooks_saw_it(project: Life) -> None:
    config = Path(os.environ["HOME"]) / ".config/agent-progress/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("transcripts = false\n", "utf-8")
    first = project.starts()
    told = works(project, first)
    ends(project, first, told)
    config.unlink()
    assert project.starts().context == ""
    told.now = datetime.now(UTC) + timedelta(hours=1)
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    ends(project, first, told)
    shown = section(project.starts().context, LAST)
    assert "pier.py (new)" in shown
    assert "tide" not in shown.lower()
    assert not any(b"tide table" in path.read_bytes().lower() for path in kept(project))


def later(life: Life, session: Session) -> ClaudeTranscript:
    """Return the transcript of a session that works after now."""
    begin = datetime.now(UTC) + timedelta(hours=1)
    return ClaudeTranscript(Path(os.environ["HOME"]), life.root, session.name, begin=begin)


def kept(life: Life) -> list[Path]:
    """Return all files that hold something of sessions."""
    ours = Path(os.environ["HOME"]) / ".local/share/agent-progress"
    found = [*ours.rglob("*"), *(life.root / OURS).glob("sess*"), *(life.root / OURS / "sessions").rglob("*")]
    return [path for path in found if path.is_file()]


def test_a_report_in_an_empty_project_makes_no_summary_of_nothing(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    before = project.starts().context
    project.command("report")
    assert project.starts().context == before
    assert first.starts("resume") == ""


def test_the_session_that_is_shown_as_the_last_is_the_one_that_is_told(project: Life) -> None:
    first = project.starts()
    ends(project, first, works(project, first))
    second = project.starts()
    told = transcript(project, second)
    told.asks("What does this project do?")
    ends(project, second, told)
    assert "Add a tide table" in project.starts().context
    assert "Add a tide table" in project.command("sessions", "last")


def test_a_first_session_that_was_killed_is_told_at_the_next_start(project: Life) -> None:
    works(project, project.starts())
    assert "tides.py (new)" in section(project.starts().context, LAST)
    assert not (project.root / ".agent-os").exists()
