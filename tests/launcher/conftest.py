"""A plugin of nothing but the launcher, and a directory with a Python to find."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core.packages.environment import interpreter
from tests.launcher.tiny_plugin import Plugin, make_plugin


@pytest.fixture
def plugin(tmp_path: Path, home: Path) -> Plugin:
    """Return a plugin in a path with a space, with nothing at all on PATH."""
    return make_plugin(tmp_path / "the plugin", home, str(tmp_path / "nothing"))


@pytest.fixture
def pythons(tmp_path: Path) -> Path:
    """Return a directory with `good/python3`, a link to this Python."""
    place = tmp_path / "pythons"
    (place / "good").mkdir(parents=True)
    (place / "good" / "python3").symlink_to(interpreter())
    return place
