"""A question to the history finds what git has brought, without a start before it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.recalling.answer_text import notes
from progress_plugin.usecases.recalling.recall import recall
from tests.team.clones import OURS, SHARED, Clone, begun, cloned, planned

_LEFT = "Not all that git has brought of others' history was searched"


@pytest.fixture
def ours(tmp_path: Path) -> Clone:
    """Return a clone with one entry, committed."""
    clone = begun(tmp_path, "ours")
    clone.log("Berths are listed by tide", task="US-001")
    clone.commit()
    return clone


def test_a_fresh_clone_is_asked_before_any_start(ours: Clone, tmp_path: Path) -> None:
    fresh = cloned(ours, tmp_path, "fresh")
    assert "Berths are listed by tide" in fresh.run("recall", "tide")
    assert list(fresh.said()) == ["Berths are listed by tide"]


def test_what_a_pull_brings_is_found_by_the_next_question(ours: Clone, tmp_path: Path) -> None:
    theirs = cloned(ours, tmp_path, "theirs")
    assert "Nothing in the history fits" in theirs.run("recall", "lighthouse", status=1)
    ours.log("The lighthouse burns gas", task="US-002")
    ours.commit()
    theirs.git("pull", "-q")
    told = json.loads(theirs.run("recall", "lighthouse", "--json"))
    assert [hit["stories"] for hit in told["hits"]] == [["US-002"]]
    assert told["notes"] == []


def test_a_question_is_told_what_status_tells_of_a_story_and_who_wrote(ours: Clone, tmp_path: Path) -> None:
    theirs = cloned(ours, tmp_path, "theirs")
    planned(theirs)
    theirs.log("The crane stands", task="US-002", next="paint the crane", learning="Cranes rust in salt")
    theirs.commit()
    ours.git("pull", "-q", str(theirs.root), "main")
    [crane] = json.loads(ours.run("recall", "paint the crane", "-n", "1", "--json"))["hits"]
    name = crane["writer"]
    assert name
    assert crane["story_status"] == "active"  # of one day, the plan wins
    assert f"US-002 active, pattern, by {name}): Cranes rust" in ours.run("recall", "salt rust")
    asked = ours.run("recall", "--story", "US-001", "tide")
    assert "US-001 active, other): Berths are listed by tide" in asked
    assert "0 of 3 stories done, 3 open" in ours.run("recall", "stories done", "Story 2", "-n", "9")


def test_what_there_was_no_time_to_take_in_is_said(ours: Clone, tmp_path: Path) -> None:
    fresh = cloned(ours, tmp_path, "fresh")
    with lock_of(find_project(str(fresh.root)), 5.0):
        assert fresh.run("recall", "tide", status=1).splitlines()[-1].startswith(_LEFT)
        assert json.loads(fresh.run("recall", "tide", "--json", status=1))["notes"][-1].startswith(_LEFT)
    assert _LEFT not in fresh.run("recall", "tide")


def test_a_question_that_may_write_nothing_into_the_log_says_what_it_left_out(
    ours: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = cloned(ours, tmp_path, "fresh")
    monkeypatch.setenv("AGENT_PROGRESS_READ_ONLY", "1")
    [told] = notes(recall(find_project(str(fresh.root)), "tide"))
    assert told.startswith(_LEFT)
    assert not (fresh.root / OURS / "progress.json").exists()


def test_a_project_that_does_not_share_is_told_nothing_of_it(ours: Clone, tmp_path: Path) -> None:
    fresh = cloned(ours, tmp_path, "fresh")
    shutil.rmtree(fresh.root / SHARED)
    assert _LEFT not in fresh.run("recall", "tide", status=1)
    (fresh.root / OURS / "config.toml").write_text("share = false\n", "utf-8")
    fresh.git("checkout", "-q", "--", str(SHARED))
    assert _LEFT not in fresh.run("recall", "tide", status=1)
