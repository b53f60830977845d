"""A completion that an agent's log tells by the day and ours by the time is one, within its plan and spec."""

from __future__ import annotations

import pytest

from progress_plugin.model.event import AUTHORED, Event, PlannedAs
from progress_plugin.model.status import Status
from progress_plugin.summary.completions_told_twice import told_once
from progress_plugin.summary.merged_story_status import merge

LOGIN = PlannedAs("tasks/prd.json", "x", None, "Login page")
AUDIT = PlannedAs("scripts/ralph/prd.json", "y", None, "Audit table")


def ours(at: int, planned: PlannedAs | None, **more: object) -> Event:
    told = Event(("US-001",), None, Status.DONE, "task_completed", "log.json", at, f"2026-03-02T13:00:0{at}Z")
    return told._replace(planned=planned, entry=f"entry-{at}", **more)


def agents(**more: object) -> Event:
    return Event(("US-001",), None, Status.DONE, AUTHORED, "progress.txt", 1, "2026-03-02")._replace(**more)


@pytest.mark.parametrize(
    ("said", "time"),
    [
        (agents(title="The login page"), "2026-03-02T13:00:01Z"),
        (agents(title="Audit"), "2026-03-02T13:00:02Z"),
        (agents(source="tasks/progress.txt"), "2026-03-02T13:00:01Z"),
        (agents(title="Audit", source="tasks/progress.txt"), "2026-03-02T13:00:02Z"),
        (agents(), "2026-03-02"),
    ],
)
def test_of_two_plans_the_title_says_whose_time_it_is_else_the_folder(said: Event, time: str) -> None:
    events = merge([[said], [ours(1, LOGIN), ours(2, AUDIT)]])
    assert next(event.when for event in events if event.type == AUTHORED) == time


@pytest.mark.parametrize("leads", [LOGIN, AUDIT])
def test_it_is_told_once_with_the_time_of_its_own_plan(leads: PlannedAs) -> None:
    def plan_of(event: Event) -> str | None:
        planned = event.planned or LOGIN  # the agent's entry is about the login page
        return None if planned is leads else planned.path

    told = told_once(merge([[agents(title="Login page")], [ours(1, LOGIN), ours(2, AUDIT)]]), plan_of)
    assert [(event.type, event.entry) for event in told] == [
        (AUTHORED, "entry-1"),
        ("task_completed", "entry-2"),
    ]


def test_without_a_plan_those_of_two_specs_are_two() -> None:
    events = merge([[agents()], [ours(1, None, spec="auth")]])
    assert len(told_once(events, lambda _: None)) == len(events)
    events = merge([[agents(spec="Auth")], [ours(1, None, spec="auth")]])
    assert len(told_once(events, lambda _: None)) == 1
