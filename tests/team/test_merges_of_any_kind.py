"""Branches that each logged something come together in any order and by any means: never a conflict."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from progress_plugin.log import shared_entries
from tests.team.clones import OURS, Clone, begun

ENTRY = {"timestamp": "2026-11-30T23:00:00Z", "type": "task_completed"}


def _merge(clone: Clone, branch: str) -> None:
    clone.git("merge", "-q", "--no-ff", "--no-edit", branch)


def _squash(clone: Clone, branch: str) -> None:
    clone.git("merge", "-q", "--squash", branch)
    clone.git("commit", "-q", "--allow-empty", "-m", f"squash {branch}")


def _pick(clone: Clone, branch: str) -> None:
    clone.git("cherry-pick", "--keep-redundant-commits", "--allow-empty", f"begin..{branch}")


def _rebase(clone: Clone, branch: str) -> None:
    clone.git("checkout", "-q", "-B", "moved", branch)
    clone.git("rebase", "-q", "main")
    clone.git("checkout", "-q", "main")
    clone.git("merge", "-q", "--ff-only", "moved")


def _squash_then_merge(clone: Clone, branch: str) -> None:
    _squash(clone, branch)
    _merge(clone, branch)


def commit_entry(clone: Clone, writer: str, name: str, text: str) -> None:
    """Put an entry where the log puts it, and commit it; what the command does is tested with clones."""
    (clone.root / OURS / ".gitignore").write_text("*\n!config.toml\n!shared/\n!shared/**\n", "utf-8")
    entry = {**ENTRY, "id": name, "data": {"description": text}}
    assert shared_entries.put_entry(str(clone.root / OURS), writer, entry)
    clone.commit()


def branches(place: Path, writers: Sequence[str]) -> Clone:
    """Return a clone with ten branches of three commits of entries, the same writer on several."""
    clone = begun(place)
    clone.git("tag", "begin")
    for branch in range(10):
        clone.git("checkout", "-q", "-b", f"work-{branch}", "begin")
        for step in range(3):
            commit_entry(clone, writers[branch % len(writers)], f"e-{branch}-{step}", f"Step {step}")
    clone.git("checkout", "-q", "main")
    return clone


def test_ten_branches_of_four_writers_join_by_all_means(tmp_path: Path) -> None:
    clone = branches(tmp_path, ["one", "two", "three", "four"])
    ways = (_merge, _squash, _pick, _rebase, _squash_then_merge)
    for number, branch in enumerate(random.Random(7).sample(range(10), 10)):
        ways[number % len(ways)](clone, f"work-{branch}")
    assert len(clone.files()) == 30


def test_ten_branches_join_as_one_octopus(tmp_path: Path) -> None:
    clone = branches(tmp_path, ["one", "two"])
    clone.git("merge", "-q", "--no-edit", *(f"work-{branch}" for branch in range(10)))
    assert len(clone.files()) == 30


def test_two_writers_of_one_name_cannot_conflict(tmp_path: Path) -> None:
    clone = begun(tmp_path)
    clone.git("tag", "begin")
    for branch, text in (("a", "One thing"), ("b", "Another")):
        clone.git("checkout", "-q", "-b", branch, "begin")
        commit_entry(clone, "same", "entry-20261130-230000-aaaaaa", text)
    _merge(clone, "a")
    assert len(clone.files()) == 2
