"""A cloned repository can change what is shown, but never where we write or what we start."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.torture.workplace import Workplace, snapshot

FOLDERS = ("archive", "recovery", "summaries", "templates")
FILES = (
    ("progress.json",),
    ("lock", ".gitignore"),
    ("progress.md", "progress-summary.md", "config.toml", "archive/2026-03.json"),
)
"""A link in the place of the log or of the lock ends most work before another file is reached."""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a directory that belongs to somebody else, with more files than we keep of sessions."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for number in range(60):
        (folder / f"letter-{number:02}.txt").write_text(f"dear {number}\n")
    (folder / "precious").write_bytes(b'{"version": "1.0", "entries": []}\n')
    return folder


def test_the_work_that_is_done_beside_a_link_is_done_where_there_is_none(workplace: Workplace) -> None:
    workplace.work()
    told = {entry["type"]: [] for entry in workplace.everything()}
    for entry in workplace.everything():
        told[entry["type"]].append(entry["data"].get("description"))
    assert {"by hand", "Story number 5", "coil the ropes"} <= set(told["task_completed"])
    assert told.keys() >= {"session_started", "session_ended"}
    names = {str(path.relative_to(workplace.ours)) for path in workplace.ours.rglob("*") if path.is_file()}
    made = {"progress.json", "progress.md", "progress-summary.md", "config.toml", "lock", ".gitignore"}
    assert names >= made
    assert all(workplace.private(name).is_file() for name in ("start.json", "last-seen.json"))


@pytest.mark.parametrize(
    "names", [(".agent-os",), (".agent-os/progress",), tuple(f".agent-os/progress/{n}" for n in FOLDERS)]
)
def test_links_in_the_place_of_folders_of_ours_lead_nowhere(
    workplace: Workplace, outside: Path, names: tuple[str, ...]
) -> None:
    for name in names:
        (workplace.root / name).parent.mkdir(parents=True, exist_ok=True)
        (workplace.root / name).symlink_to(outside)
    before = snapshot(outside)
    workplace.work()
    assert snapshot(outside) == before


@pytest.mark.parametrize("target", ["precious", "not-there-yet"])
@pytest.mark.parametrize("names", FILES)
def test_links_in_the_place_of_files_of_ours_are_not_written_through(
    workplace: Workplace, outside: Path, names: tuple[str, ...], target: str
) -> None:
    for name in names:
        (workplace.ours / name).parent.mkdir(parents=True, exist_ok=True)
        (workplace.ours / name).symlink_to(outside / target)
    before = snapshot(outside)
    workplace.work()
    assert snapshot(outside) == before


def test_a_clone_that_brings_an_entry_of_a_worktree_does_not_reach_the_log_of_another_repository(
    tmp_path: Path,
) -> None:
    victim = Workplace(tmp_path / "victim")
    victim.plan(done=1)
    victim.log("the victim's own")
    victim.commit()
    clone = Workplace(tmp_path / "clone")
    shutil.rmtree(clone.root / ".git")
    entry = tmp_path / "brought-along/worktrees/mine"
    entry.mkdir(parents=True)
    (entry / "commondir").write_text(f"{victim.root}/.git\n")
    (entry / "gitdir").write_text(f"{clone.root}/.git\n")
    (entry / "HEAD").write_text("ref: refs/heads/main\n")
    (clone.root / ".git").write_text(f"gitdir: {entry}\n")
    clone.plan(done=4)
    before = snapshot(victim.root)
    clone.work()
    assert snapshot(victim.root) == before
    assert "by hand" in [entry["data"].get("description") for entry in clone.everything()]


def test_a_worktree_that_git_made_keeps_its_log_in_the_main_one(workplace: Workplace, tmp_path: Path) -> None:
    workplace.commit()
    other = tmp_path / "other"
    workplace.git("worktree", "add", "-q", str(other), "-b", "side")
    assert workplace.command("-C", str(other), "log", "task_completed", "-m", "from the side") == 0
    assert [entry["data"]["description"] for entry in workplace.everything()] == ["from the side"]
    # git 2.48 can write the way back as a relative path.
    back = workplace.root / ".git/worktrees/other/gitdir"
    back.write_text(os.path.relpath(other / ".git", back.parent) + "\n")
    assert workplace.command("-C", str(other), "log", "task_completed", "-m", "once more") == 0
    assert len(workplace.everything()) == 2


def test_settings_that_came_along_write_nowhere_else(workplace: Workplace, outside: Path) -> None:
    before = snapshot(outside)
    values = (
        'summary_path = "../outside/summary.md"', "promote.auto = true", 'log_files = ["../outside/precious", "/etc/hostname"]',
        f'plan = "{outside}/precious"', "archive_entries = 99999999999999999999", "max_context_tokens = 1e400",
        'project = "../../outside"', "recent_stories_count = -1", "archive_cap = 2", "archive_days = 36500",
    )  # fmt: skip
    workplace.ours.mkdir(parents=True)
    (workplace.ours / "config.toml").write_text("\n".join(values) + "\n")
    plan = json.loads((workplace.root / "prd.json").read_text())
    plan |= {
        "branchName": "../../outside/x",
        "name": "../outside",
        "optimization": {"maxContextTokens": 10**30, "summary_path": "../outside/s.md"},
    }
    (workplace.root / "prd.json").write_text(json.dumps(plan))
    workplace.work()
    assert snapshot(outside) == before
    assert "by hand" in [entry["data"].get("description") for entry in workplace.everything()]
    assert not (workplace.root / "AGENTS.md").exists()


def test_what_a_ref_says_never_becomes_an_option_of_git(workplace: Workplace, tmp_path: Path) -> None:
    target = tmp_path / "written-by-git"
    first = workplace.commit()
    workplace.start()
    # HEAD itself stays a good one: git would not take a directory with another for a repository.
    (workplace.root / ".git/refs/heads/main").write_text(f"--output={target}\n")
    with (workplace.root / ".git/logs/HEAD").open("a") as log:
        log.write(f"{first} --output={target} a <a@example.org> 1 +0000\tcommit: x\n")
    workplace.plan(done=5)
    workplace.hooks.edited("prd.json")
    assert not target.exists()
