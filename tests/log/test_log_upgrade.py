"""A project that the first edition has written is read and continued, and nothing is lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.main import main
from progress_plugin.core.paths import flat_name

WRITTEN = Path(__file__).parent / "data" / "written_by_the_first_edition"


class Upgraded:
    """The project at a new place, worked on by commands."""

    def __init__(self, root: Path, home: Path, printed: pytest.CaptureFixture[str]) -> None:
        self.root, self.ours, self._printed = root, root / ".agent-os/progress", printed
        shutil.copytree(WRITTEN / "progress", self.ours)
        shutil.copy(WRITTEN / "prd.json", root)
        shutil.copytree(
            WRITTEN / "copies", home / ".local/share/agent-progress/logs" / flat_name(str(root.resolve()))
        )

    def run(self, *words: str) -> tuple[int, str]:
        code = main(["-C", str(self.root), *words])
        return code, self._printed.readouterr().out

    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.run("recent", "--json", "-n", "100")[1])["entries"]
        return found


@pytest.fixture
def project(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> Upgraded:
    return Upgraded(tmp_path / "lighthouse", home, capsys)


def test_everything_that_was_known_is_known(project: Upgraded) -> None:
    before = json.loads((WRITTEN / "recent.json").read_bytes())["entries"]
    now = {entry["id"]: entry for entry in project.entries()}
    assert now.keys() == {entry["id"] for entry in before}
    for entry in before:
        data = now[entry["id"]]["data"]
        assert {name: data.get(name) for name in entry["data"]} == entry["data"]
    status = project.run("status")[1]
    assert "1/3 complete (33%)" in status
    assert "US-002: Fog horn - No compressor" in status


def test_it_is_continued(project: Upgraded) -> None:
    before = {entry["id"] for entry in project.entries()}
    assert project.run("log", "task_completed", "--task", "US-002", "-m", "Horn sounds")[0] == 0
    assert before < {entry["id"] for entry in project.entries()}
    assert "Blocked:" not in project.run("status")[1]
    document = json.loads((project.ours / "progress.json").read_bytes())
    assert document["plugins"] == {"kept": [1]}
    assert document["metadata"]["archived_entries"] == 11
    assert project.run("verify") == (0, "Log and archive are in order.\n")


def test_the_copies_outside_bring_it_back_without_what_was_erased(project: Upgraded) -> None:
    before = {entry["id"] for entry in project.entries()}
    shutil.rmtree(project.ours)
    assert project.run("repair")[0] == 0
    assert before == {entry["id"] for entry in project.entries()}
    assert "Secret told" not in (project.ours / "progress.json").read_text()


def test_after_the_first_write_its_copies_bring_all_back(project: Upgraded) -> None:
    assert project.run("log", "milestone_reached", "-m", "Painted")[0] == 0
    before = {entry["id"] for entry in project.entries()}
    for name in ("progress.json", "recovery"):
        path = project.ours / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert project.run("repair")[0] == 0
    assert before == {entry["id"] for entry in project.entries()}
