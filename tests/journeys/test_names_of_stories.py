"""A story of no plan is called what somebody said was done, and neither a note nor a blocker takes that name away."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life, section


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("task_completed", {"notes": "The tests take a minute"}),
        ("task_completed", {}),
        ("task_blocked", {"notes": "The tests take a minute"}),
        ("task_blocked", {"data": {"issue": "The tests take a minute"}}),
        ("debug_resolved", {"notes": "The tests take a minute"}),
    ],
)
def test_a_note_does_not_rename_a_story(life: Life, kind: str, more: dict[str, object]) -> None:
    life.starts().logs("task_completed", "Parser reads commas", task="T-1")
    life.starts().logs(kind, task="T-1", **more)
    assert "| T-1 | Parser reads commas |" in life.context
    assert "T-1  Parser reads commas" in life.status
    assert [each["title"] for each in life.told_as_json("report")["stories"]] == ["Parser reads commas"]


def test_newer_words_rename_a_story_and_what_named_none_gives_way(life_alone: Life) -> None:
    life_alone.starts().logs("task_blocked", task="T-1", data={"issue": "No commas in the samples"})
    assert "T-1  No commas in the samples" in life_alone.status
    life_alone.starts().logs("task_completed", "Parser reads commas", task="T-1")
    assert "T-1  Parser reads commas" in life_alone.status
    life_alone.starts().logs("task_completed", "Parser reads quotes", task="T-1")
    assert "T-1  Parser reads quotes" in life_alone.status


@pytest.mark.parametrize(
    "heading",
    ["2026-03-0{n} - US-00{n}", "2026-03-0{n} - US-00{n}: {title}", "[2026-03-0{n}] - US-00{n} {title}", "US-00{n} - {title} (2026-03-0{n})"],
)  # fmt: skip
def test_a_heading_that_only_names_its_story_is_no_statement(life_alone: Life, heading: str) -> None:
    titles = ("Login page", "Cart", "Mail", "Search")
    life_alone.plan(*(f"US-00{n} {title}" for n, title in enumerate(titles, 1)), "US-005 Help")
    for n in range(1, 5):
        life_alone.story(f"US-00{n}", passes=True)
    entries = (
        f"## {heading.format(n=n, title=title)}\n- Part {title.lower()} keeps web/part{n}.py\n---\n"
        for n, title in enumerate(titles, 1)
    )
    life_alone.write("progress.txt", "# Progress Log\n\n" + "\n".join(entries))
    told = life_alone.context
    assert "Part login page keeps web/part1.py" in told
    assert "Login page" not in section(told, "## Key Learnings (Extracted)")
