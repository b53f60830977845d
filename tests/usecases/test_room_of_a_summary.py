"""How much of the room that a summary may have it uses."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.summary.budget import limit
from progress_plugin.usecases.summarizing.compose import compose
from progress_plugin.usecases.summarizing.sources import read_sources

_AN_ITEM = 25
"""Tokens of a short item."""


@pytest.mark.parametrize("count", [60, 80, 100, 130])
def test_no_room_is_left_for_a_short_item_while_there_is_more_to_tell(tmp_path: Path, count: int) -> None:
    chance = random.Random(count)
    words = ["".join(chance.choices("aeioulmnrst", k=7)) for _ in range(10 * count)]
    lines = "\n".join(f"- The {' '.join(words[at : at + 10])}" for at in range(0, len(words), 10))
    (tmp_path / "progress.md").write_text(f"# Progress\n\n## 2026-03-01 - US-001: Berths\n\n{lines}\n")
    (tmp_path / ".git").mkdir()
    project = find_project(str(tmp_path))
    sources = read_sources(project, InputSnapshot(project.root))
    made = compose(sources, sources.config.effective)
    room = limit(made.tokens_before, sources.settings.max_context_tokens)
    assert room - _AN_ITEM < made.tokens_after <= room
