"""The commits that were made since a plan or our log changed last."""

import datetime as dt

from progress_plugin.model.work import FoundFile
from progress_plugin.usecases.commits import Commit, later_subjects


def test_later_commits_are_those_since_a_plan_or_our_log_changed() -> None:
    day = dt.date(2026, 3, 2)
    commits = [Commit("b", 20, day, "Sew the sail"), Commit("a", 10, day, "Lay the keel")]
    plan = FoundFile("prd.json", "plan", "prd", "leads", "the only one", changed_s=10)
    passed_over = FoundFile("old.md", "plan", "plan", "passed over", "a copy", changed_s=20)
    assert later_subjects(commits, [plan, passed_over], 0) == ("Sew the sail",)
    assert later_subjects(commits, [plan], 20) == ()
