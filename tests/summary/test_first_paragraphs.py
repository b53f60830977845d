"""What stands at the beginning of an entry beside its title is told."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.passages.reader import read_passages
from progress_plugin.summary.summary_input import Facts
from tests.summary.test_summary_build import summary


def _told(text: str) -> str:
    log = read_log(text, "progress.md")
    return summary(Facts(name="quay", events=log.events, readings=(read_passages(log, text),)))


@pytest.mark.parametrize(
    ("form", "title"),
    [
        ("**2026-03-0{day}, evening** — {text}\n\n", "Oiled the crane"),
        ("**2026-03-0{day}** - {text}\n\n", "Oiled the crane"),
        ("2026-03-0{day}: {text}\n\n", "Oiled the crane"),
        ("- 2026-03-0{day} {text}\n", "Oiled the crane"),
    ],
)
@pytest.mark.parametrize("end", [".", "!"])
def test_what_follows_the_first_sentence_is_told_below_it(form: str, title: str, end: str) -> None:
    text = "# Notes to self\n\n"
    text += form.format(day=2, text=f"{title}{end} Linseed oil is best for rope. Use the tall ladder.")
    text += form.format(day=1, text="Moved the hook. Prices are stored in cents.")
    told = _told(text)
    assert "Linseed oil is best for rope. Use the tall ladder." in told
    assert "Prices are stored in cents." in told
    assert any(
        line.startswith("###") and line.split(" (")[0].rstrip("!").endswith(title)
        for line in told.split("\n")
    )


def test_what_follows_the_bold_name_of_an_item_is_told_below_it() -> None:
    told = _told(
        "# Log\n\n- [x] **T-1: Oil the crane** - took linseed oil for it\n- [x] **T-2: Mend it** (done)\n"
    )
    assert "took linseed oil for it" in told


def test_boxes_below_a_status_that_is_complete_are_told_and_the_goal_is_the_title() -> None:
    told = _told(
        "# Progress\n\n## Session 12 — Mar 2, 2026 (Ana + agent)\nGoal: order form.\nStatus: IN PROGRESS\n"
        "- [x] the table of orders\n- [ ] the mail to the customer\n"
    )
    assert "### order form (→)" in told
    assert "the table of orders" in told
    assert "the mail to the customer" in told
    assert "Ana" not in told
