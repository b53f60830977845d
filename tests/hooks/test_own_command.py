"""How a start says `agent-progress` is called in a client that does not put it on the PATH."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

LOG = "# Log\n\n## 2026-03-01 - US-1: Light the lamp\n- Lit it\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a project with something to tell."""
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / "progress.md").write_text(LOG, "utf-8")
    return root


def variables(home: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join([os.path.dirname(sys.executable), "/usr/bin", "/bin"])
    return {
        "HOME": str(home),
        "PATH": path,
        "AGENT_PROGRESS_NO_INSTALL": "1",
        **more,
    }


def start(place: Path, home: Path, client: str, plugin: Path = REPOSITORY, **more: str) -> str:
    """Return the context that a start in this client shows, made once and from the cache, which is the same."""
    told = json.dumps({"session_id": "s", "cwd": str(place), "source": "startup"}).encode()
    shown = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(plugin / "progress_plugin/__main__.py"), "hook", "SessionStart", client],
            input=told, env=variables(home, **more), cwd=place, capture_output=True, check=True, timeout=60,
        )  # fmt: skip
        answer = json.loads(done.stdout)
        answer = answer.get("hookSpecificOutput", answer)
        shown.append(str(answer.get("additionalContext") or answer.get("additional_context")))
    assert shown[0] == shown[1]
    return shown[0]


def test_claude_code_which_puts_it_there_is_told_nothing(place: Path, home: Path) -> None:
    assert "not on the PATH" not in start(place, home, "claude")


@pytest.mark.parametrize("name", ["it's", 'say "so" $pe'])
def test_the_line_can_be_typed_wherever_the_plugin_stands(
    place: Path, home: Path, tmp_path: Path, name: str
) -> None:
    plugin = tmp_path / name
    for part in ("bin", "hooks", "progress_plugin", "templates"):
        shutil.copytree(REPOSITORY / part, plugin / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "requirements.lock", plugin)
    last = start(place, home, "opencode", plugin).splitlines()[-1]
    command = last.partition("call it as `")[2].removesuffix("`.")
    typed = ["sh", "-c", f"{command} hook 2>&1; command -v {command.removeprefix('sh ')}"]
    done = subprocess.run(typed, env=variables(home), capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.splitlines()[-1] == str(plugin / "bin/agent-progress")
