"""Fixtures: a repository with our hooks, and one whose logs say something of its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_doors import Hooks, Repository
from recorded_files import LAMP, log, put, started


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    return Repository(tmp_path / "lighthouse")


@pytest.fixture
def hooks(repository: Repository) -> Hooks:
    """Return the hooks of that repository."""
    return Hooks(repository.root)


@pytest.fixture
def recorded(repository: Repository, hooks: Hooks) -> Hooks:
    """Return the hooks of a project in which a learning names a file; a session has begun."""
    log(repository, LAMP, "Paint never dries in fog")
    put(repository.root, "src/lamp.ts", "src/bell.ts")
    started(hooks)
    return hooks
