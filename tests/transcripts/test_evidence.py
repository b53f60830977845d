"""What a transcript proves of a task that was called done: which checks ran after the last edit, and how."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.transcripts.evidence import Completion, evidence_of
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_section import section
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.timeline import RAN, WROTE, Timeline
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of
from tests.transcripts.scripted_turns import PASS, TURNS, Step, Turn


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return find_project(str(root))


def written(told: ClaudeTranscript, steps: list[Step]) -> list[Completion]:
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


def written_by_subagent(told: ClaudeTranscript, steps: list[Step]) -> list[Completion]:
    beside = told.path.parent / told.session / "subagents"
    beside.mkdir(parents=True, exist_ok=True)
    (beside / "agent-1.meta.json").write_text(json.dumps({"agentType": "test-runner"}), "utf-8")
    agent = ClaudeTranscript.at(beside / "agent-1.jsonl", told.root, told.session, sidechain=True)
    agent.now = told.now
    done = written(agent, steps)
    told.now = agent.now
    return done


def recorded(project: Project, told: ClaudeTranscript) -> SessionRecord:
    record = record_of(project, told)
    kept = SessionStore(project).records()[-1]  # as a later process finds it
    assert kept.timeline.ordered() == record.timeline.ordered()
    return kept


@pytest.mark.parametrize("turn", TURNS, ids=[turn.name for turn in TURNS])
def test_evidence_is_what_the_turn_proves(turn: Turn, project: Project, home: Path) -> None:
    told = ClaudeTranscript(home, Path(project.root), "first")
    done = written(told, turn.steps)
    others = [each.when for each in done[:-1]]
    found = evidence_of(recorded(project, told).timeline, done[-1], others)
    assert found is not None
    assert found.words() == turn.proves
    assert found.is_proof == turn.proves.startswith("verified")


def test_forty_turns_are_scripted() -> None:
    assert len({turn.name for turn in TURNS}) == len(TURNS) >= 40


def test_of_a_session_whose_beginning_was_left_out_nothing_is_claimed() -> None:
    timeline = Timeline()
    for minute in range(400):
        timeline.add(
            RAN, f"2026-11-20T{9 + minute // 60:02}:{minute % 60:02}:00Z", f"pytest tests/t{minute}.py"
        )
    first = timeline.ordered()[0].when
    assert len(timeline.steps) < 400
    assert evidence_of(timeline, Completion(first - 600)) is None
    assert evidence_of(timeline, Completion(first + 600)) is not None


def test_edits_of_one_file_in_a_row_take_two_places() -> None:
    timeline = Timeline()
    for second in range(60):
        timeline.add(WROTE, f"2026-11-20T09:00:{second:02}Z", "tides.py")
    assert [step.when % 60 for step in timeline.ordered()] == [0, 59]


def test_of_a_timeline_that_cannot_be_read_nothing_is_claimed() -> None:
    for kept in ({}, {"since": 0, "steps": [["ran"]]}, {"since": 0, "steps": 3}, "made up"):
        assert evidence_of(Timeline(kept), Completion(1_800_000_000.0)) is None


def test_an_edit_of_the_plan_outdates_no_check_in_what_a_start_tells(project: Project, home: Path) -> None:
    told = ClaudeTranscript(home, Path(project.root), "first")
    written(told, [("ask", "Add the tide table."), ("edit", "tides.py"), PASS, ("edit", "prd.json")])
    assert "Checks: `pytest` passed\n" in section(recorded(project, told))
    written(told, [("edit", "src/tides.py")])
    assert "Checks: `pytest` passed, before the last edit\n" in section(
        recorded(project, told), running=False, in_log=None
    )
