"""`agent-progress extract`: stories and learnings of one log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LOG = Path(__file__).with_name("fixtures") / "ralph.md"


def test_json_follows_the_contract(tmp_path: Path, run: Run) -> None:
    plan = tmp_path / "prd.json"
    stories = [{"id": f"MILL-00{n}", "title": f"Part {n}", "passes": n < 3} for n in (1, 2, 3, 5)]
    plan.write_text(json.dumps({"userStories": stories}), "utf-8")
    code, out, err = run("extract", str(LOG), "--prd", str(plan), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == json.loads(LOG.with_suffix(".json").read_text("utf-8"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_line_says_where_it_was_read_and_nothing_acts(folder: Path, run: Run) -> None:
    log = "## A-1: [bold]Mill[/bold] | \x1b[31mred\n**Gotcha:** `[x]` breaks [/nothing]\n\n## 2026-03-01 - Quay\n"
    (folder / "log.md").write_text(log, "utf-8")
    assert run("extract", "log.md")[1].splitlines() == [
        "Stories of log.md:",
        "  line 1     A-1  [bold]Mill[/bold] | red (complete)",
        "  line 4     –  Quay (complete)",
        "Learnings:",
        "  line 2     gotcha  A-1: `[x]` breaks [/nothing]",
        "Recent, oldest first: A-1, Quay",
    ]
    (folder / "log.md").write_bytes(b"")
    empty = "No stories found.\nNo learnings found.\nRecent, oldest first: none\n"
    assert run("extract", "log.md")[1] == empty


@pytest.mark.parametrize(
    "arguments",
    [["missing.md"], ["."], ["binary.md"], ["log.md", "--prd", "prd.json"], ["log.md", "--prd", "no"]],
)
def test_what_cannot_be_read_is_refused_in_one_line(folder: Path, run: Run, arguments: list[str]) -> None:
    (folder / "binary.md").write_bytes(b"a\0b")
    (folder / "prd.json").write_text("{broken", "utf-8")
    (folder / "log.md").write_text("## A-1\n", "utf-8")
    code, out, err = run("extract", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("agent-progress: ")
