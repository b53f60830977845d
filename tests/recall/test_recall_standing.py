"""A hit says whether it still stands: its story, its blocker, and a later word on the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from progress_plugin.cli.main import main
from progress_plugin.log.archive_index import MAX_LEARNINGS
from progress_plugin.recall.search import Hit
from progress_plugin.usecases.recalling.answer_text import hit_line, hits_as_objects, object_line
from progress_plugin.usecases.recalling.recall import Recalled
from tests.recall.test_recall import logged, said

Ask = Callable[..., Recalled]
First = Callable[..., Hit]


def retold(root: Path, entry: str, text: str) -> None:
    """Append an entry to the agent's log."""
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write(f"\n## {entry}\n\n{text}")


def planned(root: Path, story: str, **fields: object) -> None:
    """Change a story of the plan."""
    plan = json.loads((root / "prd.json").read_text("utf-8"))
    next(each for each in plan["userStories"] if each["id"] == story).update(fields)
    (root / "prd.json").write_text(json.dumps(plan), "utf-8")


def test_a_blocker_of_our_log_is_open_until_something_resolves_it(ask: Ask, root: Path) -> None:
    entry = logged(root, "task_blocked", "--task", "US-003", "-m", "The crane is not certified")
    logged(root, "task_blocked", "-m", "The harbour master is away")
    open_ = ask("crane not certified").hits[0]
    assert (open_.standing.blocker, open_.standing.story) == ("open", "blocked")
    assert "US-003 blocked, blocker open): The crane is not certified" in hit_line(open_)
    logged(root, "milestone_reached", "-m", "Papers came", "--resolves", entry)
    over = ask("crane not certified").hits[0]
    assert (over.standing.blocker, over.standing.story) == ("resolved", "active")
    assert ask("harbour master away").hits[0].standing.blocker == "open"


def test_an_archived_blocker_is_open_as_well_until_it_is_resolved(ask: Ask, root: Path) -> None:
    entry = logged(root, "task_blocked", "-m", "The harbour master is away")
    assert main(["-C", str(root), "archive", "--days", "0", "--at-least", "0"]) == 0
    found = ask("harbour master away").hits[0]
    assert (found.path.startswith(".agent-os/progress/archive/"), found.standing.blocker) == (True, "open")
    logged(root, "debug_resolved", "-m", "He is back", "--resolves", entry)
    assert ask("harbour master away").hits[0].standing.blocker == "resolved"


def test_a_blocker_of_an_agents_log_is_resolved_where_the_log_says_so(ask: Ask, root: Path) -> None:
    retold(root, "2026-04-01 - US-008: Crane", "- Blocked: no certificate for the crane\n")
    assert ask("certificate crane", kind="blocker").hits[0].standing.blocker == ""
    retold(root, "2026-04-02 - US-009: Certificate for the crane", "- It has arrived\n")
    assert ask("certificate crane", kind="blocker").hits[0].standing.blocker == "resolved"


def test_a_hit_says_what_became_of_its_story(ask: Ask, root: Path) -> None:
    retold(root, "2026-04-01 - US-003: Winter storage", "- Cranes are greased\n")
    assert hit_line(ask("cranes greased").hits[0]).startswith(
        "progress.md:25 (2026-04-01, US-003 active, other)"
    )
    planned(root, "US-003", passes=True)
    assert ask("cranes greased").hits[0].standing.story == "done"
    assert ask("parse_tide_row").hits[0].standing.story == "done"
    assert ask("boats craned out in October").hits[0].standing.story == "done"


def test_a_story_of_an_earlier_plan_with_the_same_id_is_another_one(ask: Ask, root: Path) -> None:
    retold(root, "2026-04-01 - US-003: Painting buoys", "- Red lead is used\n")
    assert ask("red lead").hits[0].standing.story == ""


def test_plans_that_disagree_are_both_told(ask: Ask, root: Path) -> None:
    other = {"userStories": [{"id": "US-001", "title": "Tide table", "passes": False}]}
    (root / "tasks").mkdir()
    (root / "tasks/prd.json").write_text(json.dumps(other), "utf-8")
    told = ask("parse_tide_row").hits[0].standing.story
    assert sorted(told.split(", ")) == ["done in prd.json", "pending in tasks/prd.json"]


def test_without_a_plan_the_last_word_of_our_log_counts(ask: Ask, root: Path) -> None:
    (root / "prd.json").unlink()
    logged(root, "task_blocked", "--task", "T-1", "-m", "Waiting for paint")
    assert ask("waiting for paint").hits[0].standing[:2] == ("blocked", "open")
    logged(root, "task_completed", "--task", "T-1", "-m", "Painted")
    assert ask("waiting for paint").hits[0].standing[:2] == ("done", "resolved")


