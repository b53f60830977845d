"""What the log says does not change because it was archived: random logs, asked before and after.

Only what names the archive, or counts what is in it, may differ.
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

_STORIES = ("US-001", "US-002", "US-003", "US-004")
_TASKS = ("T-1", "T-2", "T-3")
_THINGS = ("harbour", "crane", "lamp", "mast")
"""What the stories of the plan build."""
_SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "ma", "ni", "po", "ru", "se", "ti", "vo", "wa", "ze")
_ASKED = (("status",), ("status", "--json"), ("recent",), ("context",))
_FIGURES = ("freshness", "sources", "updated")
_COUNT = re.compile(r"\d+ entr(?:y|ies) logged")
_OF_THE_FILES = re.compile(r"^(?:Summary: |Root ).*\n", re.MULTILINE)


class RandomLog:
    """A log of some weeks, as people, agents, signals and other clones write it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.entries: list[dict[str, Any]] = []
        self.now = datetime(2026, 1, 20, tzinfo=UTC)
        self.has_plan = self.chance.random() < 0.7
        for _ in range(self.chance.randint(6, 26)):
            self.now += timedelta(hours=self.chance.randint(1, 50))
            self.entries.append(self._entry(len(self.entries)))

    def plan(self) -> str:
        """Return a plan that some of the work has been ticked off in."""
        stories = [
            {"id": name, "title": f"Build the {word}", "passes": self.chance.random() < 0.3}
            for name, word in zip(_STORIES, _THINGS, strict=True)
        ]
        return json.dumps({"project": "Harbour", "userStories": stories})

    def moments(self) -> list[datetime]:
        """Return when the log is archived: somewhere in it, somewhere later, and as a whole."""
        begin = datetime(2026, 1, 20, tzinfo=UTC)
        length = int((self.now - begin).total_seconds())
        within = sorted(begin + timedelta(seconds=self.chance.randint(1, length)) for _ in range(2))
        return [*within, self.now + timedelta(seconds=1)]

    def _entry(self, place: int) -> dict[str, Any]:
        chance = self.chance
        kinds = {
            "task_completed": 6, "task_blocked": 3, "debug_resolved": 2, "milestone_reached": 3,
            "session_started": 1, "session_ended": 2, "scope_override": 1,
        }  # fmt: skip
        kind = chance.choices(list(kinds), list(kinds.values()))[0]
        entry: dict[str, Any] = {
            "id": f"entry-{place:03}",
            "timestamp": self.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "type": kind,
        }
        data: dict[str, Any] = {"description": self._sentence()}
        if kind.startswith("task") or chance.random() < 0.3:
            entry |= self._task(data)
        if chance.random() < 0.7:
            entry["branch"] = chance.choice(["main", "main", "main", "feature"])
        if chance.random() < 0.1:
            entry["writer"] = "host-b"
        if chance.random() < 0.35:
            data["next_steps"] = chance.choice([self._sentence(), [self._sentence(), self._sentence()]])
        if chance.random() < 0.2:
            data["learnings"] = [self._sentence()]
        if kind == "task_blocked":
            data["issue"] = self._sentence()
        if kind == "debug_resolved":
            data |= {"root_cause": self._sentence(), "resolution": self._sentence()}
        self._refer(entry, data)
        if "signal" in entry:
            data.pop("next_steps", None)
        return {**entry, "data": data}

    def _task(self, data: dict[str, Any]) -> dict[str, Any]:
        chance = self.chance
        if not (self.has_plan and chance.random() < 0.6):
            return {"task_id": chance.choice(_TASKS)}
        name = chance.choice(_STORIES)
        title = f"Build the {_THINGS[_STORIES.index(name)]}"
        data |= {"key": f"prd.json|{name}|done|1", "plan": "prd.json"}
        story = {"plan": "prd.json", "plan_id": "1", "title": title}
        if chance.random() < 0.3:
            data["description"] = title
            return {"task_id": name, "story": story, "signal": "plan"}
        return {"task_id": name, "story": story}

    def _refer(self, entry: dict[str, Any], data: dict[str, Any]) -> None:
        """Have some entries speak of earlier ones."""
        chance, way = self.chance, self.chance.random()
        blockers = [each for each in self.entries if each["type"] == "task_blocked"]
        over = {each["data"].get("resolves") for each in self.entries}
        over |= {each["data"].get("supplements") for each in self.entries if each["id"] in over}
        alike = [
            each
            for each in self.entries
            if each["type"] == entry["type"]
            and not {"retracts", "supplements"} & each["data"].keys()
            and each["id"] not in over
        ]
        if way < 0.1 and blockers:
            data["resolves"] = chance.choice(blockers)["id"]
        elif way < 0.3 and alike:
            target = chance.choice(alike)
            for name in ("key", "plan"):
                data.pop(name, None)
            data["supplements"] = target["id"]
            for name in ("task_id", "story", "branch", "writer"):
                entry.pop(name, None)
                if name in target:
                    entry[name] = target[name]
        elif way < 0.36 and self.entries:
            entry |= {"type": "scope_override"}
            data.clear()
            data |= {"retracts": chance.choice(self.entries)["id"], "reason": self._sentence()}

    def _sentence(self) -> str:
        words = ("".join(self.chance.choices(_SYLLABLES, k=4)) for _ in range(4))
        return f"The {' '.join(words)} holds"


def _answers(run: Run) -> dict[str, str]:
    told = {}
    for words in _ASKED:
        code, out, err = run(*words)
        assert (code, err) == (0, ""), words
        if "--json" in words:
            status = json.loads(out)
            out = json.dumps({name: status[name] for name in status if name not in _FIGURES}, indent=1)
        out = out.partition("## Key Learnings")[0]  # which statements are chosen goes by their age
        out = _COUNT.sub("entries logged", out)  # the archive counts corrections as entries
        told[" ".join(words)] = _OF_THE_FILES.sub("", out).replace(", its archive not counted,", ",")
    return told


@pytest.mark.parametrize("seed", range(3))
def test_status_recent_and_context_are_the_same_after_the_archive(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    log = RandomLog(seed)
    root = tmp_path / "harbour"
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    if log.has_plan:
        (root / "prd.json").write_text(log.plan())
    ours = root / ".agent-os/progress"
    ours.mkdir(parents=True)
    document = {"version": "1.0", "project": "Harbour", "entries": log.entries}
    (ours / "progress.json").write_text(json.dumps(document))
    monkeypatch.chdir(root)
    before = _answers(run)
    for moment in log.moments():
        archive_old(find_project(str(root)), moment, days=0, at_least=1)
        after = _answers(run)
        for words in after:
            assert after[words].splitlines() == before[words].splitlines(), f"{words}, {moment}"
