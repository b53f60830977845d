"""`agent-progress report`: where the file goes, what is printed, what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from tests.conftest import REPOSITORY


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a copy of the example."""
    place = tmp_path / "harbour"
    place.mkdir()
    for name in ("prd.json", "progress.md"):
        shutil.copy(REPOSITORY / "examples" / "harbour" / name, place / name)
    return place


def test_it_writes_into_our_directory_and_says_where(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(root), "report"]) == 0
    path = root / ".agent-os/progress/report.html"
    assert capsys.readouterr().out == f"Written: {path}\n"
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (root / ".agent-os/progress/.gitignore").is_file()


def test_it_writes_where_it_is_told_and_nowhere_else(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "told.html"
    assert main(["-C", str(root), "report", "--output", str(path)]) == 0
    assert path.read_text("utf-8").endswith("</html>\n")
    assert not (root / ".agent-os").exists()


@pytest.mark.parametrize("name", ["prd.json", "progress.md", ".agent-os/progress/progress.json"])
def test_no_file_of_somebody_else_is_overwritten(
    root: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        path.read_text("utf-8") if path.exists() else '{"version": "1.0", "entries": []}', "utf-8"
    )
    before = path.read_bytes()
    assert main(["-C", str(root), "report", "--output", str(path)]) == 2
    assert (
        capsys.readouterr().err.count(f"{path} is not a report of this program, so it is not overwritten")
        == 1
    )
    assert path.read_bytes() == before


def test_an_earlier_report_and_an_empty_file_are_replaced(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "told.html"
    path.touch()
    for _ in range(2):
        assert main(["-C", str(root), "report", "--output", str(path)]) == 0
        assert path.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_the_data_is_one_object_and_nothing_is_written(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(root), "report", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"]["done"] == 11
    assert told["burn_up"]["points"][-1] == {"when": "2026-03-30", "finished": 11, "known": 14}
    assert told["topics"][0]["statements"][0]["places"]
    assert not (root / ".agent-os").exists()


def test_open_hands_the_file_to_the_browser(root: Path, tmp_path: Path) -> None:
    program, seen = tmp_path / "browser", tmp_path / "seen"
    program.write_text(f"#!/bin/sh\necho \"$1\" > '{seen}'\n")
    program.chmod(0o755)
    done = subprocess.run(
        [
            sys.executable,
            str(REPOSITORY / "progress_plugin/__main__.py"),
            "-C",
            str(root),
            "report",
            "--open",
        ],
        env={"BROWSER": f"{program} %s", "HOME": str(tmp_path), "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    path = root / ".agent-os/progress/report.html"
    assert seen.read_text() == f"{path.as_uri()}\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_an_empty_project_is_told_what_to_do_and_stays_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(tmp_path), "report"]) == 1
    assert capsys.readouterr().err.startswith("agent-progress: nothing to report in ")
    assert list(tmp_path.iterdir()) == []


def test_a_link_that_leads_out_of_the_project_is_refused(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / ".agent-os" / "progress").mkdir(parents=True)
    outside = tmp_path / "outside.html"
    (root / ".agent-os/progress/report.html").symlink_to(outside)
    assert main(["-C", str(root), "report"]) == 1
    assert "is a link out of the project" in capsys.readouterr().err
    assert not outside.exists()
