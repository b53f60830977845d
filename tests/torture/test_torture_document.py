"""The table of promises, made from what tests recorded."""

from __future__ import annotations

import re

from tests.conftest import REPOSITORY
from tests.torture.remake import DOCUMENT, document


def test_figures_of_several_runs_of_one_test_are_one_line() -> None:
    one = {
        "promise": "P",
        "section": "S1",
        "test": "tests/x.py::test_it_holds",
        "figures": {"kills": 3, "entries_lost": 0, "longest_ms": 9},
    }
    text = document([one, {**one, "figures": {"kills": 1004, "entries_lost": 0, "longest_ms": 4}}])
    assert "| P | S1 | `tests/x.py` · `it_holds` | kills: 1,007, entries lost: 0, longest ms: 9 |\n" in text


def test_every_test_that_the_document_names_exists() -> None:
    named = re.findall(r"`(tests/\S+\.py)` · `(\w+)`", DOCUMENT.read_text("utf-8"))
    assert len(named) > 20
    missing = [
        (path, name)
        for path, name in named
        if f"def test_{name}(" not in (REPOSITORY / path).read_text("utf-8")
    ]
    assert not missing
