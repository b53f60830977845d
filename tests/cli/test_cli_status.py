"""`status`, `status summarize`, `status why`: what a person and a script are shown."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.usecases import summaries as summarize_module

STATUS = (Path(__file__).with_name("fixtures") / "status.txt").read_text("utf-8")


def test_status_is_shown_as_lines_or_as_json(project: Path, run: Any, answer: Any) -> None:
    assert run("status") == (0, STATUS.format(root=project), "")
    data = answer("status")
    assert data["counts"] == {
        "done": 1, "active": 0, "blocked": 0, "failed": 0, "skipped": 0, "pending": 2,
    }  # fmt: skip
    assert (data["project"], data["root"], data["percent"]) == ("Harbour", str(project), 33.3)
    assert data["stories"][2]["waits_for"] == ["US-002"]
    learnings = [each["text"] for each in data["learnings"]]
    assert learnings == ["The quarry gate locks at noon, fetch stones before"]
    assert not (project / ".agent-os").exists()


def test_status_of_one_plan_reads_it_alone(project: Path, answer: Any, run: Any, tmp_path: Path) -> None:
    plan = tmp_path / "elsewhere.json"
    plan.write_text(json.dumps([{"title": "a", "passes": True}, {"title": "b", "passes": False}]))
    assert answer("status", "--plan", str(plan))["counts"]["done"] == 1
    assert run("status", "--plan", str(plan))[1].startswith(f"{plan}: 1/2 complete (50%)\n")


@pytest.mark.parametrize(
    ("content", "said"), [("{", "not valid JSON (line 1"), ('"text"', "not a plan"), (None, "no such file")]
)
def test_a_plan_that_is_none_is_refused_in_one_line(
    project: Path, run: Any, content: str | None, said: str
) -> None:
    path = project / "odd.json"
    if content is not None:
        path.write_text(content)
    code, out, err = run("status", "--plan", str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_summarize_writes_the_summary_and_tells_its_figures(project: Path, run: Any, answer: Any) -> None:
    told = answer("status", "summarize")
    path = project / ".agent-os/progress/progress-summary.md"
    assert told["path"] == str(path)
    assert told["stories"] == {"total": 3, "done": 1, "pending": 2}
    assert told["learnings"] == {"pattern": 1, "gotcha": 0, "dependency": 0}
    tokens = told["tokens"]
    assert tokens["before"] - tokens["after"] == tokens["saved"]
    assert path.read_text().startswith("# Progress Summary: Harbour\n")
    out = run("status", "summarize")[1]
    assert f"Tokens:    {tokens['before']} before, {tokens['after']} after" in out
    assert f"Written:   {path}\n" in out


def test_why_names_the_input_that_changed(project: Path, run: Any) -> None:
    (project / ".agent-os").mkdir()
    os.utime(project, (1, 1))  # a folder that has just changed may change again with the same time
    stale = "stale: no summary was made yet: the next session start makes one\n"
    assert run("status", "why") == (1, stale, "")
    run("init")
    code, out, _ = run("status", "why")
    assert (code, out[:11]) == (0, "fresh: all "), out
    (project / "prd.json").write_text('[{"title": "a", "passes": true}]')
    assert run("status", "why")[:2] == (1, "stale: prd.json changed\n")
    assert "\nSummary: out of date; the next session start renews it\n" in (shown := run("status")[1])
    assert "prd.json: the only one; finished, 1 item\n" in shown
    (project / "prd.json").unlink()
    assert run("status", "why")[:2] == (1, "stale: prd.json is gone\n")


def test_a_summary_that_is_not_ours_is_left_alone(project: Path, run: Any) -> None:
    place = project / ".agent-os/progress"
    place.mkdir(parents=True)
    (place / "progress-summary.md").write_text("my own notes\n")
    out = run("status", "summarize")[1]
    assert (place / "progress-summary.md").read_text() == "my own notes\n"
    assert "is not from agent-progress, so it stays" in out


def test_the_last_summary_of_each_plan_is_kept(project: Path, run: Any) -> None:
    run("status", "summarize")
    plan = json.loads((project / "prd.json").read_text())
    (project / "prd.json").write_text(json.dumps({**plan, "project": "Windmill"}))
    run("status", "summarize")
    folder = project / ".agent-os/progress/summaries"
    kept = {path.stem: path.read_text().splitlines()[0] for path in folder.iterdir()}
    assert kept == {"Harbour": "# Progress Summary: Harbour", "Windmill": "# Progress Summary: Windmill"}


def test_a_failure_of_ours_is_one_line_exit_3_and_noted(
    project: Path, run: Any, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the lamp went out")

    monkeypatch.setattr(summarize_module, "write_summary", fail)
    code, _, err = run("status", "summarize")
    assert (code, err.count("\n")) == (3, 1)
    assert "internal error, ZeroDivisionError: the lamp went out" in err
    assert "the lamp went out" in (home / ".cache/agent-progress/swallowed.log").read_text()


def test_a_broken_configuration_is_shown_and_stops_nothing(project: Path, run: Any) -> None:
    run("init")
    (project / ".agent-os/progress/config.toml").write_text("max_learnings = [\n")
    code, out, _ = run("status")
    assert code == 0
    (shown,) = [line for line in out.splitlines() if line.startswith("Problem:")]
    assert "config.toml" in shown
    assert run("config", "list")[2].count("\n") == 1
