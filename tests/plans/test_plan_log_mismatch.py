"""Disagreement between plan and log."""

from __future__ import annotations

from typing import Any

from progress_plugin.model.event import Event
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.attribution import Attribution
from progress_plugin.plans.plan_log_mismatch import between as drift_between


def plan(**statuses: Status) -> Plan:
    stories = tuple(
        Story(id=name, title=f"Paint the {name}", status=status, position=place)
        for place, (name, status) in enumerate(statuses.items())
    )
    return Plan(path="prd.json", format="prd", stories=stories, started="2026-02-01T00:00:00Z")


def event(*stories: str, status: Status = Status.DONE, title: str | None = None, **more: Any) -> Event:
    return Event(
        stories=stories,
        title=title,
        status=status,
        type="authored",
        source="progress.txt",
        position=1,
        **more,
    )


def between(plan: Plan, events: list[Event], branch: str | None = None) -> tuple[str, ...]:
    return drift_between(plan, events, Attribution(plan, (plan,), events), branch)


def test_every_kind_of_disagreement_is_one_sentence() -> None:
    assert between(
        plan(
            A=Status.PENDING, B=Status.ACTIVE, C=Status.DONE, D=Status.DONE, E=Status.DONE, F=Status.BLOCKED
        ),
        [
            event("A", "B"),
            event("C", status=Status.BLOCKED),
            event("D", status=Status.FAILED),
            event("F"),
            event("X"),
            event("Y", "X"),
        ],
    ) == (
        "done in the log, open in the plan: A, B, F",
        "done in the plan, blocked in the log: C",
        "done in the plan, failed in the log: D",
        "in the log, but no story of the plan: X, Y",
    )


def test_the_last_entry_on_a_story_counts() -> None:
    assert between(plan(A=Status.DONE), [event("A", status=Status.BLOCKED), event("A")]) == ()
    assert between(plan(A=Status.PENDING), [event("A"), event("A", status=Status.ACTIVE)]) == ()


def test_a_blocker_that_the_log_resolved_disagrees_with_a_plan_that_says_blocked_by_itself_alone() -> None:
    stuck, waiting = plan(A=Status.BLOCKED), plan(A=Status.BLOCKED)
    waiting = waiting._replace(stories=tuple(each._replace(waits_for=("B",)) for each in waiting.stories))
    over = [event("A", status=Status.BLOCKED, entry="e1")]
    told = ("blocked in the plan, resolved in the log: A",)
    found = {
        name: drift_between(what, since, Attribution(what, (what,), over), None, (), over)
        for name, what, since in (
            ("resolved", stuck, []),
            ("blocked again", stuck, [event("A", status=Status.BLOCKED, entry="e2")]),
            ("done since", stuck, [event("A")]),
            ("waits for another", waiting, []),
            ("open in the plan", plan(A=Status.PENDING), []),
        )
    }
    assert found == {
        "resolved": told,
        "blocked again": (),
        "done since": ("done in the log, open in the plan: A",),
        "waits for another": (),
        "open in the plan": (),
    }


def test_a_log_that_is_silent_on_a_finished_story_is_no_drift() -> None:
    assert between(plan(A=Status.DONE, B=Status.PENDING), []) == ()
    assert between(plan(A=Status.DONE), [event("A", status=Status.PENDING)]) == ()


def test_a_skipped_story_that_the_log_finished_is_no_drift() -> None:
    assert between(plan(A=Status.SKIPPED), [event("A")]) == ()


def test_entries_older_than_the_plan_are_about_the_one_before_it() -> None:
    old = event("A", when="2026-01-31")
    assert between(plan(A=Status.PENDING), [old]) == ()
    assert between(plan(A=Status.PENDING), [event("A", when="2026-02-01T09:00:00Z")]) != ()


def test_ids_and_states_decide_whatever_a_title_says() -> None:
    told = ("done in the log, open in the plan: A",)
    assert between(plan(A=Status.PENDING), [event("A", title="Sail home")]) == told
    assert between(plan(A=Status.PENDING), [event("a", title="paint everything")]) == told


def test_a_log_in_which_most_titles_are_others_is_about_an_earlier_plan() -> None:
    earlier = [event("A", title="Sail home"), event("B", title="Moor")]
    assert between(plan(A=Status.PENDING, B=Status.PENDING), earlier) == ()
    again = event("A", title="Paint the bow")
    assert between(plan(A=Status.PENDING, B=Status.PENDING), [*earlier, again]) == (
        "done in the log, open in the plan: A",
    )


def test_what_was_finished_on_another_branch_is_no_drift_on_this_one() -> None:
    elsewhere = event("A", branch="side")
    assert between(plan(A=Status.PENDING), [elsewhere], "main") == ()
    assert between(plan(A=Status.PENDING), [elsewhere], "side") != ()


def test_entries_of_another_spec_do_not_concern_the_tasks_of_this_one() -> None:
    stories = plan(A=Status.PENDING).stories
    spec = Plan(
        path=".agent-os/specs/2026-03-01-hull/tasks.md", format="agent-os", stories=stories, name="hull"
    )
    assert between(spec, [event("A", spec="rig"), event("Z", spec="rig")]) == ()
    assert between(spec, [event("A", spec="2026-03-01-hull")]) == ("done in the log, open in the plan: A",)
    assert between(plan(A=Status.PENDING), [event("A", spec="rig")]) == (
        "done in the log, open in the plan: A",
    )


def test_a_log_that_went_on_to_other_plans_says_nothing_of_this_one_s_stories_before_that() -> None:
    pending = plan(A=Status.PENDING, B=Status.PENDING)
    others = [event(f"Z{n}") for n in range(3)]
    assert between(pending, [event("A"), *others, event("B")]) == (
        "done in the log, open in the plan: B",
        "in the log, but no story of the plan: Z0, Z1, Z2",
    )
    assert (
        between(pending, [event("A"), others[0], event("B")])[0] == "done in the log, open in the plan: A, B"
    )


def test_many_stories_are_named_by_the_first_five() -> None:
    statuses = {f"S{n}": Status.PENDING for n in range(9)}
    assert between(plan(**statuses), [event(*statuses)]) == (
        "done in the log, open in the plan: S0, S1, S2, S3, S4 and 4 more",
    )


def test_parts_named_by_the_log_are_in_the_plan() -> None:
    part = Story(id="A.1", title="Port side", status=Status.PENDING, position=0)
    story = Story(id="A", title="Paint", status=Status.PENDING, position=0, subtasks=(part,))
    assert between(Plan(path="prd.json", format="prd", stories=(story,)), [event("A.1")]) == ()


def test_a_plan_without_stories_disagrees_with_nothing() -> None:
    assert between(plan(), [event("A")]) == ()


def test_where_older_entries_are_archived_it_is_said_that_they_are_not_counted() -> None:
    one, told = plan(A=Status.PENDING), [event("X")]
    found = drift_between(one, told, Attribution(one, (one,), told), has_archive=True)
    assert found == ("in the log, its archive not counted, but no story of the plan: X",)