def test_a_learning_that_a_later_one_changes_is_told_with_it(ask: Ask, root: Path) -> None:
    logged(
        root, "milestone_reached", "-m", "x", "--learning", "`parseRequest` accepts bodies of 1 MB at most"
    )
    assert ask("parseRequest bodies").hits[0].standing.later == ""
    newer = "`parseRequest` now accepts bodies of 5 MB at most"
    logged(root, "milestone_reached", "-m", "y", "--learning", newer)
    hits = {hit.text: hit for hit in ask("parseRequest bodies").hits}
    old = hits["`parseRequest` accepts bodies of 1 MB at most"]
    assert old.standing.later == f"{old.path}:{hits[newer].line}: {newer}"
    assert f"\n  a later word: {old.path}:6: {newer}" in hit_line(old)
    assert hits[newer].standing.later == ""
    assert main(["-C", str(root), "mute", newer]) == 0
    assert ask("parseRequest bodies").hits[0].standing.later == ""


def test_a_learning_that_an_agents_log_changes_in_a_later_entry_is_told_with_it(ask: Ask, root: Path) -> None:
    retold(root, "2026-04-01 - US-008: x", "- **Learnings:**\n  - `MAX_RETRY` must be 5, the office counts\n")
    newer = "`MAX_RETRY` must be 3 now, the office counts"
    retold(root, "2026-04-02 - US-009: y", f"- **Learnings:**\n  - {newer}\n")
    hits = {hit.text: hit.standing.later for hit in ask("MAX_RETRY office").hits}
    assert hits["`MAX_RETRY` must be 5, the office counts"].endswith(f": {newer}")
    assert not hits[newer]


def test_what_is_told_as_an_object_says_the_same(ask: Ask, root: Path) -> None:
    logged(root, "task_blocked", "--task", "US-003", "-m", "The crane is not certified")
    hits = ask("crane gate tide", 20).hits
    told = hits_as_objects(hits)
    assert list(map(object_line, told)) == list(map(hit_line, hits))
    crane = next(each for each in told if each["text"] == "The crane is not certified")
    assert (crane["story_status"], crane["blocker"], crane["later"]) == ("blocked", "open", None)


def test_a_plan_tells_as_blocked_what_our_log_blocks(ask: Ask, root: Path) -> None:
    assert "Next and open: US-003: Winter storage (pending)" in said(ask("what is next?"))
    logged(root, "task_blocked", "--task", "US-003", "-m", "The crane is not certified")
    assert "Next and open: US-003: Winter storage (blocked)" in said(ask("what is next?"))


def test_what_the_archive_index_has_no_room_for_is_told_with_its_story_and_can_be_muted(
    ask: Ask, root: Path
) -> None:
    tides = [
        {
            "id": f"entry-{number}",
            "timestamp": f"2026-01-{1 + number // 24:02}T{number % 24:02}:00:00Z",
            "type": "task_completed",
            "task_id": f"T-{number}",
            "data": {
                "description": f"Tide {number}",
                "learnings": [f"keel{number}Depth is read at low water"],
            },
        }
        for number in range(1, MAX_LEARNINGS + 20)
    ]
    folder = root / ".agent-os/progress"
    folder.mkdir(parents=True)
    (folder / "progress.json").write_text(json.dumps({"version": "1.0", "entries": tides}), "utf-8")
    assert main(["-C", str(root), "archive", "--days", "0", "--at-least", "0"]) == 0
    found = ask("keel3Depth").hits[0]
    assert (found.text, found.stories) == ("keel3Depth is read at low water", ("T-3",))
    assert ask(f"keel{MAX_LEARNINGS}Depth").hits[0].standing.story == "done"
    assert main(["-C", str(root), "mute", "keel3Depth"]) == 0
    assert "keel3Depth" not in [hit.text for hit in ask("keel3Depth").hits]


def test_a_learning_that_a_later_one_has_replaced_can_be_muted_as_recall_shows_it(
    ask: Ask, root: Path
) -> None:
    feet = "  - The office no longer sends its heights in feet, which nobody here has used: metres now\n"
    retold(root, "2026-05-01 - US-009: Feet", f"- **Learnings:**\n{feet}")
    words = "used since the war ended"
    assert words in ask("heights feet", kind="learnings", n=10).hits[-1].text
    assert main(["-C", str(root), "mute", words]) == 0
    assert not any(words in hit.text for hit in ask("heights feet", n=10).hits)
