"""How many stories are done by a log's own count."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.authored.stated_total import stated_total
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.summary.build import build
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.summary_input import Facts


def share(text: str) -> str | None:
    found = stated_total([read_log(text, "progress.txt")])
    return found.share if found else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Status: 12/15 features passing (80%)", "12/15 features"),
        ("12 of 15 tasks are complete", "12/15 tasks"),
        ("- Total Features: 4\n- Completed: 3\n- Failed: 0", "3/4 features"),
        (
            "| Metric | Value |\n|---|---|\n| Features Passing | 30 |\n| Total Features | 31 |",
            "30/31 features",
        ),
        ("**Patterns completed**: 13/924 (1.41%)", "13/924 patterns"),
        ("- Total endpoints done: 3 of 7", "3/7 endpoints"),
        ("Tests passing: 13/20", None),
        ("Files completed: 2/3", None),
        ("Patterns completed: 13", None),
        ("12/15 tests passing", None),
        ("12/15 features", None),
        ("15/12 features passing", None),
        ("Total Features: 4", None),
        ("on 2026/12 features passing", None),
    ],
)
def test_these_count_stories(text: str, expected: str | None) -> None:
    assert share(f"# Log\n\n{text}\n") == expected


def test_the_newest_entry_counts_and_a_head_only_where_it_is_further_on() -> None:
    entries = "## 2026-01-05 - US-1\n\n3/9 tasks done\n\n## 2026-01-06 - US-2\n\n4/9 tasks done\n"
    assert share(f"# Log\n\n1/9 tasks done\n\n{entries}") == "4/9 tasks"
    assert share(f"# Log\n\n9/9 tasks done\n\n{entries}") == "9/9 tasks"


def test_a_count_in_two_lines_names_both() -> None:
    found = stated_total(
        [read_log("# Log\n\n- Total Tasks: 4\n- Failed: 0\n- Completed: 3\n", "progress.txt")]
    )
    assert found is not None
    assert [origin.line for origin in found.origins] == [3, 5]


def _stories(counted: str | None) -> str:
    log = read_log("# Log\n\n## 2026-01-05 - US-1: Oil it\n\n- x\n", "progress.txt")
    cited = Cited(counted, Origin("progress.txt", 3)) if counted else None
    facts = Facts(name="x", events=log.events, counted=cited)
    return build(facts, read_history(facts), recent=3, chosen=())[0].stories


def test_the_count_of_the_log_stands_beside_ours_where_they_differ() -> None:
    assert _stories(None) == "1/1 complete (100%), no plan"
    assert _stories("1/1 features") == "1/1 complete (100%), no plan"
    assert _stories("3/9 features") == "1/1 complete, no plan; the log counts 3/9 features complete"
