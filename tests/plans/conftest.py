"""A shorthand for reading plans that stand nowhere on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from progress_plugin.model.story import Plan
from progress_plugin.plans.reader import read_plan

ReadJson = Callable[..., Plan | None]


@pytest.fixture
def plan_of() -> Callable[..., Plan]:
    """Return a reader of one file, by path and content, that finds the given siblings."""

    def read(path: str, content: Any, **siblings: Any) -> Plan:
        files = {name.replace("__", "/"): value for name, value in siblings.items()}
        plan = read_plan(
            path, _bytes(content), lambda sibling: _bytes(files[sibling]) if sibling in files else None
        )
        assert plan is not None
        return plan

    return read


def _bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()
