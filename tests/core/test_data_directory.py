"""Our directory ignores itself (core.data_directory)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Refused


def tracked(root: Path) -> list[str]:
    """Return what `git add -A` would take."""
    subprocess.run(["git", "-C", root, "add", "-A"], check=True)
    listed = subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True)
    return listed.stdout.split()


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A repository whose our directory holds one of everything."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    ours = tmp_path / ".agent-os" / "progress"
    for name in (
        "progress.json", "progress.md", "progress-summary.md", "lock", "start.cache", "config.toml",
        "templates/progress-summary.md.j2", "archive/2026-01.json", "archive/index.json", "archive/moving.json",
        "recovery/progress-000001-20260105-00000000.json", "progress.json.corrupt-20260105T000000Z", "summaries/a.md",
    ):  # fmt: skip
        (ours / name).parent.mkdir(parents=True, exist_ok=True)
        (ours / name).write_text("x")
    return ours


def test_git_sees_only_what_the_user_writes_in_it(ours: Path) -> None:
    data_directory.prepare(str(ours))
    assert tracked(ours.parent.parent) == [
        ".agent-os/progress/config.toml",
        ".agent-os/progress/templates/progress-summary.md.j2",
    ]


def test_shared_git_sees_the_files_of_entries_and_never_the_log(ours: Path) -> None:
    entry = ours / "shared/host-b/2026-01/entry-1.0123456789ab.json"
    entry.parent.mkdir(parents=True)
    entry.write_text("{}")
    (entry.parent / ".agent-progress-entry-1.tmp").write_text("half")
    data_directory.prepare(str(ours))
    data_directory.prepare(str(ours), share=True)
    assert tracked(ours.parent.parent) == [
        ".agent-os/progress/config.toml",
        ".agent-os/progress/shared/host-b/2026-01/entry-1.0123456789ab.json",
        ".agent-os/progress/templates/progress-summary.md.j2",
    ]


def test_an_ignore_file_of_the_users_is_kept(ours: Path) -> None:
    (ours / ".gitignore").write_text("mine\n")
    data_directory.prepare(str(ours))
    assert (ours / ".gitignore").read_text() == "mine\n"


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / ".agent-os").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match="is a link out of the project; remove the link"):
        data_directory.prepare(str(tmp_path / "root" / ".agent-os" / "progress"))
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_file_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / ".agent-os").write_text("a file")
    with pytest.raises(BadInput, match="is not a directory; move it out of the way"):
        data_directory.prepare(str(tmp_path / ".agent-os" / "progress"))


def test_the_root_is_two_levels_above(tmp_path: Path) -> None:
    assert data_directory.root_of(str(tmp_path / ".agent-os" / "progress")) == str(tmp_path)
