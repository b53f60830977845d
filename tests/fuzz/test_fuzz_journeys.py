"""Whatever stands in a file, an input or an argument: output valid, under the cap, nothing lost (S16.2).

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
from tests.torture.figures import SECONDS, Kept

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
def test_nothing_that_looks_right_and_is_not_does_any_harm(arena: Arena, name: str, kept: Kept) -> None:
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
    kept(
        "Whatever stands in a file, an input or an argument, output is valid, short and complete",
        "S9.1, S9.2, S16.2",
        inputs_tried=tried,
        failures=0,
        seconds=round(time.monotonic() - begun),
    )


@pytest.mark.parametrize("name", REPEATED)
def test_nothing_of_which_there_is_more_takes_more_than_so_many_times_the_work(
    arena: Arena, name: str, kept: Kept
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
    kept(
        "Whatever there is more of, the work grows no faster", "S16.2",
        inputs_tried=4 * tried, failures=0, seconds=round(time.monotonic() - begun),
    )  # fmt: skip


@pytest.mark.parametrize(
    "path", sorted(FOUND.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_what_was_found_once_is_not_found_again(arena: Arena, path: Path, kept: Kept) -> None:
    _named(arena, path.parent.name)(path.read_bytes())
    kept("What fuzzing found once is not found again", "S16.2", inputs_kept=1, failures=0)


def _named(arena: Arena, folder: str) -> Journey:
    return next(journey for name, journey in kinds(arena).items() if folder_of(name) == folder)


@pytest.mark.long_form
@pytest.mark.parametrize("name", SHAPES)
def test_a_fuzzer_that_follows_the_branches_finds_nothing(name: str, tmp_path: Path, kept: Kept) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("NO GUIDED FUZZING HERE: atheris has no wheel for this platform or Python")
    seconds, begun = max(int(SECONDS), 1), time.monotonic()
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(tmp_path / "arena"), str(seconds)]
    environment = {**os.environ, "HOME": str(tmp_path), "AGENT_PROGRESS_NO_INSTALL": "1"}
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, env=environment, timeout=seconds + 120
    )
    errors = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, errors[-6000:]
    runs = int(errors.rpartition("Done ")[2].split()[0])
    kept(
        "A fuzzer that follows the branches finds nothing more", "S16.2",
        inputs_tried=runs, failures=0, seconds=round(time.monotonic() - begun),
    )  # fmt: skip
