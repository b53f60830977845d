"""The table of promises, made from what tests recorded."""

from __future__ import annotations

import re

from tests.conftest import REPOSITORY
from tests.hostile.conftest import promised
from tests.torture.remake import DOCUMENT, SECURITY, document, undefended, with_undefended


def test_figures_of_several_runs_of_one_test_are_one_line() -> None:
    one = {
        "promise": "P",
        "section": "S1",
        "test": "tests/x.py::test_it_holds",
        "figures": {"kills": 3, "entries_lost": 0, "longest_ms": 9},
        "asked": 20,
        "day": "2026-03-01",
    }
    text = document([one, {**one, "figures": {"kills": 1004, "entries_lost": 0, "longest_ms": 4}}])
    assert (
        "| P | S1 | `tests/x.py` · `it_holds` | kills: 1,007, entries lost: 0, longest ms: 9 | 2026-03-01 |\n"
        in text
    )


def test_lines_of_tests_that_did_not_run_stay_with_their_day_unless_the_test_is_gone() -> None:
    page = DOCUMENT.read_text("utf-8")
    row = next(row for row in page.splitlines() if "`what_was_found_once_is_not_found_again`" in row)
    gone = row.replace("found_once", "lost_once")
    older = page.replace(row, f"{row}\n{gone}")
    one = {
        "promise": "P",
        "section": "S1",
        "test": "tests/torture/test_torture_document.py::test_it_holds",
        "figures": {"kills": 3},
        "asked": 0,
        "day": "2026-03-01",
    }
    text = document([one], older)
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


def test_the_inputs_of_all_fuzzers_are_one_figure_with_the_time_that_they_took() -> None:
    told = [
        {
            "promise": promise,
            "section": "S1",
            "test": f"{path}::test_it_holds",
            "variant": variant,
            "figures": {"inputs_tried": tried, "seconds": 90},
            "asked": 20,
            "day": "2026-03-01",
        }
        for promise, path, variant, tried in (
            ("P", "tests/fuzz/x.py", "search", 500_000),
            ("The work grows no faster", "tests/fuzz/y.py", "append", 400_000),
        )
    ]
    text = document(
        [
            *told,
            {
                **told[0],
                "promise": "Q",
                "test": "tests/torture/x.py::test_it_holds",
                "figures": {"inputs_tried": 5},
            },
        ]
    )
    assert "tried **900,000 inputs** in 3 minutes, of 1,000,000 that were wanted, 0 findings open." in text
    assert (
        "500,000 of them were `search`, which is the\nquickest; each other kind of input had 400,000 at least."
        in text
    )
    assert "400,000 were made of one part over and over" in text
    assert "| inputs tried: 500,000 |" in text


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
