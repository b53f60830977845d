"""Plans are read first, then logs with the ids of the plans; problems are named."""

from __future__ import annotations

import datetime as dt

import pytest

from progress_plugin.model.status import Status
from progress_plugin.model.work import FoundFile
from progress_plugin.plans.documents import read_plans
from progress_plugin.plans.task_files import TaskFile, read_task_files
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs, read_inputs
from progress_plugin.state.state import Record


def _read(files: dict[str, tuple[str, str]]) -> Inputs:
    found = [FoundFile(path, kind, "", "read", "") for path, (kind, _) in files.items() if kind]  # type: ignore[arg-type]
    return read_inputs(found, lambda path: files[path][1] if path in files else None)


def test_the_active_tag_of_task_master_leads() -> None:
    tasks = '{"%s": {"tasks": [{"id": 1, "title": "Hull", "status": "done"}]}, "%s": {"tasks": [{"id": 1, "title": "Mast", "status": "todo"}]}}'
    inputs = _read(
        {
            ".taskmaster/tasks/tasks.json": ("plan", tasks % ("master", "feat")),
            ".taskmaster/state.json": ("", '{"currentTag": "feat"}'),
        }
    )
    assert [plan.name for plan in inputs.plans] == ["feat", "master"]


def test_a_broken_plan_is_named_and_the_rest_is_read() -> None:
    inputs = _read({"prd.json": ("plan", "{"), "progress.md": ("log", "## 2026-01-02 - A-1: Hull\n- sawn\n")})
    assert inputs.problems[0].startswith("prd.json: not valid JSON (line 1")
    assert [len(log.entries) for log in inputs.logs] == [1]


def test_a_list_of_work_in_a_log_takes_the_place_of_a_plan() -> None:
    log = "# Boat\n## Work\n- [x] Hull\n- [ ] Mast\n"
    assert [plan.path for plan in _read({"progress.md": ("log", log)}).plans] == ["progress.md"]
    plan = '{"stories": [{"id": "A", "title": "Deck", "passes": false}]}'
    both = _read({"prd.json": ("plan", plan), "progress.md": ("log", log)})
    assert [plan.path for plan in both.plans] == ["prd.json"]


def test_a_file_named_like_a_plan_that_lists_no_work_is_read_as_text() -> None:
    inputs = _read({"plan.md": ("plan", "# Plan\n## Next steps\n- Saw the planks\n")})
    assert not inputs.plans
    assert [step.text for step in inputs.logs[0].next_steps] == ["Saw the planks"]


def test_what_a_document_states_without_a_date_has_the_date_of_the_file() -> None:
    file = FoundFile("HANDOFF.md", "handoff", "", "read", "", changed_s=1_770_000_000)
    inputs = read_inputs([file], lambda _: "# Handoff\n## Next steps\n- Oil the rope\n")
    assert [step.source.date for step in inputs.logs[0].next_steps] == [file.date]


@pytest.mark.parametrize("voyage", ["## Voyage {}", "## Milestone {}"])
def test_a_count_says_nothing_of_a_roadmap_that_numbers_its_phases_anew(voyage: str) -> None:
    phases = "\n- [{}] Phase 1: Hull\n- [ ] Phase 2: Mast\n"
    roadmap = voyage.format(1) + phases.format("x") + voyage.format(2) + phases.format(" ")
    files = {
        ".planning/ROADMAP.md": ("plan", roadmap),
        ".planning/STATE.md": ("state", "Phase: 2 of 2\nStatus: done\n"),
    }
    state = decide(_read(files).plans, [], [], dt.date(2026, 6, 1))
    assert (state.done, state.total, state.is_complete) == (1, 4, False)


def test_of_the_session_logs_in_a_folder_the_newest_says_what_is_open() -> None:
    session = "# Session of 2026-03-0%d\n## Blockers\n- %s\n## Next steps\n- %s\n"
    files = {
        "sessions/mast.md": ("log", session % (2, "No crane", "Raise the mast")),
        "sessions/hull.md": ("log", session % (1, "No planks", "Saw the planks")),
    }
    state = decide([], _read(files).logs, [], dt.date(2026, 6, 1))
    assert [work.text for work in (*state.blocked, *state.steps)] == ["No crane", "Raise the mast"]


def test_the_leading_plan_is_read_for_what_it_logs_and_teaches_too() -> None:
    text = (
        "# Plan\n- [x] #1 Hull\n- [ ] #2 Mast\n\n## Gotchas\n- Tar needs a dry day\n\n"
        "## Log\n\n### Loop 2026-05-04\n- Sawed the planks\n\n### Loop 2026-05-05\n- Bent them\n"
    )
    file = FoundFile("fix_plan.md", "plan", "", "leads", "")
    inputs = read_inputs([file], lambda _: text)
    assert [item.id for item in inputs.plans[0].items] == ["#1", "#2"]
    log = inputs.logs[0]
    assert [entry.date and entry.date.day for entry in log.entries] == [4, 5]
    assert [each.text for each in log.statements] == ["Tar needs a dry day", "Sawed the planks", "Bent them"]
    assert not read_inputs([file._replace(role="read")], lambda _: text).logs


def test_a_plan_that_was_read_when_it_was_found_is_not_read_again() -> None:
    tasks = [TaskFile("todos/1.md", "---\ntitle: Hull\nstatus: done\n---\n")]
    plan = read_task_files("todos", tasks)
    assert plan
    file = FoundFile("todos", "plan", "", "leads", "", plans=(plan,))
    assert read_inputs([file], lambda _: None).plans == (plan,)


def test_an_entry_of_our_own_log_is_newer_than_a_plan_that_was_changed_before_it() -> None:
    text = '{"stories": [{"id": "A", "title": "Deck", "passes": false}]}'
    noon = 1_770_000_000
    file = FoundFile("prd.json", "plan", "", "read", "", changed_s=noon)
    for plans in (None, tuple(read_plans(file.path, text, file.date))):
        inputs = read_inputs([file._replace(plans=plans)], lambda _: text)
        for time_s, done in ((noon + 60, 1), (noon - 60, 0)):
            record = Record("id", "A", "Planks laid", file.date, Status.DONE, time_s=time_s)
            assert decide(inputs.plans, [], [record], dt.date(2026, 6, 1)).done == done


def test_a_log_that_goes_on_without_a_plan_leads_before_it() -> None:
    plan = '{"stories": [{"id": "A-1", "title": "Deck", "passes": %s}, {"id": "A-2", "title": "Mast", "passes": false}]}'
    log = "".join(f"## 2026-03-0{day} - Bell {day}\n- cast\n" for day in (2, 3, 4))

    def decided(path: str, passes: str, entries: str) -> str | None:
        inputs = _read({path: ("plan", plan % passes), "progress.md": ("log", entries)})
        changed = [each._replace(changed_s=int(_MARCH_1.timestamp())) for each in inputs.plans]
        state = decide(changed, inputs.logs, [], dt.date(2026, 6, 1))
        return state.next and state.next.text if state.total else f"{state.entries} entries"

    assert decided("docs/prd.json", "true", log) == "3 entries"
    assert decided("prd.json", "false", log) == "3 entries"
    assert decided("prd.json", "true", log) is None
    assert decided("prd.json", "false", log + "## 2026-03-05 - A-1: Deck\n- laid\n") == "Mast"


_MARCH_1 = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
