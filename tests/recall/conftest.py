"""Projects with a history of every kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.recall.filters import Filters
from progress_plugin.recall.search import Hit
from progress_plugin.usecases.recalling.recall import DEFAULT, Recalled, recall

LOG = """# Progress Log

## Codebase Patterns

- Berths are numbered by `assignBerth()` in src/berths/assign.ts, never by hand
- Run `make lint` before each commit

## 2026-03-01 10:00 - US-001: Tide table

- Read the tides from the harbour office
- **Learnings:**
  - `parse_tide_row` drops rows without a height, so the heights must be filled in first
  - The office sends its heights in feet, which nobody here has used since the war ended

## 2026-03-04 09:00 - US-002: Quay gate

- The gate now shuts by itself at low water, at whatever hour of the day that may be
- Files: src/gate/shut.py, src/gate/db.ts
- **Learnings:**
  - A gate that is shut twice jams and has to be freed by hand: ask `isShut` first
  - 港口办公室每天早上更新一次潮汐表，所以必须在每天的第一班船离开之前重新读取它，否则高度是昨天的
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with an agent's log and a plan."""
    place = tmp_path / "harbour"
    (place / ".git").mkdir(parents=True)
    (place / "progress.md").write_text(LOG, "utf-8")
    stories = [
        {"id": "US-001", "title": "Tide table", "passes": True},
        {"id": "US-002", "title": "Quay gate", "passes": True},
        {
            "id": "US-003",
            "title": "Winter storage",
            "description": "Boats are craned out in October",
            "passes": False,
        },
    ]
    (place / "prd.json").write_text(json.dumps({"project": "Harbour", "userStories": stories}), "utf-8")
    return place


@pytest.fixture
def ask(root: Path) -> Callable[..., Recalled]:
    """Return a function that asks the project."""

    def asked(words: str, n: int = DEFAULT, **wanted: Any) -> Recalled:
        return recall(find_project(str(root)), words, n, Filters(**wanted))

    return asked


@pytest.fixture
def first(ask: Callable[..., Recalled]) -> Callable[..., Hit]:
    """Return a function that asks the project, and gives the best hit."""

    def best(words: str, **wanted: Any) -> Hit:
        return ask(words, **wanted).hits[0]

    return best
