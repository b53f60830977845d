"""What is told of a session, and what of it is no fact worth telling."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.text.bounds import estimate_tokens as estimate
from progress_plugin.transcripts.events import Asked, Planned, Ran, Said, Wrote
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_section import TOKENS, section
from progress_plugin.transcripts.session_store import in_order
from progress_plugin.usecases.last_session import last_session, session_beside
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of


def told(*commands: str, ended: str = "2026-11-20T09:41:00Z") -> str:
    record = SessionRecord("claude", "s", "/p")
    record.take(Asked("2026-11-20T09:00:00Z", "Begin."))
    for command in commands:
        record.take(Ran("2026-11-20T09:10:00Z", command, 1, "nothing there"))
    record.take(Wrote(ended, "/p/a.py"))
    return section(record)


def test_a_session_that_ended_on_another_day_is_told_with_that_day() -> None:
    assert "2026-11-20 09:00 – 2026-11-23 09:41 UTC" in told(ended="2026-11-23T09:41:00Z")
    assert "2026-11-20 09:00 – 09:41 UTC" in told()


@pytest.mark.parametrize(
    "command",
    ["ls nowhere", "which nosuchprogram", "cd src && grep -rn sluice .", "git diff --quiet", "command -v go"],
)
def test_a_command_that_looked_and_found_nothing_is_not_told_as_failed(command: str) -> None:
    assert "Failed" not in told(command)


@pytest.mark.parametrize("command", ["ls src && ./deploy.sh", "git push", "cat list | xargs rm"])
def test_a_command_that_does_something_besides_is_told_as_failed(command: str) -> None:
    assert f"Failed, and not repeated with success: `{command}`" in told(command)


def test_what_a_failing_check_says_is_no_block_of_markdown_behind_its_name() -> None:
    record = SessionRecord("claude", "s", "/p")
    record.take(Ran("2026-11-20T09:10:00Z", "npm test", 1, "# fail 1"))
    record.take(Ran("2026-11-20T09:11:00Z", "./deploy.sh", 1, "# nothing to deploy"))
    shown = section(record)
    assert "Failing: `npm test`: # fail 1" in shown
    assert "`./deploy.sh`: # nothing to deploy" in shown


def test_files_of_the_work_are_told_before_plan_and_log() -> None:
    record = SessionRecord("claude", "s", "/p")
    names = [
        "tides.py",
        "tests/test_tides.py",
        "progress.md",
        ".taskmaster/tasks/tasks.json",
    ]
    for second, name in enumerate(names):
        record.take(Wrote(f"2026-11-20T09:00:0{second}Z", f"/p/{name}"))
    assert ("Changed: tests/test_tides.py; tides.py; .taskmaster/tasks/tasks.json; progress.md\n") in section(
        record
    )


def worked(session: str, begin: str, end: str, path: str) -> SessionRecord:
    record = SessionRecord("claude", session, "/p")
    record.take(Asked(f"2026-11-20T{begin}:00Z", f"Mend {path}."))
    record.take(Wrote(f"2026-11-20T{end}:00Z", f"/p/{path}"))
    return record


@pytest.mark.parametrize(
    ("begin", "end", "is_told"),
    [("09:00", "09:50", True), ("09:35", "09:40", True), ("08:00", "09:10", False)],
)
def test_of_a_session_at_work_beside_a_line_says_what_it_was_asked_and_changed(
    begin: str, end: str, *, is_told: bool
) -> None:
    other, last = worked("beside-0000", begin, end, "README.md"), worked("last", "09:30", "10:00", "a.py")
    found = session_beside(in_order([other, last]), last)
    shown = section(last, beside=found)
    line = "- Beside it (`agent-progress sessions beside-0`): asked “Mend README.md.”, changed README.md\n"
    assert (line in shown) is is_told
    assert estimate(shown) <= TOKENS
    assert session_beside([other, last], last, besides="beside-0000") is None


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
    project = find_project(str(root))
    transcript = ClaudeTranscript(tmp_path / "home", root, "s", begin=when)
    transcript.asks("Build the pier.")
    assert record_of(project, transcript).commits == []


def long_of_all_kinds(words: str) -> str:
    """Return the section of a session whose every kind of fact is many of these words long."""
    record = SessionRecord("claude", "s", "/p")
    for number in range(6):
        record.take(Asked(f"2026-11-20T09:0{number}:00Z", f"{number} {words * 30}"))
    for number in range(8):
        record.take(Wrote("2026-11-20T09:15:00Z", f"/p/src/{words[:12]}/basin{number}.py"))
        says = f"E   AssertionError: {words * 9}"
        record.take(Ran("2026-11-20T09:20:00Z", f"pytest tests/test_basin{number}.py", 1, says))
    record.take(Ran("2026-11-20T09:20:00Z", "./deploy.sh", 1, f"Error: {words * 9}"))
    record.take(Planned("2026-11-20T09:21:00Z", "1", words * 9, "pending"))
    record.take(Said("2026-11-20T09:22:00Z", words * 40))
    return section(record)


@pytest.mark.parametrize("words", ["Please mend the tide table. ", "港の潮汐表を直してください。"])
def test_long_requests_leave_room_for_what_fails_and_what_is_open(words: str) -> None:
    shown = long_of_all_kinds(words)
    assert estimate(shown) <= TOKENS
    for beginning in (
        "Asked last: “5 ",
        "Changed: src/",
        "Failing: `pytest tests/",
        f"Open tasks: {words[:4]}",
    ):
        assert f"- {beginning}" in shown


def test_a_section_without_room_says_how_many_lines_it_leaves_out() -> None:
    shown = long_of_all_kinds("Please mend the tide table. ")
    lines = [line for line in shown.splitlines() if line.startswith("- ")]
    assert lines[-1] == f"- {14 - (len(lines) - 1)} more: `agent-progress sessions`"


def test_a_session_of_a_program_does_not_hide_that_of_a_person() -> None:
    person, program = worked("person", "09:00", "09:10", "a.py"), worked("program", "10:00", "10:10", "b.py")
    program.headless = True
    assert last_session([person, program], ()) is person
    assert "asked “Mend b.py.”, changed b.py" in section(
        person, beside=session_beside([person, program], person)
    )
    assert last_session([program], ()) is program


def test_a_session_that_only_logged_is_the_last_one() -> None:
    worker, logger = worked("worker", "09:00", "09:10", "a.py"), SessionRecord("claude", "logger", "/p")
    logger.take(Asked("2026-11-20T10:00:00Z", "Log what was decided."))
    assert last_session([worker, logger], ()) is worker
    assert last_session([worker, logger], {"logger"}) is logger
    assert "Log what was decided." in section(logger, in_log=True)
