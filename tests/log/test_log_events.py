"""Our entries as events of the one history."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.log import history
from progress_plugin.log.archive import Limits
from progress_plugin.log.entry import ENTRY_TYPES, EntryDraft
from progress_plugin.log.events import event, events
from progress_plugin.model.event import Event, PlannedAs
from progress_plugin.model.status import Status

SOURCE = ".agent-os/progress/progress.json"


def test_an_entry_is_an_event_with_all_its_facts() -> None:
    entry = {
        "id": "e", "timestamp": "2026-03-14T17:09:26+02:00", "type": "task_completed", "spec": "auth", "task_id": "US-1",
        "data": {"description": "Sign in\nwith a password", "notes": "two tries", "files_modified": ["a.py"],
                 "files": ["b.py", "a.py"], "learnings": ["x"], "next_steps": "y", "duration_minutes": 5,
                 "commits": ["1a2b3c", "4d5e6f"], "evidence": {"tests": 3}},
    }  # fmt: skip
    assert event(entry, SOURCE, 7) == Event(
        stories=("US-1",),
        title="Sign in with a password",
        status=Status.DONE,
        type="task_completed",
        source=SOURCE,
        position=7,
        when="2026-03-14T15:09:26Z",
        spec="auth",
        details=(
            "Sign in with a password",
            "two tries",
            "Next steps: y",
            "Commits: 1a2b3c; 4d5e6f",
            'Evidence: {"tests": 3}',
        ),
        files=("a.py", "b.py"),
        entry="e",
        said=1,
    )


@pytest.mark.parametrize("kind", [*ENTRY_TYPES, "custom"])
def test_each_type_has_a_status(kind: str) -> None:
    expected = {
        "task_completed": Status.DONE,
        "debug_resolved": Status.DONE,
        "milestone_reached": Status.DONE,
        "task_blocked": Status.BLOCKED,
    }.get(kind, Status.ACTIVE)
    assert event({"type": kind}, SOURCE, 1).status is expected


@pytest.mark.parametrize("kind", ["debug_resolved", "milestone_reached"])
def test_a_fix_or_a_milestone_does_not_finish_the_story_it_names(kind: str) -> None:
    assert event({"type": kind, "task_id": "US-1"}, SOURCE, 1).status is Status.ACTIVE


def test_what_is_wrong_and_what_might_help_stand_apart_from_what_was_done() -> None:
    told = event(
        {"type": "task_blocked", "data": {"issue": "no key", "suggested_resolution": "ask"}}, SOURCE, 1
    )
    assert (told.title, told.details) == ("no key", ())
    assert told.trouble == ("Issue: no key", "Suggested resolution: ask")


def test_a_title_that_a_signal_put_in_the_place_of_words_is_no_detail() -> None:
    story = {"plan": "prd.json", "plan_id": "1f", "title": "Login page"}
    entry = {
        "type": "task_completed",
        "task_id": "US-1",
        "story": story,
        "data": {"description": "Login page"},
    }
    assert event({**entry, "signal": "plan"}, SOURCE, 1).details == ()
    assert event(entry, SOURCE, 1).details == ("Login page",)
    assert event(entry, SOURCE, 1).planned == PlannedAs("prd.json", "1f", None, "Login page")


def test_events_are_numbered_in_the_order_of_the_log_without_what_was_taken_back(place: Any) -> None:
    wrong = place.done("US-1")
    place.done("US-2")
    place.append(EntryDraft("scope_override", {"retracts": wrong["id"]}))
    place.done("US-3")
    told = events(history.load(place.directory), SOURCE)
    assert [(each.position, each.stories) for each in told] == [(1, ("US-2",)), (2, ("US-3",))]


def test_archived_entries_come_first_the_newest_of_them_whole(place: Any) -> None:
    entries = place.old_entries(45, days=2)
    for each in entries:
        each["data"]["notes"] = "n"
    place.write(entries)
    place.done("US-NEW", limits=Limits(entries=5, days=10))
    told = events(history.load(place.directory), SOURCE)
    assert [each.stories[0] for each in told] == [*(f"T-{number}" for number in range(45)), "US-NEW"]
    assert ["n" in each.details for each in told[8:12]] == [False, False, True, True]
    assert {each.status for each in told} == {Status.DONE}
