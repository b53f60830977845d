"""What the section about the last session shows, and which session is the last."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.log.store import LogHistory
from progress_plugin.summary.session_section import TOKENS, section
from progress_plugin.text.bounds import estimate_tokens as estimate
from progress_plugin.transcripts.events import (
    AgentReply,
    CommandRun,
    Event,
    FileEdit,
    TaskUpdate,
    UserRequest,
)
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import in_order
from progress_plugin.usecases.last_session import last_session, last_session_section
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, record_of_events


def told(*commands: str, ended: str = "2026-11-20T09:41:00Z") -> str:
    failed = (CommandRun("2026-11-20T09:10:00Z", command, 1, "nothing there") for command in commands)
    asked, wrote = UserRequest("2026-11-20T09:00:00Z", "Begin."), FileEdit(ended, "/p/a.py")
    return section(record_of_events(asked, *failed, wrote))


def test_a_session_that_ended_on_another_day_is_shown_with_that_day() -> None:
    assert "2026-11-20 09:00 – 2026-11-23 09:41 UTC" in told(ended="2026-11-23T09:41:00Z")
    assert "2026-11-20 09:00 – 09:41 UTC" in told()


def test_what_a_failing_check_says_is_no_block_of_markdown_behind_its_name() -> None:
    check = CommandRun("2026-11-20T09:10:00Z", "npm test", 1, "# fail 1")
    assert "Failing: `npm test`: # fail 1" in section(record_of_events(check))


def test_files_of_the_work_are_shown_before_plan_and_log() -> None:
    names = ["tides.py", "tests/test_tides.py", "progress.md", ".taskmaster/tasks/tasks.json"]
    wrote = (FileEdit(f"2026-11-20T09:00:0{second}Z", f"/p/{name}") for second, name in enumerate(names))
    shown = section(record_of_events(*wrote))
    assert "Changed: tests/test_tides.py; tides.py; .taskmaster/tasks/tasks.json; progress.md\n" in shown


def worked(session: str, begin: str, end: str, path: str) -> SessionRecord:
    asked = UserRequest(f"2026-11-20T{begin}:00Z", f"Mend {path}.")
    return record_of_events(asked, FileEdit(f"2026-11-20T{end}:00Z", f"/p/{path}"), session=session)


@pytest.mark.parametrize(
    ("begin", "end", "is_shown"),
    [("09:00", "09:50", True), ("09:35", "09:40", True), ("08:00", "09:10", False)],
)
def test_a_line_says_what_a_session_beside_was_asked_and_changed(
    begin: str, end: str, log: LogHistory, *, is_shown: bool
) -> None:
    other, last = worked("beside-0000", begin, end, "README.md"), worked("last", "09:30", "10:00", "a.py")
    records = in_order([other, last])
    shown = last_session_section(records, log)
    line = "- Another session (`agent-progress sessions beside-0000`): asked “Mend README.md.”, changed README.md\n"
    assert (line in shown) is is_shown
    assert estimate(shown) <= TOKENS
    assert "Another session" not in last_session_section(records, log, excluded="beside-0000")


def test_a_commit_made_in_the_second_before_a_session_is_not_its_own(tmp_path: Path) -> None:
    root = tmp_path / "harbour"
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    when = datetime.now(UTC).replace(microsecond=0)
    date = when.strftime("%Y-%m-%dT%H:%M:%SZ")
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(
        [*git, "commit", "-q", "--allow-empty", "-m", "Before"], check=True, env={"GIT_COMMITTER_DATE": date}
    )
    (root / ".agent-os/progress").mkdir(parents=True)
    transcript = ClaudeTranscript(tmp_path / "home", root, "s", begin=when)
    transcript.asks("Build the pier.")
    assert record_of(find_project(str(root)), transcript).commits == []


def long_of_all_kinds(words: str) -> str:
    """Return the section of a session in which every fact consists of these words many times."""
    found: list[Event] = [
        UserRequest(f"2026-11-20T09:0{number}:00Z", f"{number} {words * 30}") for number in range(6)
    ]
    says = f"E   AssertionError: {words * 9}"
    for number in range(8):
        found.append(FileEdit("2026-11-20T09:15:00Z", f"/p/src/{words[:12]}/basin{number}.py"))
        found.append(CommandRun("2026-11-20T09:20:00Z", f"pytest tests/test_basin{number}.py", 1, says))
    found.append(TaskUpdate("2026-11-20T09:21:00Z", "1", words * 9, "pending"))
    return section(record_of_events(*found, AgentReply("2026-11-20T09:22:00Z", words * 40)))


@pytest.mark.parametrize("words", ["Please mend the tide table. ", "港の潮汐表を直してください。"])
def test_long_requests_leave_room_for_what_fails_and_what_is_open(words: str) -> None:
    shown = long_of_all_kinds(words)
    assert estimate(shown) <= TOKENS
    for part in ("Asked last: “5 ", "Changed: src/", "Failing: `pytest tests/", f"Open tasks: {words[:4]}"):
        assert f"- {part}" in shown
    lines = [line for line in shown.splitlines() if line.startswith("- ")]
    assert lines[-1] == f"- {13 - (len(lines) - 1)} more: `agent-progress sessions`"


def test_a_session_of_a_program_does_not_hide_that_of_a_person(log: LogHistory) -> None:
    person, program = worked("person", "09:00", "09:10", "a.py"), worked("program", "10:00", "10:10", "b.py")
    program.headless = True
    assert last_session([person, program], ()) is person
    assert "asked “Mend b.py.”, changed b.py" in last_session_section([person, program], log)
    assert last_session([program], ()) is program


def test_a_session_that_only_logged_is_the_last_one() -> None:
    worker = worked("worker", "09:00", "09:10", "a.py")
    asked = UserRequest("2026-11-20T10:00:00Z", "Log what was decided.")
    logger = record_of_events(asked, session="logger")
    assert last_session([worker, logger], ()) is worker
    assert last_session([worker, logger], {"logger"}) is logger
    assert "Log what was decided." in section(logger, in_log=True)
