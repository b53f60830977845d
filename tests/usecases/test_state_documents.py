"""Memory banks, STATE.md and hand-offs: what they say of the present stands in status, context and lines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.status import project_status
from progress_plugin.usecases.summarizing.compose import compose
from progress_plugin.usecases.summarizing.sources import read_sources

ACTIVE = """# Active Context

## Current Work Focus

Moving the lamp registry from JSON to SQLite.

- Readers are done, writers are not

## Recent Changes

- Added the `lamps` table

## Next Steps

1. Port `write_lamp` to the new table in one transaction per harbour
2. Remove the JSON file once the lighthouse keeper has checked the numbers

## Active Decisions and Considerations

- One connection per thread

## Blockers

- None
"""

STATE = """---
gsd_state_version: 1.0
status: executing
---

# Project State

## Project Reference

**Core value:** Berths are never offered twice.
**Current focus:** Phase 02 (tide tables)

## Current Position

Phase: 2 of 3 (tide tables)
Status: In progress

## Accumulated Context

### Decisions

- [01-01]: Times are stored in UTC, shown in harbour time

### Blockers/Concerns

- The tide service has not answered our request for a key
- ~~The schema was not agreed~~

## Session Continuity

Stopped at: Tide table import written, not yet tested
"""

ROADMAP = """# Roadmap: Harbour

## Phases

- [x] **Phase 1: Registry** - Berths and vessels in one place
- [ ] **Phase 2: Tide tables** - Import and show

## Phase Details

### Phase 2: Tide tables
**Depends on**: Phase 1
"""

HANDOFF = """# Lamps: handoff

## Where things stand

The registry runs in production since 2026-08-05.

## Waiting on the harbour master

1. A key for the tide service

## Blocked on nobody, not yet started

- The German translation

## Suggested next

Web push: store subscriptions, then send from the server.
"""


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    """Return an empty repository."""
    del home
    (tmp_path / "harbour/.git").mkdir(parents=True)
    (tmp_path / "harbour/.git/HEAD").write_text("ref: refs/heads/main\n")
    return tmp_path / "harbour"


def write(root: Path, **documents: str) -> Project:
    for name, text in documents.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return find_project(str(root))


def status(project: Project) -> dict[str, Any]:
    return project_status(project)


def context(project: Project) -> str:
    sources = read_sources(project, InputSnapshot(project.root))
    return compose(sources, sources.settings).text


def test_a_memory_bank_tells_its_focus_and_its_next_steps(root: Path) -> None:
    project = write(
        root, **{"memory-bank/activeContext.md": ACTIVE, "memory-bank/progress.md": "# Progress\n"}
    )
    told = status(project)
    assert told["focus"] == "Moving the lamp registry from JSON to SQLite; Readers are done, writers are not"
    assert told["next"].startswith("Port `write_lamp` to the new table")
    assert told["blocked"] == []
    text = context(project)
    assert "Blocked: None\n" in text
    assert "Focus: Moving the lamp registry from JSON to SQLite; Readers are done" in text
    assert "(memory-bank/activeContext.md)\n" in text
    assert "One connection per thread" in text
    assert text.count("Readers are done") == 1


def test_a_state_file_completes_its_roadmap(root: Path) -> None:
    project = write(root, **{".planning/STATE.md": STATE, ".planning/ROADMAP.md": ROADMAP})
    told = status(project)
    assert (told["summary"], told["current"]) == ("1/2 complete (50%)", "Phase 2")
    assert told["focus"] == "Phase 02 (tide tables); stopped at: Tide table import written, not yet tested"
    assert [each["id"] for each in told["blocked"]] == [
        "The tide service has not answered our request for a key"
    ]
    assert "- The tide service has not answered our request for a key\n" in context(project)


def test_a_hand_off_tells_where_things_stand_and_who_is_waited_for(root: Path) -> None:
    told = status(write(root, **{"HANDOFF.md": HANDOFF}))
    assert told["focus"] == "The registry runs in production since 2026-08-05"
    assert [each["id"] for each in told["blocked"]] == ["A key for the tide service"]
    assert told["next"] == "Web push: store subscriptions, then send from the server"


def test_the_line_for_the_user_tells_the_focus_where_no_story_is_known(root: Path) -> None:
    project = write(root, **{"memory-bank/activeContext.md": ACTIVE})
    sources = read_sources(project, InputSnapshot(project.root))
    line = compose(sources, sources.settings).user_line
    assert line.startswith("progress: Moving the lamp registry from JSON to SQLite")


def test_what_somebody_states_names_the_file_and_the_line(root: Path) -> None:
    project = write(root, **{"STATE.md": STATE})
    sources = read_sources(project, InputSnapshot(project.root))
    composed = compose(sources, sources.settings)
    focus = composed.facts.focus
    assert focus is not None
    assert [(each.source, each.line) for each in focus.origins] == [("STATE.md", 11)]


def test_of_a_log_with_entries_the_newest_tells_what_is_in_the_way_and_none_the_focus(root: Path) -> None:
    log = "# Log\n\n## 2026-03-01 - US-1: Light the lamp\n\n### Blockers\n\n- No oil\n\n### Current focus\n\n- Oil\n"
    told = status(write(root, **{"progress.md": log}))
    assert (told["focus"], [each["id"] for each in told["blocked"]]) == (None, ["US-1"])


def test_only_the_folder_speaks_whose_document_gives_the_newest_day_of_a_change(root: Path) -> None:
    dated = {"STATE.md": STATE, "memory-bank/activeContext.md": f"{ACTIVE}\n*Last updated: 2026-08-05*\n"}
    project = write(root, **dated)
    assert status(project)["focus"].startswith("Moving the lamp registry")
    write(root, **{"STATE.md": STATE.replace("status: executing", "last_updated: 2026-08-06T10:00:00Z")})
    assert status(project)["focus"].startswith("Phase 02")


BANK_PROGRESS = """# Progress

