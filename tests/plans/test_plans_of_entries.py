"""Which of several plans an entry means that names none."""

from __future__ import annotations

import pytest

from progress_plugin.model.event import Event, PlannedAs
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.attribution import Attribution

LOANS = ("Store tools", "Lend a tool", "Take it back", "List what is late")
STATS = ("Count by month", "Ten lent most", "Draw a chart")


def plan(path: str, titles: tuple[str, ...], done: int, started: str | None = None) -> Plan:
    stories = tuple(
        Story(f"U{at}", title, Status.DONE if at <= done else Status.PENDING, at)
        for at, title in enumerate(titles, start=1)
    )
    return Plan(path, "prd", stories, started=started)


def entry(name: str, at: int, status: Status = Status.DONE, **more: object) -> Event:
    told = Event((name,), None, status, "authored", "progress.md", at, when=f"2026-03-{at:02}")
    return told._replace(**more)


def meant(plans: tuple[Plan, ...], events: list[Event]) -> list[str]:
    """Return for each entry which plan's it is, `-` for none."""
    of = [(each.path, Attribution(each, plans, events)) for each in plans]
    found = [[path for path, attribution in of if attribution.stories(event)] for event in events]
    assert all(len(paths) < 2 for paths in found)
    return [paths[0] if paths else "-" for paths in found]


def test_what_one_plan_alone_calls_finished_was_finished_for_it() -> None:
    plans = plan("a/prd.json", LOANS, 3), plan("b/prd.json", STATS, 1)
    assert meant(plans, [entry("U2", 1), entry("U3", 2)]) == ["a/prd.json", "a/prd.json"]


def test_entries_around_one_that_both_have_finished_say_which_plan_was_at_work() -> None:
    plans = plan("a/prd.json", LOANS, 4), plan("b/prd.json", STATS, 2)
    events = [entry(name, at) for at, name in enumerate(("U1", "U2", "U3", "U4", "U1", "U2"), start=1)]
    assert meant(plans, events) == [*["a/prd.json"] * 4, *["b/prd.json"] * 2]
    events.append(entry("U3", 7, Status.ACTIVE))
    assert meant(plans, events)[-1] == "b/prd.json"


def test_an_entry_of_ours_says_which_plan_was_at_work() -> None:
    plans = plan("a/prd.json", LOANS[:2], 2), plan("b/prd.json", STATS[:2], 2)
    ours = entry("U1", 3, planned=PlannedAs("b/prd.json", "x", None, STATS[0]), type="task_completed")
    events = [entry("U2", 4), ours, entry("U2", 5, files=("s.py",)), entry("U1", 6, files=("t.py",))]
    assert meant(plans, events) == ["b/prd.json", "b/prd.json", "a/prd.json", "a/prd.json"]
    shared = ours._replace(files=("t.py",))
    assert meant(plans, [events[0], shared, *events[2:]])[-1] == "b/prd.json"


@pytest.mark.parametrize(("title", "path"), [("Lend one tool", "a/prd.json"), ("the ten", "b/prd.json")])
def test_a_title_that_only_one_plan_shares_words_with_decides(title: str, path: str) -> None:
    plans = plan("a/prd.json", LOANS, 4), plan("b/prd.json", STATS, 3)
    assert meant(plans, [entry("U2", 1, title=title)]) == [path]


def test_an_entry_is_of_no_plan_that_began_after_it() -> None:
    plans = plan("a/prd.json", LOANS, 0), plan("b/prd.json", STATS, 0, "2026-03-05")
    assert meant(plans, [entry("U1", 4)]) == ["a/prd.json"]


def test_a_log_beside_a_plan_is_of_that_plan_where_nothing_else_decides() -> None:
    plans = plan("prd.json", LOANS, 0), plan("tasks/prd.json", STATS, 0)
    assert meant(plans, [entry("U1", 1)]) == ["prd.json"]
    assert meant(plans, [entry("U1", 1, source="tasks/progress.txt")]) == ["tasks/prd.json"]


