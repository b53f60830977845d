"""Archiving changes no answer: random logs are asked before and after it.

Only answers that name the archive or count its entries may differ.
"""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.usecases.upkeep import archive_old
from tests.cli.conftest import Run

STORIES = {"US-001": "harbour", "US-002": "crane", "US-003": "lamp", "US-004": "mast"}
TYPES = ("task_completed", "task_completed", "task_blocked", "milestone_reached", "debug_resolved")
BEGIN = datetime(2026, 1, 20, tzinfo=UTC)
COUNTS = re.compile(r"\d+ entr(?:y|ies) logged")  # the archive counts corrections as entries
FILES = re.compile(r"^(?:Summary: |Root ).*\n", re.MULTILINE)


def random_entries(chance: random.Random) -> list[dict[str, Any]]:
    """Return a log of some weeks: work on stories and tasks, blockers, and entries that resolve or retract them."""
    entries: list[dict[str, Any]] = []
    when = BEGIN
    for number in range(chance.randint(8, 26)):
        when += timedelta(hours=chance.randint(1, 50))
        kind, task = chance.choice(TYPES), chance.choice([*STORIES, "T-1", "T-2"])
        words = " ".join("".join(chance.choices("bdfgklmnprst", k=5)) for _ in range(4))
        data: dict[str, Any] = {"description": f"The {words} holds"}
        if kind == "task_blocked":
            data["issue"] = f"No {words}"
        if chance.random() < 0.3:
            data |= {"next_steps": f"Lift the {words}", "learnings": [f"Never lift the {words} alone"]}
        blockers = [each["id"] for each in entries if each["type"] == "task_blocked"]
        if blockers and chance.random() < 0.2:
            data["resolves"] = chance.choice(blockers)
        if entries and chance.random() < 0.1:
            kind, data = "scope_override", {"retracts": chance.choice(entries)["id"], "reason": words}
        entry = {"id": f"entry-{number:03}", "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "type": kind}
        story = {"story": {"plan": "prd.json", "title": STORIES[task]}} if task in STORIES else {}
        branch = chance.choice(["main", "main", "feature"])
        entries.append({**entry, "task_id": task, **story, "branch": branch, "data": data})
    return entries


def answers(run: Run) -> list[str]:
    """Return what commands print, without the parts that may differ."""
    shown = [run(*words)[1] for words in (["status"], ["recent"], ["context"])]
    status = json.loads(run("status", "--json")[1])
    shown.append(
        json.dumps(
            {name: status[name] for name in status.keys() - {"freshness", "sources", "updated"}},
            sort_keys=True,
        )
    )
    # which statements are chosen goes by their age
    texts = (
        FILES.sub("", COUNTS.sub("entries logged", text.partition("## Key Learnings")[0])) for text in shown
    )
    return [text.replace(", its archive not counted,", ",") for text in texts]


@pytest.mark.parametrize("seed", range(3))
def test_status_recent_and_context_are_the_same_after_the_archive(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    chance = random.Random(seed)
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    if seed:
        plan = [{"id": name, "title": title, "passes": False} for name, title in STORIES.items()]
        (root / "prd.json").write_text(json.dumps({"project": "Harbour", "userStories": plan}))
    entries = random_entries(chance)
    (root / ".agent-os/progress").mkdir(parents=True)
    document = {"version": "1.0", "project": "Harbour", "entries": entries}
    (root / ".agent-os/progress/progress.json").write_text(json.dumps(document))
    monkeypatch.chdir(root)
    before = answers(run)
    for days in (5, 15, 60):
        archive_old(find_project(str(root)), BEGIN + timedelta(days=days), days=0, at_least=1)
        assert answers(run) == before, days
