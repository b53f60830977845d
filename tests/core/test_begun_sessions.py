"""A session that begins is noted in the folder in which its project's records are (core.fast.begun_sessions)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.fast.begun_sessions import note_begun
from progress_plugin.core.project import find_project
from progress_plugin.transcripts.session_store import outside_of

OURS = ".agent-os/progress/"
LAYOUTS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "a repository": (".git/",),
    "a plan alone": ("prd.json",),
    "a plan above": ("prd.json", "a/b/package.json"),
    "a plan in a repository": (".git/", "a/prd.json"),
    "ours above a plan": (".git/", OURS, "a/prd.json"),
    "ours below a plan": (".git/", "prd.json", f"a/{OURS}"),
    "ours above a repository": (OURS, "a/.git/"),
    "a log in another repository's folder": (".git/", "a/b/.git/", "a/progress.md"),
    "plans of every folder": (".git/", "plans/prd.json", "a/.planning/one/task_plan.md"),
}


def _made(root: Path, *paths: str) -> None:
    for path in paths:
        place = root / path
        if path.endswith("/"):
            place.mkdir(parents=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("{}", "utf-8")


def _noted(start: Path) -> set[str]:
    note_begun(os.path.realpath(start), "codex", "one", "/any")
    home = Path(os.environ["HOME"]) / ".local/share/agent-progress/sessions"
    return {str(path.parents[1]) for path in home.glob("*/begun/codex.one")}


@pytest.mark.parametrize("start", [".", "a", "a/b"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_it_is_noted_where_its_project_is_found(home: Path, tmp_path: Path, layout: str, start: str) -> None:
    root = tmp_path / "harbour"
    _made(root, *LAYOUTS[layout])
    (root / "a/b").mkdir(parents=True, exist_ok=True)
    assert _noted(root / start) == {outside_of(find_project(start=str(root / start)).root)}


@pytest.mark.parametrize("start", [".", "a", "a/b"])
@pytest.mark.parametrize("layout", ["nothing", "a/prd.json", OURS, f"a/{OURS}", f"a/b/{OURS}"])
def test_in_a_linked_worktree_as_well(home: Path, tmp_path: Path, layout: str, start: str) -> None:
    main, linked = tmp_path / "harbour", tmp_path / "linked"
    (main / "a/b").mkdir(parents=True)
    for words in (
        ("init", "-q"),
        ("commit", "-q", "--allow-empty", "-m", "x"),
        ("worktree", "add", "-q", str(linked)),
    ):
        who = ("-c", "user.name=x", "-c", "user.email=x@y")
        subprocess.run(["git", "-C", str(main), *who, *words], check=True, capture_output=True)
    (linked / "a/b").mkdir(parents=True)
    _made(main if OURS in layout else linked, layout)
    assert _noted(linked / start) == {outside_of(find_project(start=str(linked / start)).root)}


@pytest.mark.parametrize(
    "folder", ["x" * 100, "x" * 200, "%" * 60, "ä" * 90, "港" * 50, os.fsdecode(b"\xff" * 90)]
)
def test_under_a_name_that_a_file_can_have(home: Path, tmp_path: Path, folder: str) -> None:
    root = tmp_path / folder / "harbour"
    _made(root, ".git/")
    assert _noted(root) == {outside_of(str(root))}


def test_in_a_folder_of_everybodys_projects_nothing_is_noted(home: Path) -> None:
    assert _noted(home) == set()
