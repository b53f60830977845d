"""A workplace of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture.workplace import Workplace


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """Return a repository with a plan of fourteen stories, four of them done."""
    place = Workplace(tmp_path / "lighthouse")
    place.plan(done=4)
    return place
