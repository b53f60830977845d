"""How much the plugin adds to the first request of a session, by the real client."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.harness.client_run import run_client
from tests.clients.harness.clients import Json

ROOT = Path(__file__).resolve().parents[2]
WITH_A_LOG, WITH_NOTHING = 3_500, 700

pytestmark = [pytest.mark.client, pytest.mark.slow]

Added = Callable[[Path], int]


@pytest.fixture
def added(claude: str, ready_home: Path, record_property: Callable[[str, object], None]) -> Added:
    """Return a function: tokens of the first request in a project, less those without the plugin."""

    def first_request(project: Path, plugin: Path | None) -> Json:
        run = run_client(
            "claude",
            prompt="hello",
            plugin_dir=plugin,
            project_dir=project,
            client_bin=claude,
            home=ready_home,
            env={"MCP_CONNECTION_NONBLOCKING": "false"},
        )
        assert run.exit_code == 0, run.stderr
        return run.main_requests[0]

    def measure(project: Path) -> int:
        without, with_it = first_request(project, None), first_request(project, ROOT)
        figure = _tokens(with_it) - _tokens(without)
        record_property("tokens", figure)
        print(f"tokens added to the first request: {figure} {_by_part(without, with_it)}")  # noqa: T201
        return figure

    return measure


_PIECE = re.compile(r"[^\W\d_]+|\d{1,3}|[^\s\w]+|_")
"""What a tokenizer cuts a text into before it merges: of these requests as many, within 3 %, as the tokens of
two public vocabularies. The estimator of summaries is made for prose and says half as much again of JSON."""


def _tokens(body: Json) -> int:
    return sum(_parts(body).values())


def _parts(body: Json) -> dict[str, int]:
    return {
        name: len(_PIECE.findall(json.dumps(body.get(name) or [], ensure_ascii=False, separators=(",", ":"))))
        for name in ("system", "messages", "tools")
    }


def _by_part(without: Json, with_it: Json) -> dict[str, int]:
    before = _parts(without)
    return {name: tokens - before[name] for name, tokens in _parts(with_it).items()}


def _grown(project: Path) -> None:
    """Give a project a log long enough for a summary of the largest size."""
    entries = [
        f"## 2026-02-{number % 28 + 1:02} - US-{number:03}: Dress block number {number} of the east wall\n"
        f"- Cut the block along vein {number * 7 % 90}\n- Files changed: wall/block_{number}.py\n"
        f"- **Learnings for future iterations:**\n"
        f"  - Chisel {number} must be cooled before vein {number * 3 % 50}, otherwise tray_{number} cracks\n"
        f"  - Use `hoist_{number}` from `yard/hoist_{number}.py` for every lintel of row {number}\n---\n"
        for number in range(1, 121)
    ]
    (project / "progress.txt").write_text("# Progress Log\n\n" + "\n".join(entries), "utf-8")


def test_summary_tools_instructions_and_skills_are_at_most_3500_tokens(project: Path, added: Added) -> None:
    _grown(project)
    figure = added(project)
    assert 1_000 < figure <= WITH_A_LOG


def test_in_a_project_without_log_or_plan_they_are_at_most_700(tmp_path: Path, added: Added) -> None:
    empty = tmp_path / "empty"
    (empty / ".git").mkdir(parents=True)
    assert added(empty) <= WITH_NOTHING