def test_where_nothing_decides_an_entry_is_of_no_plan() -> None:
    plans = plan("a/prd.json", LOANS, 1), plan("b/prd.json", STATS, 1)
    assert meant(plans, [entry("U1", 1), entry("U1", 2)]) == ["-", "-"]


def test_a_plan_that_is_gone_keeps_the_entries_around_its_own() -> None:
    here = plan("prd.json", STATS, 1)
    gone = PlannedAs("prd.json", "old", None, LOANS[2], (("U1", "0001"), ("U2", "0002")))
    ours = entry("U3", 3, planned=gone, type="task_completed")
    events = [entry("U1", 1), entry("U2", 2), ours]
    assert meant((here,), events) == ["-", "-", "-"]
    assert meant((here,), [*events, entry("U1", 4)])[-1] == "prd.json"


@pytest.mark.parametrize("second", [0, 3])
def test_a_second_entry_on_the_same_files_is_of_the_plan_that_the_first_is_of(second: int) -> None:
    plans = plan("a/prd.json", LOANS, 1), plan("b/prd.json", STATS, second)
    files = {"files": ("loans.py",)}
    ours = entry("U4", 1, files=("late.py",))
    events = [ours, entry("U2", 2, Status.ACTIVE), entry("U2", 3, **files), entry("U2", 4, **files)]
    expected = "a/prd.json" if second == 0 else "b/prd.json"
    assert meant(plans, events)[2:] == [expected] * 2


def test_a_second_entry_is_of_no_plan_that_nobody_has_been_at_and_that_has_the_story_open() -> None:
    plans = plan("a/prd.json", LOANS, 1), plan("b/prd.json", STATS, 0)
    events = [entry("U1", 1), entry("U2", 2), entry("U2", 3)]
    assert meant(plans, events) == ["a/prd.json"] * 3
    begun = plan("a/prd.json", LOANS, 1), plan("b/prd.json", STATS, 2)
    assert meant(begun, [entry("U4", 1), entry("U1", 2), entry("U1", 3)])[-1] == "b/prd.json"


def test_what_was_written_for_another_plan_or_on_its_branch_is_not_this_ones() -> None:
    shop = plan("prd.json", LOANS, 0)._replace(branch="shop")
    earlier = PlannedAs("prd.json", "x", "older", "Store tools")
    other = plan("b/prd.json", STATS, 0)._replace(branch="audit")
    told = Attribution(shop, (shop, other), [entry("U1", 1, planned=earlier)])
    assert [told.can_be_ours(None, branch) for branch in (None, "", "main", "shop")] == [True] * 4
    assert not told.can_be_ours(None, "audit")
    assert not told.can_be_ours(None, "older")
    assert told.can_be_ours(earlier._replace(branch="shop"), "older")
    assert not told.can_be_ours(earlier._replace(path="b/prd.json", branch=None), "shop")


def test_an_entry_of_ours_means_the_same_plan_whoever_asks() -> None:
    plans = plan("a/prd.json", LOANS, 0), plan("b/prd.json", STATS, 0)
    ours = entry("U2", 1, Status.BLOCKED, type="task_blocked", entry="entry-1", source="log.json")
    told = Attribution(plans[0], plans, [ours])
    alone = ours._replace(source="", position=0)
    assert not told.stories(ours)
    assert not told.stories(alone)
    assert not told.concerns(alone)


def test_words_from_another_branch_may_be_of_its_own_plan_where_the_plan_names_the_one_checked_out() -> None:
    shop = plan("prd.json", LOANS, 0)._replace(branch="shop")
    words = Event((), "US-1 first", Status.ACTIVE, "scope_override", "log.json", 1, branch="admin")
    on_story = words._replace(stories=("U1",))
    for checked_out, speaks in (("shop", False), ("main", True), (None, True)):
        told = Attribution(shop, (shop,), [words, on_story], checked_out)
        assert told.speaks_of_stories(words) is speaks
        assert told.can_be_ours(None, "admin") is speaks
        assert told.speaks_of_stories(words._replace(branch="shop"))
        assert told.speaks_of_stories(on_story)
        assert told.can_be_ours(None, "HEAD")
