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
from progress_plugin.usecases.recalling.recall import Recalled, recall
from progress_plugin.usecases.recalling.statement_lines import OF_ENTRIES, OF_STORIES, StatementLines
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
def test_a_story_of_a_json_plan_is_at_the_line_that_says_it(ask: Ask, root: Path, indent: int | None) -> None:
    stories = [
        {"id": "US-001", "title": "Tide table", "description": "Hochwasser früh\nund spät", "passes": False},
        {"id": "US-002", "title": "Quay gate", "notes": "The lock is rusty", "passes": True},
    ]
    (root / "prd.json").write_text(json.dumps({"userStories": stories}, indent=indent), "utf-8")
    for words, text in (
        ("Hochwasser", "Hochwasser fr"),
        ("lock rusty", "The lock is rusty"),
        ("quay gate done", "Quay gate"),
    ):
        found = [hit for hit in ask(words, 20).hits if hit.path == "prd.json" and text in hit.text]
        hit = next(hit for hit in found if hit.stories)  # how far the plan is stands nowhere in it
        assert text in line_at(root, hit)


def test_a_part_of_a_story_with_the_id_of_another_story_is_not_taken_for_it() -> None:
    tasks = [
        {"id": 1, "title": "Mole", "subtasks": [{"id": 1, "title": "Stones"}, {"id": 2, "title": "Sand"}]},
        {"id": 2, "title": "Pier", "description": "Of oak"},
    ]
    text = json.dumps({"tasks": tasks}, indent=1)
    lines = StatementLines(text.encode(), OF_STORIES)
    oak, pier, *nowhere = lines.of([("2", "Of oak"), ("2", "Pier"), ("2", "said nowhere"), ("3", "Of oak")])
    assert '"Of oak"' in text.split("\n")[oak - 1]
    assert '"Pier"' in text.split("\n")[pier - 1]
    assert nowhere == [0, 0]


def test_an_entry_that_somebody_has_spread_over_lines_is_found_by_its_words() -> None:
    entries = [
        {"id": "a", "data": {"description": "One", "notes": "Two"}},
        {"id": "b", "data": {"notes": "Two"}},
    ]
    text = json.dumps({"entries": entries}, indent=1)
    lines = StatementLines(text.encode(), OF_ENTRIES, {"a": "a", "b": "b"})
    said = [number for number, line in enumerate(text.split("\n"), 1) if '"Two"' in line]
    *found, nowhere = lines.of([("a", "Two"), ("b", "Two"), ("a", "said nowhere")])
    assert found == said
    assert '"a"' in text.split("\n")[nowhere - 1]


@pytest.mark.parametrize("is_ascii", [True, False])
def test_words_behind_a_mark_that_json_escapes_are_found_and_parts_of_words_are_not(is_ascii: bool) -> None:
    notes = ["Foghorn\nis mute", "see “Foghorn” and 灯。塔", "a horn\tblows"]
    entries = [{"id": "a", "data": {"notes": each}} for each in notes]
    text = ",\n".join(json.dumps(entry, ensure_ascii=is_ascii) for entry in entries)
    lines = StatementLines(text.encode(), OF_ENTRIES, {"a": "a"})
    asked = ["Foghorn” and", "塔", "horn blows", "blows", "ow"]
    assert lines.of([("a", each) for each in asked]) == [2, 2, 3, 3, 1]
