"""After a pull, or an edit that no hook has seen, nothing is told as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_doors import Hooks, Repository
from recorded_files import DATA, LAMP, log, put, settings, used

_TURNS = 150
"""Uses of the file within which a process of its own has made the summary anew."""


def told_at_last(hooks: Hooks, path: str) -> str:
    """Use a file in one new session after another until something is told."""
    for turn in range(_TURNS):
        told = used(hooks, path, session_id=f"later-{turn}")
        if told:
            return told
    return ""


def test_a_sentence_that_was_changed_outside_is_told_as_it_is_now_or_not_at_all(
    repository: Repository, recorded: Hooks
) -> None:
    log(repository, LAMP.replace("must cool before", "must be dry before"))
    assert used(recorded, "src/lamp.ts") == ""
    told = told_at_last(recorded, "src/lamp.ts")
    assert "must be dry" in told
    assert "must cool" not in told


def test_what_a_pull_brings_is_told_without_another_start(repository: Repository, hooks: Hooks) -> None:
    log(repository, LAMP)
    put(repository.root, "src/lamp.ts")
    repository.commit()
    repository.git("checkout", "-q", "-b", "theirs")
    log(repository, "The glass of `src/lamp.ts` was replaced by a lens")
    repository.commit()
    repository.git("checkout", "-q", "main")
    hooks.start()
    repository.git("merge", "-q", "--ff-only", "theirs")
    assert used(hooks, "src/lamp.ts") == ""
    told = told_at_last(hooks, "src/lamp.ts")
    assert "replaced by a lens" in told
    assert "must cool" not in told


def test_a_log_that_another_program_goes_on_writing_leaves_what_it_said_told(recorded: Hooks) -> None:
    with (recorded.root / "progress.md").open("a", encoding="utf-8") as file:
        file.write("\n## 2026-03-02 - US-002: Ring the bell\n- Rang it\n")
    assert LAMP in told_at_last(recorded, "src/lamp.ts")


def test_what_an_agent_remembers_or_another_session_does_makes_nothing_old(recorded: Hooks) -> None:
    memory = Path.home() / ".local/share/agent-progress/memory.db-wal"
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory.touch()
    (Path.home() / ".claude/projects" / str(recorded.root).replace("/", "-")).mkdir(parents=True)
    assert LAMP in used(recorded, "src/lamp.ts")


def test_whoever_only_looks_has_nothing_made_anew(repository: Repository, recorded: Hooks) -> None:
    log(repository, "The lamp of `src/lamp.ts` is dry")
    recorded.environment = {"AGENT_PROGRESS_READ_ONLY": "1"}
    assert used(recorded, "src/lamp.ts") == ""
    assert not (recorded.root / DATA / "spool/summary-wanted").exists()


@pytest.mark.parametrize("place", ["spool", "spool/summary-wanted"])
def test_a_link_in_the_place_of_the_request_is_not_followed(
    repository: Repository, recorded: Hooks, place: str
) -> None:
    other = recorded.root.parent / "elsewhere"
    other.mkdir()
    if place != "spool":
        (recorded.root / DATA / "spool").mkdir(exist_ok=True)
    (recorded.root / DATA / place).symlink_to(other if place == "spool" else other / "made")
    log(repository, "The lamp of `src/lamp.ts` is dry")
    assert used(recorded, "src/lamp.ts") == ""
    assert list(other.iterdir()) == []


def test_a_setting_that_was_changed_by_hand_counts_at_the_next_use(
    repository: Repository, recorded: Hooks
) -> None:
    settings(repository, "max_learnings = 0\nrecent_stories_count = 4")
    assert LAMP in told_at_last(recorded, "src/lamp.ts")
