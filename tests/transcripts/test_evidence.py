"""What a transcript proves about a completed task: which checks ran after the last edit, and their results."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.summary.session_section import section
from progress_plugin.transcripts.events import CommandRun, FileEdit
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.evidence import VERIFIED, Completion, evidence_of
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, record_of_events

TURNS = json.loads(Path(__file__).with_name("scripted_turns.json").read_text("utf-8"))
"""More than forty turns in which a task is called done, with what their transcripts prove of it.

A step is `ask`, `new` or `edit` (file), `run` (command, exit code, output), `shell` (the same, and a file that it
changes on the disk), `agent` (steps of a sub-agent), and `done`, with the files that a commit names; the last
`done` is the one that is asked about.
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return find_project(str(root))


def written(told: ClaudeTranscript, steps: list[list[Any]]) -> list[Completion]:
    """Write the steps of a turn; return when tasks were called done in it."""
    done = []
    for kind, *given in steps:
        if kind == "ask":
            told.asks(given[0])
        elif kind in ("new", "edit"):
            told.writes(given[0], new=kind == "new")
        elif kind == "run":
            told.runs(*given)
        elif kind == "shell":
            *command, path = given
            told.runs(*command)
            (told.root / path).write_text("changed", "utf-8")
            while_it_ran = told.now.timestamp() - 10  # a record takes seven seconds
            os.utime(told.root / path, (while_it_ran, while_it_ran))
        elif kind == "agent":
            done += written_by_subagent(told, given[0])
        else:
            # The log's entries have no fractions of a second.
            done.append(Completion(told.now.replace(microsecond=0).timestamp(), tuple(given)))
            told.now += timedelta(seconds=2)
    return done


def written_by_subagent(told: ClaudeTranscript, steps: list[list[Any]]) -> list[Completion]:
    beside = told.path.parent / told.session / "subagents"
    beside.mkdir(parents=True, exist_ok=True)
    agent = ClaudeTranscript.at(beside / "agent-1.jsonl", told.root, told.session, sidechain=True)
    agent.now = told.now
    done = written(agent, steps)
    told.now = agent.now
    return done


def recorded(project: Project, told: ClaudeTranscript) -> SessionRecord:
    record = record_of(project, told)
    kept = SessionStore(project).records()[-1]  # as a later process finds it
    assert kept.steps == record.steps
    return kept


@pytest.mark.parametrize("turn", TURNS, ids=[turn["name"] for turn in TURNS])
def test_evidence_is_what_the_turn_proves(turn: dict[str, Any], project: Project, home: Path) -> None:
    told = ClaudeTranscript(home, Path(project.root), "first")
    done = written(told, turn["steps"])
    others = [each.when for each in done[:-1]]
    found = evidence_of(recorded(project, told).steps, done[-1], others)
    assert found is not None
    assert found.words() == turn["proves"]
    assert (found.state == VERIFIED) == turn["proves"].startswith("verified")


def test_of_a_session_whose_beginning_was_left_out_nothing_is_claimed() -> None:
    times = (f"2026-11-20T{9 + minute // 60:02}:{minute % 60:02}:00Z" for minute in range(400))
    record = record_of_events(*(CommandRun(when, f"pytest tests/t{when[14:16]}.py", 0) for when in times))
    first = record.steps[0].when
    assert len(record.steps) < 400
    assert evidence_of(record.steps, Completion(first - 600)) is None
    assert evidence_of(record.steps, Completion(first + 600)) is not None


def test_edits_of_one_file_in_a_row_take_two_places() -> None:
    record = record_of_events(
        *(FileEdit(f"2026-11-20T09:00:{second:02}Z", "/p/a.py") for second in range(60))
    )
    assert [step.when % 60 for step in record.steps] == [0, 59]


def test_an_edit_of_the_plan_outdates_no_check_in_what_a_start_tells(project: Project, home: Path) -> None:
    told = ClaudeTranscript(home, Path(project.root), "first")
    written(told, [["ask", "Add the tide table."], ["edit", "tides.py"], ["run", "pytest -q", 0, "3 passed"]])
    written(told, [["edit", "prd.json"]])
    assert "Checks: `pytest` passed\n" in section(recorded(project, told))
    written(told, [["edit", "src/tides.py"]])
    assert "Checks: `pytest` passed, before the last edit\n" in section(
        recorded(project, told),
    )
