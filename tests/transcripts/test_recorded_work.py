"""Which files a session wrote, which checks it ran where, and how they ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core.project import Project
from progress_plugin.summary.session_section import section
from progress_plugin.transcripts.events import CommandRun
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, record_of_events, record_of_lines
from tests.transcripts.tables import rows


def test_files_that_a_command_changed_are_recorded_but_not_what_programs_make(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    changed = ("pier.py", "__pycache__/pier.cpython-311.pyc", "dist/pier.js", ".tox/a.py")
    told.runs("python3 generate.py", changed=changed)
    told.runs("python3 fails.py", 1, "Traceback")
    assert list(record_of(project, told).files) == ["pier.py"]


def test_one_check_in_two_folders_is_two(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Deepen the harbour.")
    told.runs("cd api && python3 -m unittest test_a", 1, "FAILED (failures=1)")
    told.runs("python3 -m unittest test_a", cwd=Path(project.root) / "web")
    told.runs("cd .. && python3 -m unittest test_a", cwd=Path(project.root) / "web")
    assert {name: run.passed for name, run in record_of(project, told).checks.items()} == {
        "unittest test_a (in api)": False,
        "unittest test_a (in web)": True,
        "unittest test_a": True,
    }


@pytest.mark.parametrize(("place", "line"), rows("check_places.tsv"))
def test_a_check_says_something_only_of_the_project_in_which_it_ran(place: str, line: str) -> None:
    line = line.replace("{root}", "/p/harbour")
    record = record_of_events(
        CommandRun("2026-11-01T10:00:00Z", line, 0, "3 passed in 0.1s"), root="/p/harbour"
    )
    assert [check.passed for check in record.checks.values()] == [True] * (place == "inside")


def test_a_check_outside_of_the_project_is_a_command_like_any_other() -> None:
    passes = CommandRun("2026-11-01T10:00:00Z", "cd /tmp && pytest", 0, "3 passed")
    record = record_of_events(
        passes, CommandRun("2026-11-01T10:01:00Z", "cd ../quay && pytest", 1, "1 failed")
    )
    assert not record.checks


def test_a_bare_make_leaves_the_failure_of_a_target(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Deepen the harbour.")
    told.writes("deep.py", new=True)
    told.runs("make test", 2, "make: *** [Makefile:4: test] Error 1")
    told.runs("make")
    assert "Failing: `make test`" in section(record_of(project, told))


def test_a_failure_before_the_last_edit_is_shown_as_one(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Mend the span.")
    told.runs("python3 -m unittest test_a", 1, "AssertionError: 1 != 2\nFAILED (failures=1)")
    assert "- Failing: `unittest test_a`: Assertion" in section(record_of(project, told))
    told.writes("m.py")
    line = "- Failing: `unittest test_a`, before the last edit: AssertionError: 1 != 2\n"
    assert line in section(record_of(project, told))


def test_a_passing_check_is_not_failing_for_what_ran_behind_it() -> None:
    line = "python3 -m compileall -q m.py && git push"
    record = record_of_events(CommandRun("2026-11-20T09:00:00Z", line, 1, "error: failed to push some refs"))
    assert not record.failing


def test_what_a_script_behind_a_check_changed_outdates_it(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Mend the span.")
    told.runs("pytest && python3 generate.py", changed=("m.py",))
    told.runs("npm test && git commit -qm x", changed=("m.py",))
    shown = section(record_of(project, told))
    assert "Changed: m.py (2 times)\n" in shown
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
    shell = ["/bin/bash", "-lc", "cd src && pytest"]
    item = {"type": "CommandExecution", "command": shell, "cwd": (root / "api").as_uri(), "exit_code": 0}
    payload = {"type": "item_completed", "item": item}
    line = {"type": "event_msg", "timestamp": "2026-11-20T09:00:00Z", "payload": payload}
    assert list(record_of_lines("codex", [line], str(root)).checks) == ["pytest (in api/src)"]
