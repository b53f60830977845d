"""What stands in the way of a release is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.installed.built import build
from tests.release import broken, missing


def _git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def test_a_release_needs_a_dated_changelog_a_clean_tree_and_a_new_version(tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q")
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text("## [1.0.0] - Unreleased\n")
    assert [line.split()[0] for line in missing(tmp_path, "1.0.0")] == ["CHANGELOG.md", "the"]
    changelog.write_text("## [1.0.0] - 2026-03-01\n")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-qm", "release")
    assert missing(tmp_path, "1.0.0") == []
    _git(tmp_path, "tag", "v1.0.0")
    assert [line.split()[0] for line in missing(tmp_path, "1.0.0")] == ["v1.0.0"]


@pytest.mark.environment
@pytest.mark.slow
def test_a_wheel_that_cannot_be_installed_is_not_released(tmp_path: Path) -> None:
    built = build(REPOSITORY, tmp_path / "built", sys.executable)
    damaged = tmp_path / built.wheel.name
    damaged.write_bytes(built.wheel.read_bytes()[:100_000])
    found = list(broken((damaged,), tmp_path / "scratch"))
    assert [line.partition(",")[0] for line in found] == [damaged.name]
