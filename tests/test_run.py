"""The program that runs every check: what it prints last, and when it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import run
from tests.run import CLOSING, Session, parse, report


@pytest.fixture
def session() -> Session:
    return Session(fast=True, only=None, install_node=False, pytest_arguments=[])


@pytest.mark.parametrize(
    "body",
    [
        "def test_a(): pass",
        "def test_a(): assert 0",
        "",
        "import pytest\npytest.skip(allow_module_level=True)",
    ],
)
def test_pytests_closing_line_is_recognised_however_it_ends(tmp_path: Path, body: str) -> None:
    (tmp_path / "test_it.py").write_text(body)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert [line for line in lines if CLOSING.match(line)] == [lines[-1]]


def test_the_closing_line_is_printed_last(session: Session, capfd: pytest.CaptureFixture[str]) -> None:
    closing = "===== 3 passed in 0.12s ====="
    session.step("tests", [sys.executable, "-c", f"print({closing!r}); print('and more')"])
    assert report(session) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[-1] == closing
    assert [line.split()[0] for line in lines[-3:-1]] == ["tests", "all"]


def test_a_step_ends_at_the_first_command_that_fails_and_the_others_go_on(
    session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    fail = [sys.executable, "-c", "raise SystemExit(7)"]
    session.step("lint", fail, [sys.executable, "-c", "print('never')"])
    session.step("types", [sys.executable, "-c", "print('reached')"])
    assert report(session) == 1
    printed = capfd.readouterr().out
    assert "FAILED (exit 7)" in printed
    assert "reached\n" in printed
    assert "never\n" not in printed


def test_only_the_step_asked_for_is_run(capfd: pytest.CaptureFixture[str]) -> None:
    session = parse(["--only", "types", "--", "-k", "x"])
    session.step("lint", [sys.executable, "-c", "print('lint')"])
    session.step("types", [sys.executable, "-c", "print('types')"])
    assert [step.name for step in session.steps] == ["types"]
    assert session.pytest_arguments == ["-k", "x"]
    assert "lint" not in capfd.readouterr().out


def test_a_run_without_a_step_is_no_success(session: Session) -> None:
    assert report(session) == 1


def test_an_agent_that_cannot_be_installed_is_named_and_only_claude_code_is_required(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "npm").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(run, "CLIENTS", str(tmp_path))
    monkeypatch.delenv("AGENT_PROGRESS_REQUIRE_CLIENTS", raising=False)
    run.install_clients(session)
    assert report(session) == 0
    assert "codex-0.169.0" in capfd.readouterr().out
    assert all(step.outcome.startswith("SKIPPED: not tested") for step in session.steps)
    assert [step.name for step in session.steps] == [agent.name for agent in run.AGENTS]
    monkeypatch.setenv("AGENT_PROGRESS_REQUIRE_CLIENTS", "1")
    session.steps.clear()
    run.install_clients(session)
    assert report(session) == 1
    failed = [step.name for step in session.steps if step.outcome.startswith("FAILED")]
    assert failed == ["claude-code-2.1.330", "claude-code-2.1.197"]
