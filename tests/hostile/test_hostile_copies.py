"""An unreadable file in the place of a copy of the log is skipped and named; the start goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.files import MAX_BYTES
from progress_plugin.log import backup
from tests.torture.workplace import Workplace

SUMMARY = "progress-summary.md"


def folder(path: Path) -> None:
    """Make a folder with a file, as a clone can bring it: git has no empty folders."""
    path.mkdir(parents=True)
    (path / "y").write_text("")


def pipe(path: Path) -> None:
    """Make a named pipe, as an unpacked archive can bring it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def huge(path: Path) -> None:
    """Make a file without blocks that is larger than any log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    found = Workplace(tmp_path / "lighthouse")
    found.plan(done=4)
    return found


@pytest.mark.parametrize("make", [folder, pipe, huge])
def test_a_start_tells_its_summary_and_names_what_is_in_its_place(
    place: Workplace, make: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    make(place.ours / SUMMARY)
    assert "4/14" in place.context()
    assert place.log("lit the lamp") == 0
    capsys.readouterr()
    place.command("status", "summarize")
    assert SUMMARY in capsys.readouterr().out
    assert place.command("verify") == 0
    assert (place.ours / SUMMARY).exists()


@pytest.mark.parametrize(("name", "make"), [("progress.json", huge), ("earlier.jsonl", folder)])
def test_the_same_in_the_place_of_a_copy_outside_stops_nothing(
    place: Workplace, name: str, make: Callable[[Path], None]
) -> None:
    assert place.log("lit the lamp") == 0
    (outside,) = backup.folders_of_path(str(place.ours))
    Path(outside, name).unlink(missing_ok=True)
    make(Path(outside, name))
    (place.ours / "progress.json").unlink()
    assert "4/14" in place.context()
    assert place.command("status") == 0
    assert place.log("coiled the ropes") == 0
    assert place.command("repair") in (0, 1)
    assert "coiled the ropes" in [entry["data"]["description"] for entry in place.everything()]
