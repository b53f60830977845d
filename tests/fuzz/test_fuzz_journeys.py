"""Whatever stands in a file, an input or an argument: output valid, under the cap, nothing lost.

What fuzzes at length is `tests.fuzz.campaign`; here is the short form, the same inputs each time.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.conftest import REPOSITORY
from tests.fuzz.campaign import folder_of, kinds
from tests.fuzz.journeys import Arena
from tests.fuzz.readers import Journey
from tests.fuzz.shapes import REPEATED, SHAPES, Repeated
from tests.hostile.growth import grows_with_its_input
from tests.torture.figures import LONG_FORM, SECONDS

FOUND = Path(__file__).parent / "found"
SHORT = settings(
    max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
)
FEW = settings(SHORT, max_examples=2)
PARTS = 15
"""Of a repeated structure at first; doubled three times."""
LONG = settings(SHORT, max_examples=500, derandomize=False)


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Return a project to put things into."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "")
    monkeypatch.setenv("AGENT_PROGRESS_NO_INSTALL", "1")
    return Arena(tmp_path / "arena")


@pytest.mark.parametrize("name", SHAPES)
def test_nothing_that_looks_right_and_is_not_does_any_harm(arena: Arena, name: str) -> None:
    journey, tried = arena.journeys()[name], 0
    begun = time.monotonic()
    end = begun + SECONDS

    def counted(data: bytes) -> None:
        nonlocal tried
        journey(data)
        tried += 1

    SHORT(given(SHAPES[name])(counted))()
    while time.monotonic() < end:
        LONG(given(SHAPES[name])(counted))()
    assert tried


@pytest.mark.parametrize("name", REPEATED)
def test_nothing_of_which_there_is_more_takes_more_than_so_many_times_the_work(
    arena: Arena, name: str
) -> None:
    journey, tried = arena.journeys()[name], 0
    begun = time.monotonic()
    end = begun + SECONDS

    def grown(structure: Repeated) -> None:
        nonlocal tried
        steep = grows_with_its_input(journey, structure.times, PARTS)
        assert not steep, f"{structure}: {steep}"
        tried += 1

    FEW(given(REPEATED[name])(grown))()
    while time.monotonic() < end:
        LONG(given(REPEATED[name])(grown))()
    assert tried


@pytest.mark.parametrize(
    "path", sorted(FOUND.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_what_was_found_once_is_not_found_again(arena: Arena, path: Path) -> None:
    _named(arena, path.parent.name)(path.read_bytes())


def _named(arena: Arena, folder: str) -> Journey:
    return next(journey for name, journey in kinds(arena).items() if folder_of(name) == folder)


@LONG_FORM
@pytest.mark.parametrize("name", SHAPES)
def test_a_fuzzer_that_follows_the_branches_finds_nothing(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("NO GUIDED FUZZING HERE: atheris has no wheel for this platform or Python")
    seconds = max(int(SECONDS), 1)
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(tmp_path / "arena"), str(seconds)]
    environment = {**os.environ, "HOME": str(tmp_path), "AGENT_PROGRESS_NO_INSTALL": "1"}
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, env=environment, timeout=seconds + 120
    )
    errors = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, errors[-6000:]
