"""Projects at the beginning of their life: plain, in a linked worktree, after 600 entries."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.project_life import OURS, Life, earlier_entries
from tests.torture.figures import SECONDS


def _plain(place: Path) -> Life:
    return Life(place / "harbour")


def _in_a_worktree(place: Path) -> Life:
    life = Life(place / "harbour")
    life.commit("begin")
    life.git("worktree", "add", "-q", str(place / "annexe"), "-b", "side")
    life.root = place / "annexe"
    return life


def _after_600_entries(place: Path) -> Life:
    life = Life(place / "harbour")
    directory = life.root / OURS
    directory.mkdir(parents=True)
    document = {"version": "1.0", "project": "Harbour", "entries": earlier_entries(600)}
    (directory / ".gitignore").write_text("*\n", "utf-8")
    (directory / "progress.json").write_text(json.dumps(document), "utf-8")
    return life


_SETTINGS: dict[str, Callable[[Path], Life]] = {
    "plain": _plain,
    "in-a-linked-worktree": _in_a_worktree,
    "after-600-entries": _after_600_entries,
}


@pytest.fixture(params=[*_SETTINGS] if SECONDS else ["plain"])
def life(request: pytest.FixtureRequest, tmp_path: Path) -> Life:
    """Return a project at the beginning of its life, in one of the settings."""
    return _SETTINGS[request.param](tmp_path)


@pytest.fixture
def life_alone(tmp_path: Path) -> Life:
    """Return a plain project, for tests that do not depend on the kind of checkout."""
    return _plain(tmp_path)
