"""The wheel and the sdist of this checkout, and the tracked files that they are made of."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY
from tests.installed.built import Built, build


@pytest.fixture(scope="session")
def tracked() -> frozenset[str]:
    """Return the names of the files that git keeps or would keep, below the repository."""
    listed = subprocess.run(
        ["git", "-C", str(REPOSITORY), "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    )
    return frozenset(name for name in listed.stdout.splitlines() if (REPOSITORY / name).is_file())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return what `python -m build` makes here: the sdist of the checkout, the wheel of the sdist."""
    return build(REPOSITORY, tmp_path_factory.mktemp("built"), sys.executable)
