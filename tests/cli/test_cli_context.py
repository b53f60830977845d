"""`context`: what an agent gets, what has changed in it, and where each line comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


def test_below_each_line_are_its_sources(project: Path, run: Run) -> None:
    with (project / "progress.md").open("a") as log:
        log.write("- Gotcha: the crane is oiled before every lift,\n  and after it with the thick grease\n")
    code, out, err = run("context", "--sources")
    assert (code, err) == (0, "")
    assert "thick grease\n    < progress.md:9-10\n" in out
    lines = out.split("\n")
    below = {line: lines[at + 1] for at, line in enumerate(lines) if line and not line.startswith("    < ")}
    assert below["| US-001 | Story 1 | ✓ |"] == "    < prd.json:1"
    assert below["### 2026-03-01 US-001: Story 1 (✓)"] == "    < progress.md:3"
    assert below["- The quarry gate locks at noon, fetch stones before"] == "    < progress.md:8"
    assert out.endswith("    < lines without a place sum up prd.json, progress.md\n")


def test_a_difference_is_that_from_the_last_one_that_was_kept(project: Path, run: Run, answer: Any) -> None:
    code, out, err = run("context", "--diff")
    assert (code, out) == (1, "")
    assert err.startswith("No context is stored yet")
    run("init")
    assert run("context", "--diff") == (0, "Nothing changed since the last context was stored.\n", "")
    (project / "progress.md").write_text((project / "progress.md").read_text() + "- Second stone laid\n")
    code, out, _ = run("context", "--diff")
    assert (code, out.startswith("--- kept\n+++ now\n"), "Second stone laid" in out) == (0, True, True)
    data = answer("context", "--diff")
    assert (data["kept"], data["changed"], "\n".join(data["diff"]) + "\n") == (True, True, out)


def test_the_environment_shapes_one_call_and_never_what_is_kept(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("status", "summarize")
    kept = (project / ".agent-os/progress/progress-summary.md").read_bytes()
    monkeypatch.setenv("AGENT_PROGRESS_MAX_LEARNINGS", "0")
    assert "quarry gate" not in run("context")[1]
    run("status", "summarize")
    assert (project / ".agent-os/progress/progress-summary.md").read_bytes() == kept


def test_without_a_context_there_is_nothing_to_trace(project: Path, run: Run, answer: Any) -> None:
    for path in project.iterdir():
        path.unlink()
    code, out, err = run("context", "--sources")
    assert (code, out) == (1, "")
    assert err.startswith("An agent gets nothing here")
    assert answer("context", "--sources", code=1) == []
