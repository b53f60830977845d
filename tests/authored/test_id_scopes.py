"""Ids that several plans have, told apart by what stands behind them."""

from __future__ import annotations

from progress_plugin.authored.heading import read_heading
from progress_plugin.authored.id_scopes import scopes_of
from progress_plugin.authored.reader import read_log


def scopes(*headings: str) -> frozenset[str]:
    return scopes_of([read_heading(heading, {}) for heading in headings])


def test_the_plan_behind_an_id_tells_stories_of_one_id_apart() -> None:
    log = read_log(
        "# Log\n\n## 2026-01-05 10:00 - US-001\n- x\n\n## 2026-01-05 11:00 - US-001 (millstone PRD)\n- y\n",
        "progress.txt",
    )
    assert [(event.spec, event.stories, event.title) for event in log.events] == [
        (None, ("US-001",), None),
        ("millstone PRD", ("US-001",), None),
    ]


def test_an_attempt_behind_an_id_is_no_plan() -> None:
    assert (
        scopes("US-001", "US-001 (second attempt)", "US-002: Oil it", "US-002 (retry): Oil it again") == set()
    )


def test_a_tag_whose_stories_have_other_titles_is_a_part_of_the_work_with_numbers_of_its_own() -> None:
    told = (
        "Shot 1 (quay) - Paint the bollards",
        "Shot 1 (crane) - Grease every hook",
        "Shot 2 (quay) - Sweep stones away",
        "Shot 2 (crane) - Mend rusted chains",
    )
    assert scopes(*told) == {"quay", "crane"}
    assert scopes(*(text.replace("Shot 2", "Shot 3") for text in told[:3])) == set()


def test_a_title_between_parentheses_that_are_not_its_own_keeps_them() -> None:
    assert (
        read_heading("Shot 3 (quay) - Sweep it (with a broom)", {}).title
        == "(quay) - Sweep it (with a broom)"
    )


def test_a_letter_with_a_number_is_an_id_where_a_status_follows() -> None:
    assert read_heading("B1: DONE — oiled the crane", {}).ids == ("B1",)
    assert read_heading("B1: oiled the crane", {}).ids == ()
