"""The real clients' agents go on, once, for the reason that the gate gives at the end of a turn."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json

ROOT = Path(__file__).resolve().parents[2]
PLAN = '{"project":"Harbour","userStories":[{"id":"US-001","title":"Tide table","passes":%s}]}'
TEST = "import unittest\nclass T(unittest.TestCase):\n def test_span(self): self.assertEqual(3.3, %s)\n"
CONFIG = ".agent-os/progress/config.toml"
REASON = "US-001 is marked done, and `unittest test_tides` failed after the last edit"

pytestmark = [pytest.mark.client, pytest.mark.slow]


@pytest.fixture
def gated(tmp_path: Path) -> Path:
    """Return a repository with a plan, in which the gate is switched on."""
    root = tmp_path / "harbour"
    (root / CONFIG).parent.mkdir(parents=True)
    (root / CONFIG).write_text('gate = "checks"\n', "utf-8")
    (root / "prd.json").write_text(PLAN % "false", "utf-8")
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    return root


def run(client: str, program: str, plugin: Path, home: Path, root: Path, span: str) -> ClientRun:
    """Have an agent write a test, run it, and mark the story done; it would end three times."""
    turns: list[Json] = [
        {"shell": f"printf '%s' '{TEST % span}' > test_tides.py"},
        {"shell": "python3 -m unittest test_tides"},
        {"shell": f"printf '%s' '{PLAN % 'true'}' > prd.json"},
        *({"text": words} for words in ("The tide table is there.", "It stays as it is.", "The end.")),
    ]
    done = run_client(
        client,
        prompt="Give the harbour a tide table.",
        plugin_dir=plugin,
        project_dir=root,
        script=turns,
        client_bin=program,
        home=home,
        env={"PATH": os.environ["PATH"]},
    )
    assert done.exit_code == 0, done.stderr
    return done


def reached(done: ClientRun) -> bool:
    return bool(done.where(REASON))


def test_claude_code_goes_on_once(any_claude: str, ready_home: Path, plugin: Path, gated: Path) -> None:
    done = run("claude", any_claude, plugin, ready_home, gated, "3.5")
    assert reached(done)
    assert len(done.main_requests) == 5


@pytest.mark.parametrize("client", ["codex", "copilot"])
def test_other_clients_go_on_once(
    client: str, request: pytest.FixtureRequest, ready_home: Path, plugin: Path, gated: Path
) -> None:
    done = run(client, request.getfixturevalue(client), plugin, ready_home, gated, "3.5")
    assert reached(done)
    assert len(done.main_requests) == 5


@pytest.mark.parametrize("client", ["claude", "codex", "copilot"])
def test_a_turn_whose_check_passed_ends(
    client: str, request: pytest.FixtureRequest, ready_home: Path, plugin: Path, gated: Path
) -> None:
    done = run(client, request.getfixturevalue(client), plugin, ready_home, gated, "3.3")
    assert not reached(done)
    assert len(done.main_requests) == 4
