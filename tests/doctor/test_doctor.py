"""`doctor`: real hooks are tried, every fault has a remedy, and no file of the user is changed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core import environment
from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.core.project import find_project
from progress_plugin.core.session_state import SessionState, save_session
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.doctor import (
    Finding,
    check_error_log,
    check_installation,
    check_project,
    check_start,
)
from progress_plugin.usecases.reading import Reading, read_project
from tests.conftest import link_pycache

NOW = datetime(2026, 4, 2, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _compiled(home: Path) -> None:
    link_pycache(home)


def problems(findings: Iterable[Finding]) -> list[str]:
    """Return the problems, as `area: what`."""
    return [f"{each.area}: {each.what}" for each in findings if each.state == "wrong"]


def read(project: Path) -> Reading:
    found = find_project(str(project))
    return read_project(found, InputSnapshot(found.root), os.environ)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def files(*places: Path) -> dict[str, tuple[int, bytes]]:
    """Return time and content of every file outside the caches."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for place in places
        for path in place.rglob("*")
        if path.is_file() and "/.cache/" not in str(path)
    }


def test_a_good_project_is_exit_0_and_nothing_of_it_changes(project: Path, run: Any, home: Path) -> None:
    run("log", "milestone_reached", "-m", "x")
    write(project / "progress.md", (project / "progress.md").read_text() + "\n- more\n")
    before = files(project, home)
    code, out, _ = run("doctor", "--json")
    report = json.loads(out)
    assert [each for each in report["findings"] if each["state"] == "wrong"] == []
    assert code == 0
    assert set(report) == {"ok", "findings", "context"}
    assert report["ok"] is True
    assert {each["area"] for each in report["findings"]} >= {
        "plugin", "python", "packages", "memory", "hooks", "errors", "session start", "sources",
        "log",
    }  # fmt: skip
    assert {frozenset(each) for each in report["findings"]} == {
        frozenset({"area", "state", "what", "remedy"})
    }
    assert "Laid the first stone" in report["context"]
    assert files(project, home) == before


def test_a_plan_in_markdown_brings_no_settings_and_no_problem(project: Path, run: Any) -> None:
    (project / "prd.json").unlink(missing_ok=True)
    write(project / "TODO.md", "# Quay\n\n- [x] Lay the keel\n- [ ] Caulk the seams\n")
    code, out, _ = run("doctor")
    assert (code, out.splitlines()[0]) == (0, "Everything works.")


def test_a_project_without_our_directory_gets_none(project: Path, run: Any) -> None:
    code, out, _ = run("doctor", "--context")
    assert (code, out) == (0, f"{run('context')[1]}{END_OF_CONTEXT}\n")
    assert not (project / ".agent-os").exists()


def test_problems_come_first_with_their_remedies_and_exit_1(project: Path, run: Any) -> None:
    run("init")
    (project / ".agent-os/progress/progress.json").write_text("{broken")
    code, out, err = run("doctor", "--verbose")
    assert (code, err) == (1, "")
    states = [line.split()[0] for line in out.splitlines() if re.match(r"(ok|note|wrong) ", line)]
    assert states == sorted(states, key=["wrong", "note", "ok"].index)
    assert "wrong  log: progress.json does not parse (" in out
    assert "→ run `agent-progress repair`" in out
    assert re.match(r"\d problems?; the lines? after → says? what to do\.\n", out)


def test_a_lost_history_is_said_once_and_an_area_is_wrong_or_ok(project: Path, run: Any) -> None:
    run("log", "milestone_reached", "-m", "x")
    shutil.rmtree(project / ".agent-os")
    write(project / "feature_list.json", "{")
    lines = run("doctor")[1].splitlines()
    log = next(at for at, line in enumerate(lines) if line.startswith("wrong  log: "))
    assert "holds 1 entry that is in neither log nor archive" in lines[log]
    assert lines[log + 1] == "       → run `agent-progress repair` to bring back what is missing"
    assert [line.split(": ")[1] for line in lines if line.startswith("wrong  sources")] == [
        "feature_list.json"
    ]
    assert "sources" not in lines[-1]


def test_outside_a_project_the_installation_is_checked(
    run: Any, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.chdir(home)
    code, out, _ = run("doctor", "--verbose")
    assert code == 0
    assert "note   project: there is no project here" in out


def put_program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Have hooks run a script instead of the program."""
    write(folder / "__main__.py", script)
    monkeypatch.setattr(environment, "MAIN", str(folder / "__main__.py"))


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("raise SystemExit('out of oil')", "it failed: out of oil"),
        ("print('no JSON')", "not what a client expects"),
    ],
)
def test_a_start_that_fails_is_wrong(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, problem: str
) -> None:
    put_program(tmp_path, monkeypatch, script)
    finding, _ = check_start(read(project))
    assert (finding.state, problem in finding.what) == ("wrong", True), finding


def test_whether_a_client_has_run_the_hooks_here_is_found(project: Path, home: Path) -> None:
    states = []
    for session in ("", "one"):
        save_session(session, SessionState({"project": os.path.realpath(project)}))
        states += [each.state for each in check_project(read(project)) if each.area == "hooks"]
    assert states == ["note", "ok"]


@pytest.mark.parametrize(
    ("stamp", "state"), [("2026-04-02T11:00:00Z", "wrong"), ("2026-03-01T00:00:00Z", "note")]
)
def test_an_error_of_the_last_day_that_a_hook_survived_is_wrong(home: Path, stamp: str, state: str) -> None:
    lines = f"x\n{stamp} Stop a.py:1 OSError: no room (in /home/me/shop)\n"
    write(home / ".cache/agent-progress/swallowed.log", lines)
    found = check_error_log(NOW, "/home/me/shop")
    assert (found.state, "OSError: no room" in found.what) == (state, True)
    assert check_error_log(NOW, "/home/me/sho").state == "ok"


def test_a_damaged_database_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.db").write_bytes(b"not a database, but long enough to be looked at" * 30)
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(tmp_path / "memory.db"))
    assert [each for each in problems(check_installation()) if each.startswith("memory: ")]


def test_broken_files_of_a_project_are_wrong(project: Path, run: Any) -> None:
    run("log", "milestone_reached", "-m", "x")
    write(project / ".agent-os/progress/config.toml", "max_learnings = -1\n")
    write(project / "feature_list.json", "{")
    for command in (["init", "-q"], ["add", "-f", ".agent-os"]):
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    (project / ".agent-os/progress/.gitignore").unlink()
    found = problems(check_project(read(project)))
    assert sorted({each.partition(":")[0] for each in found}) == [".gitignore", "settings", "sources"]
    assert any("git tracks" in each for each in found)
