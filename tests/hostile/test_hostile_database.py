"""A repository that names a database of its own as the user's memory."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.core.paths import database_path
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from tests.hooks.simulated_client import Hooks, Repository
from tests.memory.calls import mem_progress

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
GOAL = "Upload the deployment keys"


def filled(database: Path) -> Path:
    """Write a progress document for the project whose plan is called Lighthouse into a database."""
    place = MemoryLocation(database=str(database), root=None, names=("Lighthouse",))
    mem_progress(place, "Lighthouse", json.dumps({"goal": GOAL}), now=NOW)
    return database


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    place = Repository(tmp_path / "src/lighthouse")
    place.plan(done=4)
    (place.root / "deep").mkdir()
    (place.root / ".agent-os/progress").mkdir(parents=True)
    return place


PLACES = {
    "in the project": "{root}/deep/m.db",
    "relative": "deep/m.db",
    "by the process": "/proc/self/cwd/deep/m.db",
    "by the home": "~/../src/lighthouse/deep/m.db",
    "in a folder yet to be made": "{root}/none/yet/m.db",
}


@pytest.mark.parametrize("named", PLACES.values(), ids=PLACES)
def test_a_database_in_a_project_or_repository_is_nobodys_memory(
    clone: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(clone.root)
    monkeypatch.setenv("AGENT_PROGRESS_DB", named.format(root=clone.root))
    with pytest.raises(BadInput, match=r"AGENT_PROGRESS_DB names .* name a file outside, or unset it"):
        database_path()
    with pytest.raises(BadInput, match="AGENT_PROGRESS_DB"):
        memory_location()


def test_a_database_in_a_project_that_is_no_repository_is_refused_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "unpacked"
    root.mkdir()
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(root / "m.db"))
    with pytest.raises(BadInput, match="may not be yours"):
        memory_location(str(root))


@pytest.mark.parametrize("named", ["~/.hoofy/memory.db", "{home}/.engram/engram.db"])
def test_a_database_of_the_users_own_is_used(
    clone: Repository, home: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.chdir(clone.root)
    monkeypatch.setenv("AGENT_PROGRESS_DB", named.format(home=home))
    path = filled(Path(memory_location().database))
    assert path.is_relative_to(home)
    hooks = Hooks(clone.root)
    assert GOAL in hooks.start().context


def test_a_start_shows_no_document_of_a_database_that_the_repository_brought(
    clone: Repository, home: Path
) -> None:
    database = filled(clone.root / "deep/m.db")
    hooks = Hooks(clone.root)
    hooks.environment["AGENT_PROGRESS_DB"] = str(database)
    for _ in range(2):  # made, and from the cache
        answer = hooks.start()
        assert "4/14" in answer.context
        assert GOAL not in answer.context
    assert GOAL not in (clone.root / ".agent-os/progress/progress-summary.md").read_text()