## Current status

The lamps are lit by hand.

## What is left

- Everything about tides

## Blockers

- The old registry is locked
"""


@pytest.mark.parametrize(
    "first", ["memory-bank/activeContext.md", "memory-bank/progress.md", "STATE.md", None]
)
def test_who_leads_does_not_depend_on_the_times_of_files(root: Path, first: str | None) -> None:
    project = write(
        root,
        **{
            "memory-bank/activeContext.md": ACTIVE,
            "memory-bank/progress.md": BANK_PROGRESS,
            "STATE.md": "# State\n\n**Current focus:** Phase 01 (an older one)\n",
        },
    )
    for path in ("memory-bank/activeContext.md", "memory-bank/progress.md", "STATE.md"):
        when = 1_700_000_000 if path == first else 1_600_000_000
        os.utime(root / path, (when, when))
    told = status(project)
    assert told["focus"].startswith("Moving the lamp registry")
    assert told["next"].startswith("Port `write_lamp`")
    assert told["blocked"] == [], "the document of the present says that there are none"


def test_what_the_leading_document_does_not_speak_of_the_others_tell(root: Path) -> None:
    active = ACTIVE.partition("## Blockers")[0]
    project = write(
        root, **{"memory-bank/activeContext.md": active, "memory-bank/progress.md": BANK_PROGRESS}
    )
    assert [each["id"] for each in status(project)["blocked"]] == ["The old registry is locked"]


def test_the_same_log_under_two_names_is_told_once(root: Path) -> None:
    log = "## 2026-03-01 - US-1: Light the lamp\n- Lit it\n"
    told = status(write(root, **{"progress.md": log, "PROGRESS.md": log}))
    assert told["sources"]["files"] == ["progress.md"]
    assert len(told["stories"]) == 1


@pytest.mark.parametrize("nothing", ["None", "None yet.", "- N/A", "No blockers", "- TBD", "- なし"])
def test_a_placeholder_is_no_blocker(root: Path, nothing: str) -> None:
    assert status(write(root, **{"STATE.md": f"# State\n\n## Blockers\n\n{nothing}\n"}))["blocked"] == []
