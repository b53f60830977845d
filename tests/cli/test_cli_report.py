"""`report`: where the file goes, what is printed, what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

PAGE = ".agent-os/progress/report.html"


def test_the_page_is_written_into_our_directory(project: Path, run: Any) -> None:
    assert run("report") == (0, f"Written: {project / PAGE}\n", "")
    assert (project / PAGE).read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (project / ".agent-os/progress/.gitignore").is_file()


def test_a_named_file_is_replaced_if_it_is_a_report_or_empty(project: Path, run: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.touch()
    for _ in range(2):
        assert run("report", "--output", str(path))[0] == 0
        assert path.read_text("utf-8").endswith("</html>\n")
    assert not (project / ".agent-os").exists()


@pytest.mark.parametrize("name", ["prd.json", "progress.md", "notes.html"])
def test_no_other_file_is_overwritten(project: Path, run: Any, name: str) -> None:
    (project / "notes.html").write_text("<!DOCTYPE html>")
    before = (project / name).read_bytes()
    code, out, err = run("report", "--output", name)
    refusal = f"{project / name} is not a report of this program, so it is not overwritten"
    assert (code, out, err.count(refusal)) == (2, "", 1)
    assert (project / name).read_bytes() == before


def test_a_link_out_of_the_project_is_refused(project: Path, run: Any, tmp_path: Path) -> None:
    (project / PAGE).parent.mkdir(parents=True)
    (project / PAGE).symlink_to(tmp_path / "outside.html")
    code, _, err = run("report")
    assert (code, "is a link out of the project" in err) == (1, True)
    assert not (tmp_path / "outside.html").exists()


def test_the_data_is_one_object_and_nothing_is_written(project: Path, answer: Any) -> None:
    data = answer("report")
    assert (data["counts"]["done"], data["burn_up"]["points"][-1]["known"]) == (1, 3)
    assert not (project / ".agent-os").exists()


def test_open_starts_the_browser(project: Path, tmp_path: Path) -> None:
    program, seen = tmp_path / "browser", tmp_path / "seen"
    program.write_text(f"#!/bin/sh\necho \"$1\" > '{seen}'\n")
    program.chmod(0o755)
    main = str(REPOSITORY / "progress_plugin/__main__.py")
    variables = {"BROWSER": f"{program} %s", "HOME": str(tmp_path), "PATH": "/nowhere"}
    done = subprocess.run(
        [sys.executable, main, "report", "--open"], env=variables, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert seen.read_text() == f"{(project / PAGE).as_uri()}\n"


def test_an_empty_project_is_told_what_to_do_and_stays_empty(tmp_path: Path, run: Any) -> None:
    assert run("-C", str(tmp_path), "report")[2].startswith("agent-progress: nothing to report in ")
    assert list(tmp_path.iterdir()) == []
