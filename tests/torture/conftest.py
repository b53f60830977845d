"""A workplace of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture.figures import kept
from tests.torture.workplace import Workplace

__all__ = ["kept"]


@pytest.fixture(autouse=True)
def _unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave coverage out of the processes started here: it writes files of its own, where none may be written."""
    for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """Return a repository with a plan of fourteen stories, four of them done."""
    place = Workplace(tmp_path / "lighthouse")
    place.plan(done=4)
    return place
