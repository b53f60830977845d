"""What real clients' transcripts tell of a session reaches the model of the next one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import Json

ROOT = Path(__file__).resolve().parents[2]
REQUEST = "Give the harbour a tide table."
TEST = "import unittest\nclass T(unittest.TestCase):\n def test_span(self): self.assertEqual(3.3, 3.5)\n"
WRITE: list[Json] = [
    {"shell": f"printf '%s' '{TEST}' > test_tides.py"},
    {"shell": "python3 -m unittest test_tides"},
]

pytestmark = [pytest.mark.client, pytest.mark.slow]


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Return a repository that holds nothing of ours."""
    root = tmp_path / "harbour"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    return root


def written(root: Path) -> Json:
    """Return the turn in which the model writes a file by the client's own tool."""
    return {
        "tool_use": [
            {"name": "Write", "input": {"file_path": str(root / "tides.py"), "content": "LOW = 1\n"}}
        ]
    }


def claude(
    program: str, plugin: Path, home: Path, root: Path, prompt: str, *turns: Json, resume: str | None = None
) -> ClientRun:
    run = run_client(
        "claude",
        prompt=prompt,
        plugin_dir=plugin,
        project_dir=root,
        script=list(turns) or [{"text": "done"}],
        client_bin=program,
        home=home,
        args=["--resume", resume] if resume else [],
    )
    assert run.exit_code == 0, run.stderr
    return run


def told(run: ClientRun, text: str) -> bool:
    """Return whether the first request to the model holds a text."""
    return any(place.startswith("request 0: ") for place in run.where(text))


def test_the_second_session_in_an_empty_project_knows_what_the_first_did(
    any_claude: str, ready_home: Path, plugin: Path, empty: Path
) -> None:
    claude(
        any_claude, plugin, ready_home, empty, REQUEST, written(empty), *WRITE, {"text": "The span is wrong."}
    )
    second = claude(any_claude, plugin, ready_home, empty, "hello")
    for text in (REQUEST, "tides.py (new)", "Failing: `unittest test_tides`", "AssertionError: 3.3 != 3.5"):
        assert told(second, text), text
    assert not (empty / ".agent-os").exists()


def test_after_a_compaction_the_agent_is_told_what_it_was_at(
    any_claude: str, ready_home: Path, plugin: Path, empty: Path
) -> None:
    first = claude(any_claude, plugin, ready_home, empty, REQUEST, written(empty), *WRITE, {"text": "one"})
    claude(any_claude, plugin, ready_home, empty, "/compact", resume=first.session_id)
    after = claude(any_claude, plugin, ready_home, empty, "go on", resume=first.session_id)
    for text in ("This Session So Far", REQUEST, "tides.py (new)", "Failing: `unittest test_tides`"):
        assert told(after, text), text


@pytest.mark.parametrize("client", ["codex", "copilot", "gemini", "opencode"])
def test_other_clients_second_session_knows_what_the_first_did(
    client: str, request: pytest.FixtureRequest, ready_home: Path, plugin: Path, empty: Path
) -> None:
    program = request.getfixturevalue(client)

    def drive(prompt: str, *turns: Json) -> ClientRun:
        run = run_client(
            client,
            prompt=prompt,
            plugin_dir=plugin,
            project_dir=empty,
            script=list(turns) or [{"text": "done"}],
            client_bin=program,
            home=ready_home,
            env={"PATH": os.environ["PATH"]},
        )
        assert run.exit_code == 0, run.stderr
        return run

    drive(REQUEST, *WRITE, {"text": "The span is wrong."})
    second = drive("hello")
    for text in (REQUEST, "Failing: `unittest test_tides`"):
        assert told(second, text), text
