"""The commits that were made since a plan or our log changed last."""

import datetime as dt
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.model.work import FoundFile
from progress_plugin.usecases.commits import Commit, later_subjects
from progress_plugin.usecases.reading import read_project


def test_later_commits_are_those_since_a_plan_or_our_log_changed() -> None:
    day = dt.date(2026, 3, 2)
    commits = [Commit("b", 20, day, "Sew the sail"), Commit("a", 10, day, "Lay the keel")]
    plan = FoundFile("prd.json", "plan", "prd", "leads", "the only one", changed_s=10)
    passed_over = FoundFile("old.md", "plan", "plan", "passed over", "a copy", changed_s=20)
    assert later_subjects(commits, [plan, passed_over], 0) == ("Sew the sail",)
    assert later_subjects(commits, [plan], 20) == ()


@pytest.mark.parametrize("time", ["1772400000 +0000", "253402300800 +0000", "18446744073709551614 +0000", ""])
def test_a_project_is_read_whatever_its_commits_say(tmp_path: Path, time: str) -> None:
    def git(*words: str, data: str = "") -> str:
        done = subprocess.run(
            ["git", *words], cwd=tmp_path, input=data.encode(), capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    git("init", "-q")
    (tmp_path / "prd.json").write_text('{"userStories": [{"id": "US-001", "title": "Sew the sail"}]}')
    (tmp_path / "sail.py").write_text("sail = 1")
    git("add", ".")
    person = f"A <a@example.com> {time}"
    head = f"tree {git('write-tree')}\nauthor {person}\ncommitter {person}\n"
    forged = f"{head}\nUS-001\u2028Sew the sail\f now\n"
    git("update-ref", "HEAD", git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", data=forged))
    facts = read_project(find_project(str(tmp_path))).facts
    assert len(facts.state.items) == 1
    assert len(facts.commits) == (time[:3] not in {"253", ""})
