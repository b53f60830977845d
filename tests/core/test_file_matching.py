"""Which file a path in a log means, with real files, links and worktrees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.fast.file_matching import best_of, opened_file
from progress_plugin.core.fast.file_note_index import names_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository with files of one name in several folders."""
    place = tmp_path / "harbour"
    for path in ("src/web/client.ts", "src/api/client.ts", "src/index.ts", "lib/Lamp.ts", "README.md"):
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text("light\n", "utf-8")
    git(place, "init", "-q", "-b", "main")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "Begin")
    return place


def git(place: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(place), *who, *words], check=True, capture_output=True)


def meant(root: Path, opened: str | Path, *named: str) -> list[str]:
    """Return which of the recorded paths mean a file that is opened."""
    found = []
    for path in names_of(str(opened), str(root)):
        file = opened_file(str(root), path)
        name = path.rpartition("/")[2].lower()
        rows = [each for each in named if each.rpartition("/")[2].lower() == name]
        if file is not None:
            found += [each for each, sure in zip(rows, best_of(rows, file), strict=True) if sure]
    return found


@pytest.mark.parametrize("opened", ["src/web/client.ts", "./src/web/client.ts", "src/api/../web/client.ts"])
def test_a_path_from_the_root_means_its_file_however_the_tool_was_given_it(root: Path, opened: str) -> None:
    assert meant(root, opened, "src/web/client.ts") == ["src/web/client.ts"]
    assert meant(root, root / opened, "src/web/client.ts") == ["src/web/client.ts"]


def test_of_two_folders_with_one_name_the_folder_decides(root: Path) -> None:
    assert meant(root, "src/web/client.ts", "src/api/client.ts", "src/web/client.ts") == ["src/web/client.ts"]
    assert meant(root, "src/api/client.ts", "src/web/client.ts") == []


def test_the_end_of_a_path_is_enough(root: Path) -> None:
    assert meant(root, "src/api/client.ts", "api/client.ts") == ["api/client.ts"]
    assert meant(root, "src/web/client.ts", "api/client.ts") == []


def test_the_end_of_a_name_is_not(root: Path) -> None:
    (root / "src/web/myclient.ts").write_text("light\n", "utf-8")
    assert meant(root, "src/web/myclient.ts", "client.ts", "web/client.ts") == []


def test_a_whole_path_that_exists_is_no_end_of_another(root: Path) -> None:
    (root / "api").mkdir()
    (root / "api/client.ts").write_text("light\n", "utf-8")
    assert meant(root, "src/api/client.ts", "api/client.ts") == []
    assert meant(root, "api/client.ts", "api/client.ts") == ["api/client.ts"]


def test_a_name_alone_means_a_file_of_that_name_unless_other_folders_are_known(root: Path) -> None:
    assert meant(root, "lib/Lamp.ts", "Lamp.ts") == ["Lamp.ts"]
    assert meant(root, "src/web/client.ts", "client.ts", "src/api/client.ts") == []
    assert meant(root, "src/web/client.ts", "client.ts", "web/client.ts") == ["client.ts", "web/client.ts"]


@pytest.mark.parametrize("name", ["index.ts", "__init__.py", "mod.rs", "README.md"])
def test_a_name_that_stands_for_many_counts_with_its_folder_or_at_the_root(root: Path, name: str) -> None:
    for folder in ("", "src/deep"):
        (root / folder).mkdir(exist_ok=True)
        (root / folder / name).write_text("light\n", "utf-8")
    assert meant(root, f"src/deep/{name}", name) == []
    assert meant(root, f"src/deep/{name}", f"deep/{name}") == [f"deep/{name}"]
    assert meant(root, name, name) == [name]


def test_a_file_that_moved_is_known_by_its_name(root: Path) -> None:
    assert meant(root, "lib/Lamp.ts", "old/place/Lamp.ts") == ["old/place/Lamp.ts"]
    assert meant(root, "lib/Lamp.ts", "old/Lamp.ts", "older/Lamp.ts") == []
    assert meant(root, "src/index.ts", "old/index.ts") == []
    assert meant(root, "gone/Lamp.ts", "old/Lamp.ts") == []


def test_a_file_that_git_does_not_list_has_moved_if_a_folder_of_its_path_stayed(root: Path) -> None:
    (root / "src/new").mkdir()
    (root / "src/new/Fog.ts").write_text("light\n", "utf-8")
    assert meant(root, "src/new/Fog.ts", "src/old/Fog.ts") == ["src/old/Fog.ts"]
    assert meant(root, "src/new/Fog.ts", "lib/Fog.ts") == []


