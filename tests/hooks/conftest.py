"""Fixtures: a repository with our hooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_doors import Hooks, Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    return Repository(tmp_path / "lighthouse")


@pytest.fixture
def hooks(repository: Repository) -> Hooks:
    """Return the hooks of that repository."""
    return Hooks(repository.root)
