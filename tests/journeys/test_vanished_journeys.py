"""`git clean -fdx` removes our directory, but the history can be restored, and the next start says so."""

from __future__ import annotations

from tests.journeys.project_life import OURS, Life
from tests.journeys.test_archive_journeys import worked


def cleaned(life: Life) -> None:
    """Remove everything that git does not keep, as people do when a build is broken."""
    life.git("-C", str(life.main), "clean", "-fdxq", "-e", "annexe")
    life.git("clean", "-fdxq")
    assert not (life.main / OURS).exists()
    assert not (life.root / OURS).exists()


def everything(life: Life) -> list[str]:
    """Return the ids of all entries, archived ones included."""
    return [entry["id"] for entry in life.told_as_json("recent", "-n", "2000")["entries"]]


def lasting(life: Life) -> None:
    """Log two entries that git does not have, and make a commit."""
    agent = life.starts()
    agent.logs("task_completed", "The keel is laid", task="K-1")
    agent.logs("task_completed", "The hull is planked", task="K-2")
    life.commit()


def test_a_history_that_git_clean_took_is_offered_everywhere_and_comes_back_whole(life: Life) -> None:
    lasting(life)
    earlier = everything(life)
    cleaned(life)

    offered = f"an earlier log at this path, perhaps of another clone or folder, had {len(earlier)} entries more; `agent-progress"
    begun = life.starts()
    assert offered in begun.context
    assert offered in begun.user_line
    assert offered in life.status
    assert offered in life.recent
    assert offered in " ".join(life.told_as_json("recent")["notes"])
    logged = life.try_command("log", "task_completed", "--task", "K-3", "-m", "The mast is set")
    assert (logged.returncode, offered in logged.stderr) == (0, True)

    assert offered in life.status, "a new log has hidden the old one"
    assert offered in life.recent
    assert offered in life.starts().context
    life.command("repair")
    assert [entry for entry in everything(life) if entry in earlier] == earlier
    assert "The mast is set" in {entry["data"].get("description") for entry in life.log}
    for told in (life.context, life.status, life.recent, life.user_line):
        assert "an earlier log at this path" not in told
    assert "Log and archive are in order." in life.command("verify")


def test_a_story_finished_after_the_clean_and_the_old_history_are_both_there_in_the_end(life: Life) -> None:
    life.plan("US-001 Login page", "US-002 Cart")
    lasting(life)
    number = len(life.log)
    cleaned(life)
    agent = life.starts()
    agent.marks("US-001", passes=True)
    assert "an earlier log at this path" in life.context, (
        "the hook that began a new log has hidden the old one"
    )
    life.command("repair")
    assert {"K-1", "K-2", "US-001"} <= {entry.get("task_id") for entry in life.log}
    assert len(life.log) >= number + 1


def test_the_archive_that_went_with_it_is_counted_and_comes_back(life: Life) -> None:
    worked(life, 700)
    lasting(life)
    before = life.told_as_json("status")["summary"]
    number = life.told_as_json("status")["sources"]
    every = number["log_entries"] + number["archived_entries"]
    cleaned(life)
    assert f"had {every:,} entries more" in life.status
    life.command("repair")
    assert life.told_as_json("status")["summary"] == before
