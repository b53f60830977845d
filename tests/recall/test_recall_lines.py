"""`file:line` of a hit leads to the very line that says it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.core.project import find_project
from progress_plugin.recall.search import Hit
from progress_plugin.usecases.recalling.entry_lines import EntryLines
from progress_plugin.usecases.recalling.recall import Recalled, recall
from tests.recall.test_recall import logged

Ask = Callable[..., Recalled]


def line_at(root: Path, hit: Hit) -> str:
    return (root / hit.path).read_text("utf-8").split("\n")[hit.line - 1]


def test_what_supplements_an_entry_is_at_its_own_line(ask: Ask, root: Path) -> None:
    entry = logged(root, "milestone_reached", "-m", "The crane turns")
    logged(root, "milestone_reached", "-m", "The dredger digs")
    added = logged(
        root, "milestone_reached", "-m", "It squeaks on Sundays", "--data", json.dumps({"supplements": entry})
    )
    logged(
        root, "milestone_reached", "-m", "Oil came in barrels", "--data", json.dumps({"supplements": added})
    )
    for words, text in (
        ("crane turns", "The crane turns"),
        ("squeaks", "It squeaks"),
        ("barrels", "Oil came"),
    ):
        [hit] = [hit for hit in ask(words).hits if text in hit.text]
        assert f'"{text}' in line_at(root, hit)


@pytest.mark.parametrize("said", ["Buoys are red", "Piers are green", "Ropes are blue"])
def test_of_short_items_the_line_is_that_of_the_one_that_answers(ask: Ask, root: Path, said: str) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write("\n## 2026-04-01 - US-009: x\n\n- Buoys are red\n- Piers are green\n- Ropes are blue\n")
    hit = ask(said).hits[0]
    assert said in hit.text
    assert line_at(root, hit) == f"- {said}"


@pytest.mark.parametrize("is_archived", [False, True])
def test_from_a_linked_worktree_the_path_leads_to_the_log(
    root: Path, tmp_path: Path, is_archived: bool
) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@y")
        subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)

    (root / ".git").rmdir()
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "x")
    git("worktree", "add", "-q", str(tmp_path / "linked"))
    logged(root, "milestone_reached", "-m", "The lighthouse burns gas")
    if is_archived:
        assert main(["-C", str(root), "archive", "--days", "0", "--at-least", "0"]) == 0
    [hit] = recall(find_project(str(tmp_path / "linked")), "lighthouse gas").hits
    assert "The lighthouse burns gas" in line_at(tmp_path / "linked", hit)


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_story_of_a_json_plan_is_at_its_line(ask: Ask, root: Path, indent: int | None) -> None:
    stories = [
        {"id": "US-001", "title": "Tide table", "description": "Hochwasser früh", "passes": False},
        {"id": "US-002", "title": "Quay gate", "notes": "The lock is rusty", "passes": True},
    ]
    (root / "prd.json").write_text(json.dumps({"userStories": stories}, indent=indent), "utf-8")
    for words, story in (("Hochwasser", "US-001"), ("lock rusty", "US-002")):
        hit = next(hit for hit in ask(words, 20).hits if hit.path == "prd.json" and hit.stories)
        assert f'"{story}"' in line_at(root, hit)


def test_an_entry_that_is_spread_over_lines_is_found_by_its_words() -> None:
    entries = [
        {"id": "a", "data": {"description": "One", "notes": "Two"}},
        {"id": "b", "data": {"notes": "Two"}},
    ]
    text = json.dumps({"entries": entries}, indent=1)
    lines = EntryLines(text.encode())
    said = [number for number, line in enumerate(text.split("\n"), 1) if '"Two"' in line]
    assert [lines.find([name], "Two") for name in ("a", "b")] == said
    assert lines.find(["a"], "said nowhere") == 0
    assert '"a"' in text.split("\n")[lines.find(["a"], "") - 1]


@pytest.mark.parametrize("is_ascii", [True, False])
def test_points_of_a_text_and_labelled_ones_are_found_at_its_line(is_ascii: bool) -> None:
    notes = ["- Foghorn is mute\n- The “bell” and 灯塔 work", "the crane is stuck"]
    entries = [{"id": "a", "data": {"notes": each}} for each in notes]
    text = ",\n".join(json.dumps(entry, ensure_ascii=is_ascii) for entry in entries)
    lines = EntryLines(text.encode())
    asked = ["Foghorn is mute", "The “bell” and 灯塔 work", "Issue: the crane is stuck"]
    assert [lines.find(["a"], each) for each in asked] == [1, 1, 2]
