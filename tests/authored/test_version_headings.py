"""Logs that are written version by version."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log


def titles(text: str) -> list[str | None]:
    return [event.title for event in read_log(text, "progress.md").events]


NEWEST_FIRST = """# Development progress
## Planned for the next version
- a bell
## Completed 0.10.1 patch
- the lamp no longer flickers
## Completed 0.9 slice
- the lamp is lit
## Completed 0.8.4 patch
- the oil is kept dry
## Runtime behaviour
The lamp turns.
## Explicitly not promised by 0.8
- fog
"""


def test_a_log_of_versions_has_an_entry_for_each_and_the_highest_is_the_newest() -> None:
    assert titles(NEWEST_FIRST) == ["0.8.4 patch", "0.9 slice", "0.10.1 patch"]


def test_a_log_of_versions_may_grow_at_its_end() -> None:
    assert titles("## v1.2 - lamp\n- lit\n## v1.3 - bell\n- rings\n") == ["v1.2 - lamp", "v1.3 - bell"]


def test_a_version_entry_ends_where_the_next_section_begins() -> None:
    newest = read_log(NEWEST_FIRST, "progress.md").events[-1]
    assert newest.line == 4
    assert [line.strip() for line in NEWEST_FIRST.splitlines()][
        newest.line - 1
    ] == "## Completed 0.10.1 patch"


@pytest.mark.parametrize(
    "text",
    [
        "## Section 1.1 Scope\n- x\n## Section 1.2 Terms\n- y\n",  # the numbers of a document's sections
        "## v1.2 - lamp\n- lit\n",
        "## v1.2 - lamp\n- lit\n## v1.2 - bell\n- rings\n",
        "# v1.2.1\n# v1.2.2\n",
    ],
)
def test_numbers_that_are_no_series_of_versions_make_no_entries(text: str) -> None:
    assert titles(text) == []


def test_entries_of_another_kind_come_before_versions() -> None:
    text = "## 2026-01-02 - A-1: lamp\n- works with v1.2.3\n## v1.2.3\n- x\n## v1.2.4\n- y\n"
    assert titles(text) == ["lamp"]
