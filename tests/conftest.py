"""Fixtures for every test, and a guard that keeps tests out of the real home."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.torture.figures import SECONDS

REPOSITORY = Path(__file__).resolve().parent.parent
# Examples are the same in each run and have no deadline; `make torture` looks for new ones.
settings.register_profile(
    "repeatable", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=not SECONDS
)
settings.load_profile("repeatable")

# One cache of compiled modules for all processes of the tests, since each test has a home of its own.
if "PYTHONPYCACHEPREFIX" not in os.environ:
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="agent-progress-pycache-")
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)
PYCACHE = os.environ["PYTHONPYCACHEPREFIX"]
PYCACHE_FLAGS = ("-X", f"pycache_prefix={PYCACHE}")  # for processes with -I, which ignore the variable

_REAL_HOME = os.path.expanduser("~")
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def _refuse_writing_home(event: str, args: tuple[object, ...]) -> None:
    if event != "open" or not isinstance(args[0], str | bytes):
        return
    flags = args[2] if isinstance(args[2], int) else 0
    path = os.path.abspath(os.fsdecode(args[0]))
    is_inside = path.startswith(_REAL_HOME + os.sep) and not path.startswith(str(REPOSITORY) + os.sep)
    if is_inside and flags & _WRITE_FLAGS and "__pycache__" not in path:
        raise AssertionError(f"a test writes to the real home: {path}")


sys.addaudithook(_refuse_writing_home)


def link_pycache(home: Path) -> None:
    """Let the launcher find the compiled modules of the tests in a home."""
    place = home / ".cache/agent-progress/pycache"
    place.parent.mkdir(parents=True)
    place.symlink_to(PYCACHE)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give each test an empty home, which is removed after it, and an environment without our settings."""
    place = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("AGENT_PROGRESS_", "CLAUDE", "XDG_"))]:
        if name != "AGENT_PROGRESS_CORPUS":
            monkeypatch.delenv(name)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    yield place
    monkeypatch.undo()  # a test may have replaced functions that remove files
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the directory of real logs and plans, or skip if this checkout has none."""
    named = os.environ.get("AGENT_PROGRESS_CORPUS")
    place = Path(named) if named else REPOSITORY.parent / "shared" / "corpus"
    if not (place / "index.json").is_file():
        pytest.skip("THE CORPUS IS NOT HERE: set AGENT_PROGRESS_CORPUS to its directory to run this test")
    return place
