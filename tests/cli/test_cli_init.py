"""`init`: what is found, what is made, and what is proposed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

PLAN = '{"name": "My project", "userStories": [{"id": "US-001", "title": "First story", "passes": false}]}'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository without plan and log, which is the working directory."""
    (tmp_path / "empty/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty")
    return tmp_path / "empty"


def test_without_a_plan_the_smallest_one_is_shown(root: Path, run: Any, answer: Any) -> None:
    assert f"  {PLAN}\n" in run("init")[1]
    (root / "prd.json").write_text(PLAN, "utf-8")
    data = answer("status")
    assert (data["project"], data["counts"]["pending"]) == ("My project", 1)
    assert PLAN not in run("init")[1]


def test_it_begins_a_log_and_may_be_repeated(project: Path, answer: Any) -> None:
    assert answer("init")["created"] is True
    data = answer("init")
    assert (data["created"], data["stories"], data["sources"]) == (False, 3, ["prd.json", "progress.md"])
    assert (project / ".agent-os/progress/.gitignore").read_text().startswith("*\n")


def test_a_copy_of_the_summary_is_made_if_the_user_sets_it(project: Path, run: Any, answer: Any) -> None:
    plan = json.loads((project / "prd.json").read_text())
    (project / "prd.json").write_text(json.dumps(plan | {"optimization": {"maxContextTokens": 900}}))
    command = "  agent-progress config set --user summary_path progress-summary.md"
    assert run("init")[1].splitlines()[-1] == command
    assert not (project / "progress-summary.md").exists()
    run(*command.split()[1:])
    assert answer("init")["proposed_summary_path"] is None
    assert (project / "progress-summary.md").read_text().startswith("# Progress Summary: Harbour")
    (project / "progress-summary.md").write_text("mine now\n")
    run("status", "summarize")
    assert (project / "progress-summary.md").read_text() == "mine now\n"


def test_the_entry_of_the_status_line_is_printed(project: Path, run: Any, home: Path) -> None:
    code, out, err = run("init", "--statusline")
    entry = json.loads(out)["statusLine"]
    assert (code, entry["type"]) == (0, "command")
    assert entry["command"].endswith("/bin/agent-progress statusline")
    assert "settings.json" in err
    assert not (project / ".agent-os").exists()
    assert not (home / ".claude").exists()
    assert subprocess.run(["sh", "-n", "-c", entry["command"]], check=False).returncode == 0
