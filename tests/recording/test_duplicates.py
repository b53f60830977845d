"""A finished story is logged once, however many signals report it, and nobody's words are lost."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project, find_project
from progress_plugin.log import store
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.usecases.recording.record import ALREADY_RECORDED, log_entry, record_event

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "quay").mkdir()
    (tmp_path / "quay/prd.json").write_text(
        '{"userStories": [{"id": "US-1", "title": "Berths"}, {"id": "US-2", "title": "Cranes"},'
        ' {"id": "US-3", "title": "Cranes"}]}'
    )
    return find_project(str(tmp_path / "quay"))


def log(
    project: Project, kind: str = "task_completed", session: str | None = "one", **fields: str
) -> list[str]:
    return log_entry(project, kind, now=NOW, session=session, **fields).notes  # type: ignore[arg-type]


def tick(project: Project, subject: str, number: int = 1, session: str = "one") -> None:
    facts = {"subject": subject, "client_task": number}
    record_event(project, PendingEvent("task", project.root, session, NOW, facts), 5)


def stories(project: Project) -> list[tuple[str, str | None, str]]:
    """Return kind, task and description of each entry about work, supplements merged in."""
    entries = store.load_history(project.log_directory).entries
    return [
        (entry["type"], entry.get("task_id"), entry["data"].get("description", ""))
        for entry in entries
        if entry["type"] != "session_started"
    ]


def test_words_after_a_tick_are_added_to_it(project: Project) -> None:
    tick(project, "US-1: Berths")
    log(project, task_id="US-1", description="Boats moor")
    tick(project, "US-1: Berths")
    assert stories(project) == [("task_completed", "US-1", "Boats moor")]


def test_the_same_words_again_are_known(project: Project) -> None:
    log(project, description="Swept the quay")
    assert log(project, description="Swept the quay") == [ALREADY_RECORDED]
    assert log(project, description="Tarred", task_id="US-9")[0].startswith("no plan here has a story US-9; ")
    assert log(project, description="Tarred", task_id="US-9") == [ALREADY_RECORDED]


def test_what_two_sessions_finish_without_a_plan_is_theirs(project: Project) -> None:
    log(project, description="Swept the quay")
    log(project, description="Swept the quay", session="two")
    assert len(stories(project)) == 2


def test_each_task_with_a_title_of_several_stories_is_an_entry_that_names_none_of_them(
    project: Project,
) -> None:
    tick(project, "Cranes", 1)
    tick(project, "Cranes", 2)
    tick(project, "Cranes", 1)
    assert [(task, text) for _, task, text in stories(project)] == [(None, "Cranes")] * 2


def test_each_reason_is_a_blocker_of_its_own(project: Project) -> None:
    for reason in ("No steel", "No steel", "No crane driver"):
        log(project, "task_blocked", task_id="US-2", description=reason)
    assert [text for _, _, text in stories(project)] == ["No steel", "No crane driver"]


def test_a_task_that_no_plan_has_is_named_with_those_like_it(project: Project) -> None:
    (note,) = log(project, "milestone_reached", task_id="US-11", description="Half of it")
    assert "no plan here has a story US-11" in note
    assert "similar names: US-1" in note


def test_the_phase_of_a_plan_is_a_known_task(project: Project) -> None:
    Path(project.path("plan.md")).write_text("# Boat\n\n## Phase 1: Hull\n\n- [ ] Keel\n- [ ] Planks\n")
    assert log(project, task_id="Phase 1", description="Hull tarred") == []


def test_an_entry_that_says_nothing_is_refused(project: Project) -> None:
    with pytest.raises(BadInput, match="needs a task or some text"):
        log(project)
    assert not store.load_history(project.log_directory).entries
