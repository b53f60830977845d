"""A blocker ends with its story, by whichever name its spec was logged and whoever says that it is done."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

ALPHA, BETA = "2026-01-01-alpha", "2026-02-02-beta"
PATH = f".agent-os/specs/{BETA}/tasks.md"
TASKS = "# Spec Tasks\n\n## Tasks\n\n- [ ] 1. {0} models\n- [ ] 2. {0} api\n"
WITHOUT_IDS = "# Spec Tasks\n\n## Tasks\n\n- [ ] {0} models\n- [ ] {0} api\n"


def _specs(life: Life, text: str = TASKS) -> None:
    for name, word in ((ALPHA, "alpha"), (BETA, "beta")):
        life.write(f".agent-os/specs/{name}/tasks.md", text.format(word))
    life.commit("specs")


def _is_blocked(life: Life, *issues: str) -> None:
    said = life.status
    assert life.told_as_json("status")["blocking"] == len(issues), said
    assert all(issue in said for issue in issues)
    assert ("Open blockers" in life.recent) == bool(issues)


@pytest.mark.parametrize("spec", [BETA, "beta", PATH])
@pytest.mark.parametrize("text", [TASKS, WITHOUT_IDS])
def test_it_ends_with_what_the_clients_task_list_reports(life_alone: Life, spec: str, text: str) -> None:
    _specs(life_alone, text)
    agent = life_alone.starts()
    task = {"task": "1"} if text == TASKS else {"task": "beta models"}
    agent.logs("task_blocked", spec=spec, data={"issue": "No rope"}, **task)
    agent.logs(
        "task_blocked", spec=ALPHA, data={"issue": "No paint"}, task=task["task"].replace("beta", "alpha")
    )
    _is_blocked(life_alone, "No rope", "No paint")
    agent.finishes_task("beta models")
    _is_blocked(life_alone, "No paint")


def test_it_ends_with_a_completion_that_adds_to_one_of_another_spelling(life_alone: Life) -> None:
    life_alone.write(f".agent-os/specs/{ALPHA}/tasks.md", TASKS.format("alpha"))
    agent = life_alone.starts()
    agent.logs("task_blocked", spec=ALPHA, task="2", data={"issue": "No rope"})
    agent.logs("task_completed", "Rope came", task="2")
    agent.logs("task_completed", "Rope is in its place", spec=ALPHA, task="2")
    _is_blocked(life_alone)


@pytest.mark.parametrize("kind", ["task_completed", "debug_resolved"])
def test_all_of_a_story_end_whatever_they_call_its_plan(life_alone: Life, kind: str) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay", name="Shop", branch="feature/cart")
    life_alone.git("checkout", "-q", "-b", "feature/cart")
    agent = life_alone.starts()
    for number, spec in enumerate(("prd.json", "Shop", "feature/cart", "x")):
        agent.logs("task_blocked", spec=spec, task="us-1", data={"issue": f"Part {number} is missing"})
    agent.logs("task_blocked", spec="Shop", task="US-2", data={"issue": "No bank"})
    agent.logs(kind, "All parts came", task="US-1")
    _is_blocked(life_alone, "No bank")


def test_it_does_not_come_back_when_the_plan_is_opened_again(life_alone: Life) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay")
    agent = life_alone.starts()
    agent.logs("task_blocked", spec="x", task="US-1", data={"issue": "No rope"})
    agent.marks("US-1", passes=True)
    agent.marks("US-1", passes=False)
    _is_blocked(life_alone)


def test_it_stays_open_where_a_story_of_another_plan_with_its_id_is_done(life_alone: Life) -> None:
    life_alone.plan("US-1 Cart", "US-2 Pay", name="Shop")
    life_alone.plan("US-1 Crane", "US-2 Quay", path="tasks/prd.json", name="Port")
    agent = life_alone.starts()
    agent.logs("task_blocked", spec="Port", task="US-1", data={"issue": "No rope"})
    agent.logs("task_completed", "Cart done", spec="Shop", task="US-1")
    _is_blocked(life_alone, "No rope")
    agent.logs("task_completed", "Crane done", spec="tasks/prd.json", task="US-1")
    _is_blocked(life_alone)


def test_where_no_plan_knows_them_the_specs_decide(life_alone: Life) -> None:
    agent = life_alone.starts()
    agent.logs("task_blocked", spec="alpha", task="T-1", data={"issue": "No rope"})
    agent.logs("task_blocked", spec="beta", task="T-1", data={"issue": "No paint"})
    agent.logs("task_completed", "Rope came", spec="Alpha", task="t-1")
    _is_blocked(life_alone, "No paint")


def test_what_was_logged_before_there_was_a_plan_ends_by_spec_and_task(life_alone: Life) -> None:
    agent = life_alone.starts()
    agent.logs("task_blocked", task="US-1", data={"issue": "No rope"})
    life_alone.plan("US-1 Cart", "US-2 Pay")
    agent.logs("task_completed", "Rope came", task="US-1")
    _is_blocked(life_alone)


def test_an_archived_one_ends_as_well(life_alone: Life) -> None:
    _specs(life_alone)
    agent = life_alone.starts()
    agent.logs("task_blocked", spec=PATH, task="1", data={"issue": "No rope"})
    agent.logs("task_blocked", spec=BETA, task="2", data={"issue": "No paint"})
    life_alone.command("archive", "--days", "0", "--at-least", "1")
    assert not life_alone.entries("task_blocked")
    agent.finishes_task("beta models")
    _is_blocked(life_alone, "No paint")
