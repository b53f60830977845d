"""progress.md is the log as a person reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.log.entry import new_draft
from progress_plugin.log.progress_md import render

ENTRIES: list[dict[str, Any]] = [
    {"id": "e0", "timestamp": "soon", "type": "celebration", "data": {"mood": "fine"}},
    {"id": "e1", "timestamp": "2026-03-13T23:59:00Z", "type": "session_started",
     "data": {"focus_task": "US-1", "context": "after a break", "started_at": "2026-03-13T23:58:00Z"}},
    {"id": "e2", "timestamp": "2026-03-14T01:05:00+02:00", "type": "task_completed", "spec": "auth", "task_id": "US-1",
     "data": {"description": "Sign in with a password", "duration_minutes": 0, "notes": "Two tries.",
              "next_steps": "Sign out", "learnings": ["Tokens live in `src/token.py`", "Run the seed first"],
              "retries": 0, "flaky": False, "empty": "", "none": None}},
    {"id": "e3", "timestamp": "2026-03-14T09:30:00Z", "type": "task_blocked", "task_id": "US-2",
     "data": {"issue": "No mail server", "suggested_resolution": "Ask for one", "duration_minutes": 12.5}},
    {"id": "e4", "timestamp": "2026-03-14T09:30:00Z", "type": "debug_resolved",
     "data": {"root_cause": "A stale cache", "resolution": "Cleared it", "files_modified": ["a.py", "b.py"]}},
    {"id": "e5", "timestamp": "2026-03-14T10:00:00Z", "type": "scope_override",
     "data": {"requested_tasks": ["US-7"], "reason": "Wanted today", "detail": {"by": ["you"]}}},
    {"id": "e6", "timestamp": "2026-03-14T11:00:00Z", "type": "milestone_reached", "data": {"description": "Beta"}},
    {"id": "e7", "timestamp": "2026-03-14T12:00:00Z", "type": "session_ended", "data": {"retracts": ["e6"]}},
]  # fmt: skip

DATA = Path(__file__).parent / "data"


def test_the_whole_of_it() -> None:
    document = {"project": "demo", "metadata": {"total_entries": 8, "archived_through": "2026-02-28"}}
    assert render(document, ENTRIES) == (DATA / "progress.md").read_text("utf-8")


def test_what_several_entries_tell_of_one_thing_stands_once_and_nothing_of_a_machine_with_it() -> None:
    machines = {"key": "prd.json|US-1|done|1", "plan": "prd.json", "plan_id": "p", "plan_branch": "b", "title": "Login",
                "recorded_by": "hook", "client_task": "7", "session_id": "s-1"}  # fmt: skip
    entries: list[dict[str, Any]] = [
        {"id": "a", "timestamp": "2026-03-14T09:00:00Z", "type": "session_started", "data": {"session_id": "s-1"}},
        {"id": "b", "timestamp": "2026-03-14T10:00:00Z", "type": "task_completed", "task_id": "US-1",
         "data": {"description": "Newest words\n\nFirst words\n\nSecond", **machines}},
        {"id": "c", "timestamp": "2026-03-14T11:00:00Z", "type": "task_completed", "task_id": "US-1",
         "data": {"supplements": "b", "notes": "Two tries.", "retries": 0}},
        {"id": "d", "timestamp": "2026-03-14T12:00:00Z", "type": "task_completed", "task_id": "US-1",
         "data": {"supplements": "b", "notes": "Taken back"}},
        {"id": "e", "timestamp": "2026-03-14T13:00:00Z", "type": "task_completed", "task_id": "US-2", "data": {"title": "Cart"}},
        {"id": "f", "timestamp": "2026-03-14T14:00:00Z", "type": "scope_override", "data": {"retracts": ["d"]}},
    ]  # fmt: skip
    text = render({"project": "demo", "metadata": {"total_entries": 6}}, entries)
    assert "*Total entries: 6*" in text.splitlines()
    assert text.partition("## 2026-03-14\n\n")[2] == (DATA / "progress-merged.md").read_text("utf-8")


def test_every_append_writes_it(place: Any) -> None:
    place.append(new_draft("task_completed", {"description": "one"}))
    place.append(new_draft("task_blocked", {"issue": "two"}))
    text = (place.path / "progress.md").read_text()
    assert text == render(place.document(), place.document()["entries"])
    assert text.index("- **Issue**: two") < text.index("- **Details**: one")


NASTY = st.sampled_from(
    ["\n## 2026-01-01\n", "```\n", "\n---\n", "\n### 10:00 - x", "\r\n- **Task**: forged", "\x1b[31m", "<!--", "\n***\n", "~~~", "\u2028# x", "*", "|"]
)  # fmt: skip
TEXT = st.lists(NASTY | st.text(max_size=5), max_size=5).map("".join)


@given(
    st.fixed_dictionaries({}, optional={"spec": TEXT, "task_id": TEXT, "type": TEXT}),
    st.dictionaries(TEXT, TEXT, max_size=4),
    st.lists(TEXT, max_size=3),
)
def test_no_value_can_break_the_structure(
    fields: dict[str, str], data: dict[str, str], learnings: list[str]
) -> None:
    entry = {"id": "e", "timestamp": "2026-03-14T10:00:00Z", "type": "task_completed", **fields}
    text = render({"project": "\n# x"}, [{**entry, "data": {**data, "learnings": learnings}}])
    lines = text.splitlines()
    assert [line for line in lines if line.startswith("# ")] == ["# Agent OS Progress Log"]
    assert [line for line in lines if line.startswith("## ")] == ["## 2026-03-14"]
    assert len([line for line in lines if line.startswith("### ")]) == 1
    assert lines.count("---") == 1
    assert not any(line.strip().removeprefix("- ").startswith(("```", "~~~", "<!--")) for line in lines)
    assert all(
        line == "" or line.startswith(("#", "*Project", "*Total", "---", "- ", "  - ", "**Learnings:**"))
        for line in lines
    )


@given(st.lists(st.dictionaries(st.sampled_from(["id", "timestamp", "type", "spec", "data"]), st.none() | st.integers() | st.lists(st.none()) | st.text(max_size=3) | st.dictionaries(st.text(max_size=3), st.lists(st.integers()), max_size=2)), max_size=4))  # fmt: skip
def test_whatever_stands_in_an_entry_it_is_rendered(entries: list[dict[str, Any]]) -> None:
    json.dumps(entries)
    text = render({}, entries)
    assert len([line for line in text.splitlines() if line.startswith("### ")]) == len(entries)
