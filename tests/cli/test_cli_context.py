"""`context`: what an agent gets, what changed of it, and where each line comes from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import Run


def test_below_each_line_stands_who_says_it(project: Path, run: Run) -> None:
    code, out, err = run("context", "--sources")
    assert (code, err) == (0, "")
    lines = out.split("\n")
    below = {line: lines[at + 1] for at, line in enumerate(lines) if line and not line.startswith("    < ")}
    assert below["| US-001 | Story 1 | ✓ |"] == "    < prd.json:1"
    assert below["### 2026-03-01 US-001: Story 1 (✓)"] == "    < progress.md:3"
    assert below["- Laid the first stone"] == "    < progress.md:5"
    assert below["- The quarry gate locks at noon, fetch stones before"] == "    < progress.md:8"
    assert out.endswith("    < lines without a place sum up prd.json, progress.md\n")


def test_sources_of_a_difference_are_refused(project: Path, run: Run) -> None:
    code, out, err = run("context", "--diff", "--sources")
    assert (code, out) == (2, "")
    assert err.endswith("--diff, --sources and --whole print different things; give one of them\n")
    assert err.count("\n") == 1


def test_where_an_agent_gets_nothing_there_is_nothing_to_trace(
    project: Path, run: Run, answer: Callable[..., Any]
) -> None:
    for path in project.iterdir():
        path.unlink()
    code, out, err = run("context", "--sources")
    assert (code, out) == (1, "")
    assert err.startswith("An agent gets nothing here")
    assert answer("context", "--sources", code=1) == []