def test_capitals_make_no_difference_unless_both_spellings_are_there(root: Path) -> None:
    assert meant(root, "lib/Lamp.ts", "lib/lamp.ts") == ["lib/lamp.ts"]
    try:
        (root / "lib/lamp.ts").open("x").close()
    except FileExistsError:
        pytest.skip("this file system does not tell them apart")
    assert meant(root, "lib/Lamp.ts", "lib/lamp.ts") == []
    assert meant(root, "lib/lamp.ts", "lib/lamp.ts") == ["lib/lamp.ts"]


def test_a_link_is_the_file_that_it_leads_to_and_itself(root: Path) -> None:
    (root / "shortcut.ts").symlink_to("lib/alias.ts")
    (root / "lib/alias.ts").symlink_to("Lamp.ts")
    assert meant(root, "shortcut.ts", "shortcut.ts", "lib/Lamp.ts") == ["shortcut.ts", "lib/Lamp.ts"]


def test_links_in_a_circle_end(root: Path) -> None:
    (root / "one.ts").symlink_to("two.ts")
    (root / "two.ts").symlink_to("one.ts")
    assert set(meant(root, "one.ts", "one.ts")) <= {"one.ts"}


def test_a_project_reached_through_a_link_is_the_same(root: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(root)
    assert meant(root, tmp_path / "way/lib/Lamp.ts", "lib/Lamp.ts") == ["lib/Lamp.ts"]


def test_a_file_of_another_project_is_never_meant(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "mill"
    (other / "lib").mkdir(parents=True)
    (other / "lib/Lamp.ts").write_text("dark\n", "utf-8")
    assert meant(root, other / "lib/Lamp.ts", "lib/Lamp.ts", "Lamp.ts") == []
    git(other, "init", "-q")
    assert meant(root, other / "lib/Lamp.ts", "lib/Lamp.ts", "Lamp.ts") == []
    (root / "way-out.ts").symlink_to(other / "lib/Lamp.ts")
    assert meant(root, "way-out.ts", "lib/Lamp.ts", "Lamp.ts") == []


def test_in_a_repository_within_only_a_whole_path_is_meant(root: Path) -> None:
    inner = root / "vendor/mill"
    (inner / "lib").mkdir(parents=True)
    (inner / "lib/Wheel.ts").write_text("dark\n", "utf-8")
    git(inner, "init", "-q")
    assert meant(root, inner / "lib/Wheel.ts", "lib/Wheel.ts", "Wheel.ts") == []
    assert meant(root, inner / "lib/Wheel.ts", "vendor/mill/lib/Wheel.ts") == ["vendor/mill/lib/Wheel.ts"]


def test_a_file_in_another_worktree_of_the_repository_is_the_same_file(root: Path, tmp_path: Path) -> None:
    tree = tmp_path / "branch"
    git(root, "worktree", "add", "-q", str(tree))
    assert meant(root, tree / "lib/Lamp.ts", "lib/Lamp.ts") == ["lib/Lamp.ts"]
    assert meant(tree, root / "lib/Lamp.ts", "lib/Lamp.ts") == ["lib/Lamp.ts"]
    inside = root / ".worktrees/fix"
    git(root, "worktree", "add", "-q", "-b", "fix", str(inside))
    assert meant(root, inside / "lib/Lamp.ts", "lib/Lamp.ts") == ["lib/Lamp.ts"]


def test_a_directory_that_only_claims_to_be_a_worktree_is_another_project(root: Path, tmp_path: Path) -> None:
    tree = tmp_path / "branch"
    git(root, "worktree", "add", "-q", str(tree))
    forged = tmp_path / "forged"
    (forged / "lib").mkdir(parents=True)
    (forged / "lib/Lamp.ts").write_text("dark\n", "utf-8")
    (forged / ".git").write_bytes((tree / ".git").read_bytes())
    assert meant(root, forged / "lib/Lamp.ts", "lib/Lamp.ts", "Lamp.ts") == []


def test_of_a_project_in_a_folder_of_a_repository_only_that_folder_counts(root: Path, tmp_path: Path) -> None:
    tree = tmp_path / "branch"
    git(root, "worktree", "add", "-q", str(tree))
    assert meant(root / "src", tree / "src/web/client.ts", "web/client.ts") == ["web/client.ts"]
    assert meant(root / "src", tree / "lib/Lamp.ts", "lib/Lamp.ts", "Lamp.ts") == []
    assert meant(root / "src", root / "lib/Lamp.ts", "lib/Lamp.ts", "Lamp.ts") == []


@pytest.mark.skipif(sys.platform == "win32", reason="names that only POSIX has")
@pytest.mark.parametrize("name", ["..", ".", "", "a\nb.ts", "\x1b[31m.ts", "x" * 400, "\udcff.ts"])
def test_hostile_names_mean_nothing(root: Path, name: str) -> None:
    assert meant(root, f"lib/{name}", "lib/Lamp.ts") == []
