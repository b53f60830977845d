"""Branches that each logged something come together in any order and by any means: never a conflict."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from progress_plugin.log import shared_entries
from progress_plugin.log.entry import EntryDraft, new_entry
from tests.team.clones import OURS, Clone, begun

_BEGAN = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
Join = Callable[[Clone, str], None]


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


def _merge_both_ways(clone: Clone, branch: str) -> None:
    """Squash what a branch has, then merge the branch itself: the same files come a second time."""
    _squash(clone, branch)
    _merge(clone, branch)


_WAYS = {
    "merge": _merge,
    "squash": _squash,
    "cherry-pick": _pick,
    "rebase": _rebase,
    "squash-then-merge": _merge_both_ways,
}


def _log(clone: Clone, writer: str, number: int, taken: set[str | None]) -> str:
    """Put an entry where the log puts it; what the command does is tested with clones."""
    when = _BEGAN + timedelta(minutes=17 * number)
    entry = new_entry(EntryDraft("task_completed", {"description": f"Step {number}"}), now=when, taken=taken)
    (clone.root / OURS / ".gitignore").write_text("*\n!config.toml\n!shared/\n!shared/**\n", "utf-8")
    assert shared_entries.put(str(clone.root / OURS), writer, [entry]) == []
    file = shared_entries.file_of(entry)
    assert file is not None
    return file[1]


def _branches(clone: Clone, number: int, writers: Sequence[str]) -> set[str]:
    """Make branches with three commits of entries each, the same writer on several; return all files' names."""
    clone.git("tag", "begin")
    files = set()
    for branch in range(number):
        clone.git("checkout", "-q", "-b", f"work-{branch}", "begin")
        for step in range(3):
            files.add(_log(clone, writers[branch % len(writers)], 10 * branch + step, set()))
            clone.commit()
    clone.git("checkout", "-q", "main")
    return files


def test_ten_branches_of_four_writers_join_by_all_means(tmp_path: Path) -> None:
    chance = random.Random(7)
    clone = begun(tmp_path)
    files = _branches(clone, 10, ["one", "two", "three", "four"])
    for number, branch in enumerate(chance.sample(range(10), 10)):
        list(_WAYS.values())[number % len(_WAYS)](clone, f"work-{branch}")
    assert clone.files() == files


def test_ten_branches_join_as_one_octopus(tmp_path: Path) -> None:
    clone = begun(tmp_path)
    files = _branches(clone, 10, ["one", "two"])
    clone.git("merge", "-q", "--no-edit", *(f"work-{branch}" for branch in range(10)))
    assert clone.files() == files


def test_two_writers_of_one_name_cannot_conflict(tmp_path: Path) -> None:
    clone = begun(tmp_path)
    clone.git("tag", "begin")
    entry = {
        "id": "entry-20261130-230000-aaaaaa",
        "timestamp": "2026-11-30T23:00:00Z",
        "type": "task_completed",
    }
    for branch, text in (("a", "One thing"), ("b", "Another")):
        clone.git("checkout", "-q", "-b", branch, "begin")
        (clone.root / OURS / ".gitignore").write_text("*\n!config.toml\n!shared/\n!shared/**\n", "utf-8")
        shared_entries.put(str(clone.root / OURS), "same", [{**entry, "data": {"description": text}}])
        clone.commit()
    clone.git("merge", "-q", "--no-edit", "a")
    assert len(clone.files()) == 2
