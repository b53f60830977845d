"""Which files a session wrote, which checks it ran where, and how they ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core.project import Project
from progress_plugin.transcripts.events import Ran
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_section import section
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, record_of_lines


def test_files_that_a_command_changed_are_told_but_not_what_machines_write(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    changed = ("pier.py", "__pycache__/pier.cpython-311.pyc", "dist/pier.js", ".tox/a.py")
    told.runs("python3 generate.py", changed=changed)
    told.runs("npm run build", changed=("bundle.js",))
    told.runs("python3 fails.py", 1, "Traceback")
    assert list(record_of(project, told).files) == ["pier.py"]


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


@pytest.mark.parametrize(
    "line",
    [
        "make -C ../other test", "pytest ../other", "pytest -q /other/project", "npm --prefix ../other test", "env --chdir=/tmp pytest",
        "cargo test --manifest-path ../o/Cargo.toml", "uv run --directory /tmp pytest", "env -C /tmp pytest", "go -C ../o test ./...",
        "pnpm --dir=../o test", "cd api && make -C ../.. test", "mypy /o/a.py ../o/b.py", "pytest --rootdir=/tmp", "npm test --prefix /tmp",
    ],
)  # fmt: skip
def test_a_check_that_its_own_words_lead_out_of_the_project_is_none(line: str, project: Project) -> None:
    record = SessionRecord("claude-code", "x", project.root)
    record.take(Ran("2026-11-01T10:00:00Z", command=line, exit_code=0, output="3 passed in 0.1s"))
    assert record.checks == {}


@pytest.mark.parametrize(
    "line",
    [
        "cd api && make -C .. test", "pytest tests/a.py ../other/tests/a.py", "go build -o /tmp/x ./cmd/x", "pytest --junitxml=/tmp/x.xml",
        "pytest --basetemp /tmp/x", "ruff check --config ../ruff.toml", "docker exec app pytest /app/tests", "npm --prefix api test",
        "pytest {root}/tests", "make -C {root} test", "cargo build --target-dir /tmp/x", "go test -coverprofile /tmp/c ./...",
    ],
)  # fmt: skip
def test_a_check_that_only_writes_or_is_set_up_elsewhere_is_one_of_the_project(
    line: str, project: Project
) -> None:
    record = SessionRecord("claude-code", "x", project.root)
    record.take(Ran("2026-11-01T10:00:00Z", command=line.replace("{root}", project.root), exit_code=0))
    assert [check.passed for check in record.checks.values()] == [True]


def test_a_check_outside_of_the_project_is_a_command_like_any_other(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Deepen the harbour.")
    told.runs("cd /tmp && pytest", 0, "3 passed")
    told.runs("cd ../quay && pytest", 1, "1 failed")
    record = record_of(project, told)
    assert not record.checks
    assert list(record.failures) == ["cd ../quay && pytest"]


def test_a_bare_make_leaves_the_failure_of_a_target(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Deepen the harbour.")
    told.writes("deep.py", new=True)
    told.runs("make test", 2, "make: *** [Makefile:4: test] Error 1")
    told.runs("make")
    assert "Failing: `make test`" in section(record_of(project, told))


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
    shown = section(record_of(project, told))
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
    line = {**told, "payload": {"type": "item_completed", "item": item}}
    record = record_of_lines("codex", [line], str(root))
    assert list(record.checks) == ["pytest (in api/src)"]
