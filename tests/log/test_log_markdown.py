"""progress.md is the log as a person reads it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.log.entry import ENTRY_TYPES, EntryDraft
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

GOLDEN = """\
# Agent OS Progress Log

*Project: demo*

*Total entries: 8*

---

## 2026-03-14

### 12:00 - 🏁 Session Ended

- **Retracts**: e6

### 11:00 - 🎯 Milestone Reached (retracted)

- **Details**: Beta

### 10:00 - 📋 Scope Override

- **Requested tasks**: US-7
- **Reason**: Wanted today
- **Detail**: {"by": ["you"]}

### 09:30 - 🔧 Debug Resolved

- **Root cause**: A stale cache
- **Resolution**: Cleared it
- **Files modified**: a.py, b.py

### 09:30 - ⚠️ Task Blocked

- **Task**: US-2
- **Duration**: ~12.5 minutes
- **Issue**: No mail server
- **Suggested resolution**: Ask for one

---

## 2026-03-13

### 23:59 - 🚀 Session Started

- **Focus task**: US-1
- **Context**: after a break
- **Started at**: 2026-03-13T23:58:00Z

### 23:05 - ✅ Task Completed

- **Spec**: auth
- **Task**: US-1
- **Details**: Sign in with a password
- **Duration**: ~0 minutes
- **Notes**: Two tries.
- **Next**: Sign out
- **Retries**: 0
- **Flaky**: false

**Learnings:**

- Tokens live in `src/token.py`
- Run the seed first

---

## Undated

### --:-- - 📝 Celebration

- **Mood**: fine

---

*Older entries archived through 2026-02-28 in `archive/`*
"""


def test_the_whole_of_it() -> None:
    document = {"project": "demo", "metadata": {"total_entries": 8, "archived_through": "2026-02-28"}}
    assert render(document, ENTRIES) == GOLDEN


def test_what_several_entries_tell_of_one_thing_stands_once_and_nothing_of_a_machine_with_it() -> None:
    machines = {"key": "prd.json|US-1|done|1", "plan": "prd.json", "plan_id": "p", "plan_branch": "b", "title": "Login",
                "recorded_by": "hook", "client_task": "7", "session_id": "s-1"}  # fmt: skip
    entries: list[dict[str, Any]] = [
        {"id": "a", "timestamp": "2026-03-14T09:00:00Z", "type": "session_started", "data": {"session_id": "s-1"}},
        {"id": "b", "timestamp": "2026-03-14T10:00:00Z", "type": "task_completed", "task_id": "US-1",
         "data": {"description": "Newest words", "earlier_descriptions": ["First words", "Second"], **machines}},
        {"id": "c", "timestamp": "2026-03-14T11:00:00Z", "type": "task_completed", "task_id": "US-1",
         "data": {"supplements": "b", "notes": "Two tries.", "retries": 0}},
        {"id": "d", "timestamp": "2026-03-14T12:00:00Z", "type": "task_completed", "task_id": "US-1",
         "data": {"supplements": "b", "notes": "Taken back"}},
        {"id": "e", "timestamp": "2026-03-14T13:00:00Z", "type": "task_completed", "task_id": "US-2", "data": {"title": "Cart"}},
        {"id": "f", "timestamp": "2026-03-14T14:00:00Z", "type": "scope_override", "data": {"retracts": ["d"]}},
    ]  # fmt: skip
    text = render({"project": "demo", "metadata": {"total_entries": 6}}, entries)
    assert "*Total entries: 6 (1 of them adds to another)*" in text.splitlines()
    assert (
        text.partition("## 2026-03-14\n\n")[2]
        == """\
### 14:00 - 📋 Entry Retracted

- **Retracts**: d

### 13:00 - ✅ Task Completed

- **Task**: US-2
- **Details**: Cart

### 12:00 - ✅ Task Completed (retracted)

- **Task**: US-1
- **Notes**: Taken back

### 10:00 - ✅ Task Completed

- **Task**: US-1
- **Details**: Newest words
- **Details**: First words
- **Details**: Second
- **Notes**: Two tries.
- **Retries**: 0

### 09:00 - 🚀 Session Started

- **Session**: s-1
"""
    )


def test_of_no_entries_there_is_a_head() -> None:
    assert render({"project": "demo", "metadata": {"total_entries": 0}}, []) == (
        "# Agent OS Progress Log\n\n*Project: demo*\n\n*Total entries: 0*\n\n---\n"
    )


def test_every_append_writes_it(place: Any) -> None:
    place.append(EntryDraft("task_completed", {"description": "one"}))
    place.append(EntryDraft("task_blocked", {"issue": "two"}))
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


def test_each_type_has_its_icon() -> None:
    icons = ["🚀", "🏁", "✅", "⚠️", "🔧", "📋", "🎯"]
    text = render({}, [{"id": kind, "timestamp": "2026-01-01", "type": kind} for kind in ENTRY_TYPES])
    lines = [line for line in text.splitlines() if line.startswith("### ")]
    assert [line.split()[3] for line in reversed(lines)] == icons
