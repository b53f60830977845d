"""What is kept of a summary: the file, whatever its layout, and the reason where there is none that counts."""

from __future__ import annotations

from pathlib import Path

from progress_plugin.core.snapshot import cache_path
from tests.journeys.project_life import OURS, Life


def _kept(life: Life) -> str:
    return (life.root / OURS / "progress-summary.md").read_text("utf-8")


def test_a_file_of_the_users_in_place_of_the_summary_stays_and_nothing_is_called_written(life: Life) -> None:
    life.plan("US-001 Login page")
    life.command("init")
    life.write(f"{OURS}/progress-summary.md", "What I think of this project\n")
    told = life.command("status", "summarize")
    assert "Written:" not in told
    assert "Not written: progress-summary.md is not ours; it is left as it is" in told
    assert _kept(life) == "What I think of this project\n"
    assert life.told_as_json("status", "summarize")["written"] is False


def test_with_summaries_switched_off_nothing_is_called_written(life: Life) -> None:
    life.plan("US-001 Login page", optimization={"progressSummary": {"enabled": False}})
    told = life.command("status", "summarize")
    assert "Written:" not in told
    assert "Not written: summaries are switched off" in told
    assert not (life.root / OURS / "progress-summary.md").exists()


def test_the_question_why_is_answered_with_what_is_the_case(life: Life) -> None:
    def why() -> str:
        return life.try_command("status", "why").stdout

    life.plan("US-001 Login page", "US-002 Cart")
    if life.main == life.root:
        life.command("init")
        cache = Path(cache_path(str(life.root)))
        assert why().startswith("fresh: ")
        cache.unlink()
        assert why() == (
            "stale: a summary was made, but not here: the project was moved or copied, or its state was removed\n"
        )
    life.command("status", "summarize")
    cache = Path(cache_path(str(life.root)))
    cache.write_bytes(b"something else\n")
    assert why() == "stale: the last summary was made by another version\n"


def test_a_new_worktree_has_no_summary_of_its_own_yet(tmp_path: Path) -> None:
    life = Life(tmp_path / "harbour")
    life.plan("US-001 Login page")
    life.commit("begin")
    life.command("status", "summarize")
    life.git("worktree", "add", "-q", str(tmp_path / "annexe"), "-b", "side")
    life.root = tmp_path / "annexe"
    assert life.try_command("status", "why").stdout == (
        "stale: no summary was made in this worktree yet; each has its own\n"
    )


def _by_plan(life: Life) -> list[str]:
    return sorted(path.read_text("utf-8") for path in (life.root / OURS / "summaries").iterdir())


def test_of_two_plans_on_one_branch_both_last_summaries_are_kept(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart", name="Shop", branch="main")
    life.starts().marks("US-001", passes=True)
    life.plan("US-001 Cranes", "US-002 Berths", "US-003 Ferries", name="Harbour", branch="main")
    life.starts().marks("US-002", passes=True)
    harbour, shop = _by_plan(life)
    assert "# Progress Summary: Harbour" in harbour
    assert "Stories: 1/3 complete" in harbour
    assert "# Progress Summary: Shop" in shop
    assert "Stories: 1/2 complete" in shop
