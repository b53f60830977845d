"""What is no readable file in the place of a copy of the log stops no start: it is left out and named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.files import MAX_BYTES
from progress_plugin.log import backup
from tests.torture.workplace import Workplace

COPY = "recovery/progress-000001-20260102-00000000.json"
LATER = "recovery/progress-000009-20260102-00000000.json"
COPIES = (
    COPY, "recovery/original-vanished-20260102T000000Z.json", "recovery/original-returned-20260102T000000Z.json",
    "recovery/original-version-1-20260102T000000Z.json", "progress.json.corrupt-20260102T000000Z",
    "archive/2026-01.json.corrupt-20260102T000000Z",
)  # fmt: skip
SUMMARY = "progress-summary.md"


def folder(path: Path) -> None:
    """Make what a plain clone can bring: git carries no empty folder."""
    path.mkdir(parents=True)
    (path / "y").write_text("")


def pipe(path: Path) -> None:
    """Make what an archive can bring."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def huge(path: Path) -> None:
    """Make a file without blocks that is larger than any log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)


CASES = [(COPIES[1], folder), (COPIES[4], folder), (COPY, pipe), (COPY, huge), (SUMMARY, folder)]


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    found = Workplace(tmp_path / "lighthouse")
    found.plan(done=4)
    return found


def is_named(text: str, name: str) -> bool:
    return any(name in line and "move it" in line for line in text.splitlines())


@pytest.mark.parametrize("has_log", [False, True])
@pytest.mark.parametrize(("name", "make"), CASES, ids=lambda value: getattr(value, "__name__", value))
def test_a_start_tells_its_summary_and_names_what_was_left_out(
    place: Workplace, name: str, make: Callable[[Path], None], has_log: bool, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    make(place.ours / name)
    if has_log:
        assert place.log("lit the lamp") == 0
    assert "4/14" in place.context()
    context = place.context()
    assert "4/14" in context
    if name != SUMMARY:
        assert is_named(context, name), context
    capsys.readouterr()
    assert place.command("status") == 0
    assert is_named(capsys.readouterr().out, name)
    assert place.command("context") == 0
    assert place.log("coiled the ropes") == 0
    assert place.command("verify") == (1 if name != SUMMARY else 0)
    if name != SUMMARY:
        assert is_named(capsys.readouterr().out.replace(": move it", " move it"), name)
    assert place.command("repair") in (0, 1)
    assert [entry["data"]["description"] for entry in place.everything()][-1] == "coiled the ropes"
    assert (place.ours / name).exists()


@pytest.mark.parametrize("name", [COPY, SUMMARY])
def test_doctor_runs_all_the_same(place: Workplace, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder(place.ours / name)
    assert place.command("doctor") in (0, 1)
    assert name in capsys.readouterr().out


def test_it_is_named_until_it_is_gone(place: Workplace) -> None:
    folder(place.ours / COPY)
    assert is_named(place.context(), COPY)
    (place.ours / COPY / "y").unlink()
    (place.ours / COPY).rmdir()
    assert COPY not in place.context()


def test_the_copies_beside_it_still_count_and_are_kept_in_number(place: Workplace) -> None:
    assert place.log("lit the lamp") == 0
    assert place.log("coiled the ropes") == 0
    folder(place.ours / LATER)
    folder(place.ours / COPY)
    (place.ours / "progress.json").unlink()
    assert "a history of 2 entries is gone from here" in place.context()
    assert place.log("a log begun anew") == 0
    assert "a history of 2 entries is gone from here" in place.context()
    assert place.command("repair") == 0
    assert {entry["data"]["description"] for entry in place.everything()} == {
        "lit the lamp", "coiled the ropes", "a log begun anew",
    }  # fmt: skip
    for number in range(6):
        assert place.log(f"task {number}") == 0
    kept = [path for path in (place.ours / "recovery").glob("progress-*.json") if path.is_file()]
    assert len(kept) <= 4


def test_a_vanished_copy_that_could_not_be_read_is_not_taken_for_brought_back(place: Workplace) -> None:
    assert place.log("lit the lamp") == 0
    folder(place.ours / COPIES[1])
    assert place.command("repair") == 0
    assert (place.ours / COPIES[1]).is_dir()


@pytest.mark.parametrize("has_log", [False, True])
@pytest.mark.parametrize("name", ["progress.json", "project.json", "archive/2026-01.json"])
@pytest.mark.parametrize("make", [folder, huge])
def test_the_same_in_the_place_of_a_copy_outside_stops_nothing(
    place: Workplace, name: str, make: Callable[[Path], None], has_log: bool
) -> None:
    assert place.log("lit the lamp") == 0
    (outside,) = backup.folders_of_path(str(place.ours))
    Path(outside, name).unlink(missing_ok=True)
    make(Path(outside, name))
    if not has_log:
        (place.ours / "progress.json").unlink()
    assert "4/14" in place.context()
    assert place.command("status") == 0
    assert place.log("coiled the ropes") == 0


def test_something_else_where_the_summary_is_wanted_too_is_named(
    place: Workplace, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".config/agent-progress").mkdir(parents=True)
    (home / ".config/agent-progress/config.toml").write_text('summary_path = "docs/SUMMARY.md"\n')
    folder(place.root / "docs/SUMMARY.md")
    place.ours.mkdir(parents=True)
    assert "4/14" in place.context()
    assert place.command("status", "summarize") == 0
    assert is_named(capsys.readouterr().out, "docs/SUMMARY.md")
