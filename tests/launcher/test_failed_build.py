"""A build that failed is told, not waited for: by starts, commands and the server."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path

import pytest

from progress_plugin.core.fast.install_attempts import Attempts, nothing_to_announce
from progress_plugin.core.packages import environment
from progress_plugin.usecases import setup
from progress_plugin.usecases.missing_packages import failing_today
from tests.conftest import REPOSITORY

NOON = 1_800_014_400.0
HOUR, DAY = 3600.0, 86400.0
REASON = "the packages could not be installed (tried pip)"


@pytest.fixture
def failed(home: Path) -> Attempts:
    """Return the record of a build that failed a minute ago."""
    place = environment.writable_home()
    assert place
    attempts = Attempts(place)
    attempts.failed(time.time() - 60, REASON)
    return attempts


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with an agent's log."""
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / "progress.md").write_text("## 2026-01-05 - US-001: Light the lamp\n- Lit it\n", "utf-8")
    return root


def run(project: Path, home: Path, *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python as the launcher does where no environment stands."""
    variables = {"HOME": str(home), "AGENT_PROGRESS_SITE": "", "CLAUDECODE": "1", "PATH": "/usr/bin:/bin"}
    command = [environment.interpreter(), "-I", "-S", "-X", "utf8", *words]
    return subprocess.run(
        command, cwd=project, env=variables, input=said, capture_output=True, text=True, check=False
    )


def start(project: Path, home: Path, *options: str) -> tuple[str, str]:
    """Return what the user is told at a session's start, and what was written beside it."""
    said = json.dumps({"session_id": "s", "cwd": str(project), "source": "startup"})
    done = run(
        project,
        home,
        *options,
        str(REPOSITORY / "progress_plugin/__main__.py"),
        "hook",
        "SessionStart",
        said=said,
    )
    return json.loads(done.stdout).get("systemMessage", ""), done.stderr


def test_the_first_start_of_a_day_tells_why_until_when_and_what_to_do(
    failed: Attempts, project: Path, home: Path
) -> None:
    told = start(project, home)[0]
    assert REASON in told
    assert "tried again after" in told
    assert "agent-progress setup" in told
    assert REASON not in start(project, home)[0]
    assert not (Path(environment.homes()[0]) / "build.log").exists()


def test_the_day_after_it_is_told_again(home: Path) -> None:
    place = environment.writable_home()
    assert place
    for _ in range(2):
        Attempts(place).failed(NOON, REASON)
    assert failing_today(NOON)
    assert failing_today(NOON + HOUR) is None
    assert failing_today(NOON + 20 * HOUR)
    assert failing_today(NOON + DAY) is None  # it is tried again, and announced


def test_once_it_stands_everything_is_forgotten(failed: Attempts) -> None:
    failed.tell(NOON)
    failed.forget()
    assert not failed.was_announced(NOON)
    assert failed.read() == (0, 0.0, "")


def test_a_start_whose_user_knows_is_as_fast_as_any(failed: Attempts, project: Path, home: Path) -> None:
    start(project, home)
    beside = start(project, home, "-X", "importtime")[1]
    assert "progress_plugin.core.fast.install_attempts" in beside
    assert "progress_plugin.usecases" not in beside
    assert " os\n" not in beside


def test_a_start_where_installing_is_forbidden_has_nothing_to_tell(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not nothing_to_announce(NOON)
    monkeypatch.setenv("AGENT_PROGRESS_NO_INSTALL", "1")
    assert nothing_to_announce(NOON)


def test_a_command_says_so_at_once_and_builds_nothing(failed: Attempts, project: Path, home: Path) -> None:
    done = run(project, home, str(REPOSITORY / "progress_plugin/__main__.py"), "status")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(
        f"agent-progress: its Python packages could not be installed: {REASON}; tried again"
    )
    assert not (Path(environment.homes()[0]) / "build.log").exists()


def test_a_build_that_fails_is_waited_for_no_longer(home: Path) -> None:
    place = environment.writable_home()
    assert place
    looked = threading.Event()

    def fail() -> None:
        looked.wait()
        Attempts(place).failed(time.time(), REASON)

    thread = threading.Thread(target=fail)
    thread.start()
    before = setup._failures

    def counted() -> int:
        try:
            return before()
        finally:
            looked.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "_failures", counted)
        assert setup.wait_for_environment(3600) is None
    thread.join()
