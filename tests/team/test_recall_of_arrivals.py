"""A question to the history finds what git has brought, without a start before it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.usecases.recalling.answer_text import notes
from progress_plugin.usecases.recalling.recall import recall
from tests.team.clones import OURS, Clone, begun, cloned

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


def test_a_question_that_may_write_nothing_into_the_log_says_what_it_left_out(
    ours: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = cloned(ours, tmp_path, "fresh")
    monkeypatch.setenv("AGENT_PROGRESS_READ_ONLY", "1")
    [told] = notes(recall(find_project(str(fresh.root)), "tide"))
    assert told.startswith(_LEFT)
    assert not (fresh.root / OURS / "progress.json").exists()
