"""Projects with a history of every kind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.recall.filters import Filters
from progress_plugin.recall.search import Hit
from progress_plugin.usecases.recalling.recall import DEFAULT_HITS, Answer, recall

EXAMPLES = json.loads((Path(__file__).with_name("data") / "examples.json").read_text("utf-8"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with an agent's log and a plan."""
    place = tmp_path / "harbour"
    shutil.copytree(Path(__file__).with_name("data") / "harbour", place)
    (place / ".git").mkdir()
    return place


@pytest.fixture
def ask(root: Path) -> Callable[..., Answer]:
    """Return a function that asks the project."""

    def asked(words: str, n: int = DEFAULT_HITS, **wanted: Any) -> Answer:
        return recall(find_project(str(root)), words, n, Filters(**wanted))

    return asked


@pytest.fixture
def first(ask: Callable[..., Answer]) -> Callable[..., Hit]:
    """Return a function that asks the project, and gives the best hit."""

    def best(words: str, **wanted: Any) -> Hit:
        return ask(words, **wanted)["hits"][0]

    return best
