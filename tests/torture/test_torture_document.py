"""The table of promises, made from what tests recorded."""

from __future__ import annotations

import re

from tests.conftest import REPOSITORY
from tests.fuzz.tally import Kind, Tally
from tests.hostile.conftest import promised
from tests.torture.remake import DOCUMENT, SECURITY, document, undefended, with_undefended

ONE = {
    "promise": "P",
    "section": "S1",
    "test": "tests/x.py::test_it_holds",
    "figures": {"kills": 3, "entries_lost": 0, "longest_ms": 9},
    "asked": 20,
    "day": "2026-03-01",
}
NOTHING = Tally("")


def test_figures_of_several_runs_of_one_test_are_one_line() -> None:
    text = document([ONE, {**ONE, "figures": {"kills": 1004, "entries_lost": 0, "longest_ms": 4}}], NOTHING)
    assert (
        "| P | S1 | `tests/x.py` · `it_holds` | kills: 1,007, entries lost: 0, longest ms: 9 | 2026-03-01 |\n"
        in text
    )


def test_lines_of_tests_that_did_not_run_stay_with_their_day_unless_the_test_is_gone() -> None:
    page = DOCUMENT.read_text("utf-8")
    row = next(row for row in page.splitlines() if "`what_was_found_once_is_not_found_again`" in row)
    gone = row.replace("found_once", "lost_once")
    older = page.replace(row, f"{row}\n{gone}")
    one = {**ONE, "test": "tests/torture/test_torture_document.py::test_it_holds", "figures": {"kills": 3}}
    text = document([one], NOTHING, older)
    assert row in text
    assert gone not in text
    assert "| kills: 3 | 2026-03-01 |\n" in text


def test_every_test_that_the_document_names_exists() -> None:
    named = re.findall(r"`(tests/\S+\.py)` · `(\w+)`", DOCUMENT.read_text("utf-8"))
    assert len(named) > 20
    missing = [
        (path, name)
        for path, name in named
        if f"def test_{name}(" not in (REPOSITORY / path).read_text("utf-8")
    ]
    assert not missing


TALLY = Tally(
    "abc", "2026-03-01", 2,
    {
        "prd.json": Kind(tried=400_000, traced=10_000, kept=3, grown=7, seconds=80),
        "a plan alone": Kind(tried=500_000, traced=12_000, kept=40, grown=9, seconds=200.4),
    },
)  # fmt: skip


def test_what_was_fuzzed_is_told_of_each_kind_and_how_far_it_is_from_what_is_wanted() -> None:
    text = " ".join(document([ONE], TALLY).split())
    told = "tried **900,000 inputs** in 5 minutes of processor time, of 1,000,000 that are wanted, 0 findings open (last on 2026-03-01)"
    assert told in text
    assert "22,000 of them were traced, and the 43 that reached new lines" in text
    assert "400,000 inputs went through a start" in text
    assert "16 parts were there over and over" in text
    assert "(`abc` is the digest of both, tried in 2 runs)" in text
    assert (
        "| `prd.json` | 400,000 | 10,000 | 7 | 80 s | | a plan alone | 500,000 | 12,000 | 9 | 200 s |" in text
    )
    more = document([ONE], Tally("abc", kinds={"prd.json": Kind(tried=1_000_000)}))
    assert "that are wanted" not in more


def test_what_was_fuzzed_before_stays_where_nothing_was_tried_of_the_code_as_it_is_now() -> None:
    page = document([ONE], TALLY)
    assert document([ONE], Tally("def"), page) == page
    assert "What was fuzzed" not in document([ONE], Tally("def"))


def test_a_run_of_everything_keeps_no_line_of_an_earlier_one() -> None:
    page = DOCUMENT.read_text("utf-8")
    assert "`what_was_found_once_is_not_found_again`" in document([ONE], TALLY, page)
    assert "`what_was_found_once_is_not_found_again`" not in document([ONE], TALLY, page, only=False)


def test_a_module_of_attackers_cases_is_a_line_of_its_first_sentence() -> None:
    assert promised("tests/hostile/test_hostile_git.py") == {
        "promise": "Git is started one way, and starts nothing that a repository names",
        "section": "S16.4",
    }


def test_a_page_is_made_after_what_is_not_defended_has_changed() -> None:
    page = DOCUMENT.read_text("utf-8")
    older = page.replace(undefended(), "- Nothing.\n")
    assert older != page
    assert with_undefended(older) == with_undefended(page) == page


def test_what_is_not_defended_is_said_once_and_told_here_as_it_stands_there() -> None:
    told = undefended()
    assert told.startswith("- Another process of the same user with bad intent")
    assert f"\n## What is not defended against\n\n{told}\n" in DOCUMENT.read_text("utf-8")
    assert f"\n## What is not defended\n\n{told}\n" in SECURITY.read_text("utf-8")
