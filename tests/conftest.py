"""Fixtures for every test, and the guard that keeps tests out of the real home."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent
# How long an example takes tells of the machine, not of the code: nothing here is judged by the clock.
settings.register_profile("without-a-clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("without-a-clock")
_REAL_HOME = os.path.expanduser("~")
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def _refuse_writing_home(event: str, args: tuple[object, ...]) -> None:
    if event != "open" or not isinstance(args[0], str | bytes):
        return
    flags = args[2] if isinstance(args[2], int) else 0
    path = os.path.abspath(os.fsdecode(args[0]))
    inside = path.startswith(_REAL_HOME + os.sep) and not path.startswith(str(REPOSITORY) + os.sep)
    if inside and flags & _WRITE_FLAGS and "__pycache__" not in path:
        raise AssertionError(f"a test writes to the real home: {path}")


sys.addaudithook(_refuse_writing_home)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty home of its own, and an environment without our settings."""
    place = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("AGENT_PROGRESS_", "CLAUDE", "XDG_"))]:
        if name != "AGENT_PROGRESS_CORPUS":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return place


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the directory of real logs and plans, or skip where this checkout has none."""
    named = os.environ.get("AGENT_PROGRESS_CORPUS")
    place = Path(named) if named else REPOSITORY.parent / "shared" / "corpus"
    if not (place / "index.json").is_file():
        pytest.skip("THE CORPUS IS NOT HERE: set AGENT_PROGRESS_CORPUS to its directory to run this test")
    return place
