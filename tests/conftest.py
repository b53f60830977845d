"""Fixtures for every test, and the guard that keeps tests out of the real home."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.compiled import VARIABLES
from tests.torture.figures import SECONDS

REPOSITORY = Path(__file__).resolve().parent.parent
# How long an example takes tells of the machine, not of the code: nothing here is judged by the clock. Nor by luck:
# the examples are the same each time, and `make torture` looks for new ones.
settings.register_profile(
    "without-clock-or-luck",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not SECONDS,
)
settings.load_profile("without-clock-or-luck")
os.environ |= VARIABLES
_REAL_HOME = os.path.expanduser("~")
_DONE_AGAIN = {"clients", "corpus", "documents", "fuzz", "hostile", "installed", "torture"}
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


STARTS_PROCESSES = ("tests/journeys/", "tests/team/", "tests/torture/", "tests/hostile/", "tests/hooks/")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the first and the last variant of each test that starts processes, so that a run ends in an hour."""
    if SECONDS:
        return
    variants: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.nodeid.startswith(STARTS_PROCESSES) and "[" in item.nodeid:
            variants.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = {item for found in variants.values() for item in found[1:-1]}
    if left_out:
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give each test an empty home of its own, and an environment without our settings.

    It goes with its test: seven thousand of them, some with an environment of packages, were 11 GB.
    """
    place = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("AGENT_PROGRESS_", "CLAUDE", "XDG_"))]:
        if name != "AGENT_PROGRESS_CORPUS":
            monkeypatch.delenv(name)
    # Where a machine sets it, each process of a test would compile its 200 modules and 150 patterns anew.
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    yield place
    monkeypatch.undo()  # a test may have replaced what removes files
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(autouse=True)
def _processes_measured_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave coverage out of processes that only do again, under attack or elsewhere, what others measure.

    It more than doubles what a command costs, and this suite starts tens of thousands of them.
    """
    setting = getattr(request.node, "callspec", None) and request.node.callspec.params.get("life")
    room = request.path.relative_to(REPOSITORY / "tests").parts[0]
    if room in _DONE_AGAIN or setting not in {None, "plain"}:
        for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
            monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the directory of real logs and plans, or skip where this checkout has none."""
    named = os.environ.get("AGENT_PROGRESS_CORPUS")
    place = Path(named) if named else REPOSITORY.parent / "shared" / "corpus"
    if not (place / "index.json").is_file():
        pytest.skip("THE CORPUS IS NOT HERE: set AGENT_PROGRESS_CORPUS to its directory to run this test")
    return place
