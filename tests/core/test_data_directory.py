"""Our directory in a project, and what git sees of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, DiskRefused, Refused

FILES = (
    "progress.json", "progress.md", "progress-summary.md", "lock", "config.toml", "archive/2026-01.json",
    "templates/progress-summary.md.j2", "recovery/progress-000001-20260105-00000000.json", "summaries/a.md",
    "shared/host-b/2026-01/entry-1.0123456789ab.json", "shared/host-b/2026-01/.agent-progress-entry-1.tmp",
)  # fmt: skip
SETTINGS = ["config.toml", "templates/progress-summary.md.j2"]
ENTRY = "shared/host-b/2026-01/entry-1.0123456789ab.json"


@pytest.mark.parametrize(("share", "expected"), [(False, SETTINGS), (True, sorted([*SETTINGS, ENTRY]))])
def test_git_sees_settings_and_only_if_shared_the_files_of_entries(
    tmp_path: Path, share: bool, expected: list[str]
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    ours = tmp_path / ".agent-os" / "progress"
    for name in FILES:
        (ours / name).parent.mkdir(parents=True, exist_ok=True)
        (ours / name).write_text("x")
    data_directory.prepare(str(ours))
    data_directory.prepare(str(ours), share=share)
    subprocess.run(["git", "-C", tmp_path, "add", "-A"], check=True)
    listed = subprocess.run(["git", "-C", ours, "ls-files"], check=True, capture_output=True, text=True)
    assert listed.stdout.split() == expected


def test_an_ignore_file_of_the_user_is_kept(tmp_path: Path) -> None:
    (tmp_path / ".agent-os/progress").mkdir(parents=True)
    (tmp_path / ".agent-os/progress/.gitignore").write_text("mine\n")
    data_directory.prepare(str(tmp_path / ".agent-os/progress"))
    assert (tmp_path / ".agent-os/progress/.gitignore").read_text() == "mine\n"


def test_a_link_out_of_the_project_and_a_file_in_its_place_are_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root/.agent-os").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match="is a link out of the project; remove the link"):
        data_directory.prepare(str(tmp_path / "root/.agent-os/progress"))
    assert list((tmp_path / "outside").iterdir()) == []
    (tmp_path / ".agent-os").write_text("a file")
    with pytest.raises(BadInput, match="is not a directory"):
        data_directory.prepare(str(tmp_path / ".agent-os/progress"))


def test_a_project_that_was_removed_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(DiskRefused, match="cannot make"):
        data_directory.prepare(str(tmp_path / "gone/.agent-os/progress"))
    assert not (tmp_path / "gone").exists()
