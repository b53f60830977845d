"""The data of a report: when stories were finished, how long blockers are open, where learnings stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from progress_plugin.core.project import find_project
from progress_plugin.usecases.report import report
from tests.report.conftest import NOW


def _report(root: Path, plan: object = None, log: str = "") -> dict[str, Any]:
    if plan is not None:
        (root / "prd.json").write_text(json.dumps(plan))
    if log:
        (root / "progress.md").write_text(log)
    return report(find_project(str(root)), now=NOW)


def _curve(told: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(*point.values(),) for point in told["burn_up"]["points"]]


def test_stories_are_finished_when_plan_or_entries_say(tmp_path: Path) -> None:
    stories = [
        {"id": "A", "title": "a", "passes": True, "completedAt": "2026-03-02T12:00:00+02:00"},
        {"id": "B", "title": "b", "passes": True},
        {"id": "C", "title": "c", "status": "skipped"},
        {"id": "D", "title": "d", "passes": False},
        {"id": "E", "title": "e", "passes": True, "completedAt": "9999-12-31T23:59:59Z"},
        {"id": "F", "title": "f", "passes": True},
    ]
    log = "# Log\n\n## 2026-03-01 - D: d\n\n- Began\n\n## 2026-03-04 - F: f\n\n- Done\n"
    told = _report(tmp_path, {"userStories": stories}, log)
    assert _curve(told) == [("2026-03-01", 2, 5), ("2026-03-02", 3, 5), ("2026-03-04", 4, 5)]
    assert told["burn_up"]["undated"] == 2
    assert told["counts"]["skipped"] == 1


def test_without_a_list_of_the_work_there_is_no_curve(tmp_path: Path) -> None:
    told = _report(tmp_path, log="# Log\n\n## 2026-03-01 - US-1: One\n\n- Done\n")
    assert (told["total"], _curve(told), told["summary"]) == (None, [], "1 entry logged")


def test_a_blocker_has_its_reason_and_the_day_of_its_entry(harbour: dict[str, Any]) -> None:
    (blocker,) = harbour["blockers"]
    assert (blocker["id"], blocker["since"], blocker["place"]) == ("US-012", "2026-03-27", "progress.md:441")
    assert blocker["why"].startswith("The payment provider has not opened")


def test_learnings_stand_under_their_kind_with_each_place_that_says_them(harbour: dict[str, Any]) -> None:
    kinds = [topic["kind"] for topic in harbour["topics"]]
    assert kinds == sorted(kinds, key=["pattern", "gotcha", "dependency"].index)
    statements = [statement for topic in harbour["topics"] for statement in topic["statements"]]
    assert len(statements) == harbour["learnings"] > 30
    assert all(place.partition(":")[2] for each in statements for place in each["places"])


def test_however_many_learnings_there_are_each_is_told_once(tmp_path: Path) -> None:
    told = [f"The gate of quarry{n} locks at noon, fetch stone{n} before" for n in range(150)]
    learnings = "".join(f"- {text}\n" for text in told)
    log = f"# Log\n\n## 2026-03-01 - US-1: A\n\n**Learnings:**\n{learnings}"
    topics = _report(tmp_path, log=log)["topics"]
    assert sorted(each["text"] for topic in topics for each in topic["statements"]) == sorted(told)
    assert [topic["label"] for topic in topics].count("") <= 1


def test_entries_are_told_newest_first_with_the_line_they_stand_in(harbour: dict[str, Any]) -> None:
    first = harbour["entries"][0]
    assert (first["story"], first["when"], first["place"]) == ("US-013", "2026-03-30", "progress.md:476")
    assert len(harbour["entries"]) == 13
