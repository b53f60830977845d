"""The files of a story are those of its work, whatever else a commit took along."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.journeys.project_life import Life, section

LOG = """# Progress

## {day} - US-006
- Reservations lapse after three days
- Files changed: {files}
---
"""


def test_what_an_agents_log_lists_goes_before_what_the_commit_took_along(life_alone: Life) -> None:
    life_alone.plan("US-005 Remind members", "US-006 Reserve a tool")
    life_alone.commit("begin")
    session = life_alone.starts()
    life_alone.write("loanbook/remind.py", "# of another story, and not finished\n")
    life_alone.write("loanbook/reserve.py", "# done\n")
    session.marks("US-006", passes=True)
    session.edits("progress.md", LOG.format(day=datetime.now(UTC).date(), files="loanbook/reserve.py"))
    session.commits("feat: US-006")
    assert "loanbook/remind.py" in str(life_alone.entries("task_completed"))
    told = section(life_alone.context, "### US-006")
    assert "- Files: loanbook/reserve.py" in told.splitlines()
    assert "remind.py" not in told


def test_without_such_a_list_the_files_of_the_commit_are_told(life_alone: Life) -> None:
    life_alone.plan("US-005 Remind members", "US-006 Reserve a tool")
    life_alone.commit("begin")
    session = life_alone.starts()
    life_alone.write("loanbook/reserve.py", "# done\n")
    session.marks("US-006", passes=True)
    session.commits("feat: US-006")
    assert "- Files: loanbook/reserve.py" in section(life_alone.context, "### US-006").splitlines()


def test_what_python_compiled_is_no_file_of_a_story_though_it_was_committed(life_alone: Life) -> None:
    life_alone.plan("US-001 Quay", "US-002 Crane")
    life_alone.commit("plan")
    session = life_alone.starts()
    life_alone.write("quay.py", "STONES = 3\n")
    life_alone.write("__pycache__/quay.cpython-311.pyc", "compiled\n")
    life_alone.story("US-001", passes=True)
    life_alone.commit("quay")
    session.logs(
        "task_completed",
        "Quay of stone",
        task="US-001",
        data={"files_modified": ["quay.py", "__pycache__/quay.cpython-311.pyc"]},
    )
    life_alone.starts()
    assert "- Files: quay.py" in life_alone.context.splitlines()
    assert ".pyc" not in life_alone.context
