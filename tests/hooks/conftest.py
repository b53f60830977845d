"""A repository with our hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks.simulated_client import Hooks, Repository

LOG = """# Progress Log

## 2026-03-01 - US-001: Light the lamp
- Lit the lamp
- **Learnings:**
  - The fog bell rings at dusk
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    return Repository(tmp_path / "lighthouse")


@pytest.fixture
def logged(repository: Repository) -> Repository:
    """Return the repository with an agent's log in it."""
    repository.write("progress.md", LOG)
    return repository


@pytest.fixture
def hooks(repository: Repository) -> Hooks:
    """Return the hooks of that repository."""
    return Hooks(repository.root)
