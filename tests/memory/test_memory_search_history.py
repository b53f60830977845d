"""`mem_search` answers what the history says, too, and nobody takes it for observations."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.mcp.calls import TOOLS, call
from progress_plugin.text.tokens import estimate_tokens as estimate
from progress_plugin.usecases.memory.answer_text import search_text
from progress_plugin.usecases.memory.location import memory_location
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with an agent's log and one observation, which is the working directory."""
    place = tmp_path / "harbour"
    (place / ".git").mkdir(parents=True)
    (place / "progress.md").write_text(
        "# Progress Log\n\n## 2026-03-01 10:00 - US-001: Gate\n\n- The quay gate jams when it is shut twice in a row\n"
    )
    monkeypatch.chdir(place)
    mem_save(memory_location(), "Gate", "The gate is green", "decision", now=NOW)
    return place


def searched(query: str, **given: Any) -> dict[str, Any]:
    return mem_search(memory_location(), query, **given)


@pytest.mark.usefixtures("root")
def test_the_history_stands_beside_the_observations_and_has_no_ids() -> None:
    found = searched("gate")
    assert (found["count"], [one["content"] for one in found["observations"]]) == (1, ["The gate is green"])
    best = found["history"][0]
    assert (best["file"], best["line"]) == ("progress.md", 5)
    assert best["text"] == "The quay gate jams when it is shut twice in a row"
    assert all("id" not in one for one in found["history"])
    text = search_text(found)
    assert text.index("- 1 | decision | Gate") < text.index(
        "In the history, beside the observations:\nprogress.md:5 ("
    )


@pytest.mark.usefixtures("root")
def test_what_only_the_history_says_is_no_empty_answer() -> None:
    found = searched("jams twice")
    assert (found["count"], found["observations"]) == (0, [])
    assert search_text(found).startswith("In the history, beside the observations:\nprogress.md:5")


@pytest.mark.usefixtures("root")
def test_without_words_for_another_project_or_type_there_is_no_history() -> None:
    assert "history" not in searched("")
    assert "history" not in searched("gate", project="lighthouse")
    assert "history" not in searched("gate", kind="decision")
    assert "history" not in searched("nowhere")
    assert searched("gate", project="*")["history"]
    assert searched("gate", project="harbour")["history"]
    assert searched("gate", kind="other")["history"]


@pytest.mark.usefixtures("root")
def test_a_limit_holds_for_the_history_too() -> None:
    assert len(searched("gate", limit=1)["history"]) == 1


def test_a_history_that_cannot_be_searched_leaves_the_observations(root: Path) -> None:
    (root / ".agent-os/progress").mkdir(parents=True)
    (root / ".agent-os/progress/progress.json").mkdir()
    found = searched("gate")
    assert found["count"] == 1


def test_the_tool_gives_both_and_its_description_grew_by_less_than_twenty_tokens(root: Path) -> None:
    data, text = call("mem_search", {"query": "gate"}, {})
    assert data["history"][0]["file"] == "progress.md"
    assert str(root) not in json.dumps(data)
    assert "The quay gate jams" in text
    assert estimate(TOOLS["mem_search"].description) <= estimate("Find observations by words.") + 20
    assert [*TOOLS] == ["mem_progress", "mem_compact", "mem_save", "mem_search", "progress_log"]
