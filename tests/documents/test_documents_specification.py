"""The specification has every clause that is cited, each once."""

from __future__ import annotations

import re
from collections import Counter

from tests.documents.citations import SPECIFICATION, anchors, citations, cited

_TEXT = SPECIFICATION.read_text("utf-8")
_CLAUSES = anchors(_TEXT)


def test_every_clause_that_is_cited_anywhere_is_in_the_specification() -> None:
    known = {number for _, number in _CLAUSES}
    assert [each for each in citations() if each.clause not in known] == []


def test_no_number_is_given_to_two_clauses() -> None:
    twice = [number for number, times in Counter(number for _, number in _CLAUSES).items() if times > 1]
    assert twice == []


def test_the_anchor_of_a_clause_is_its_number() -> None:
    assert [pair for pair in _CLAUSES if pair[0] != pair[1].lower()] == []


def test_clauses_are_numbered_without_a_gap() -> None:
    sections = [number for _, number in _CLAUSES if "." not in number]
    assert sections == [f"S{place}" for place in range(1, len(sections) + 1)]
    for section in sections:
        numbers = [number for _, number in _CLAUSES if number.startswith(f"{section}.")]
        assert numbers == [f"{section}.{place}" for place in range(1, len(numbers) + 1)]


def test_every_link_within_the_specification_leads_to_an_anchor_of_it() -> None:
    known = {anchor for anchor, _ in _CLAUSES} | {"terms"}
    assert "## Terms" in _TEXT
    assert set(re.findall(r"\]\(#([^)]+)\)", _TEXT)) - known == set()


def test_the_contents_list_every_section() -> None:
    listed = re.findall(r"^\| \[S\d+\]\(#(s\d+)\) \|", _TEXT, re.MULTILINE)
    assert listed == [anchor for anchor, _ in _CLAUSES if "." not in anchor]


def test_citations_are_found_in_comments_docstrings_strings_and_documents() -> None:
    module = '"""Does it (S4, S1.10).\n\nAs S99 says.\n"""\n\nHELD = "S16.2"  # see S3.4, S5\n'
    assert cited("x.py", module) == [
        (1, "S1.10"), (1, "S4"), (3, "S99"), (6, "S16.2"), (6, "S3.4"), (6, "S5"),
    ]  # fmt: skip
    assert cited("x.md", "| S9.1, S9.2 |\n\nSee S12; also `S5.1`.\n") == [
        (1, "S9.1"), (1, "S9.2"), (3, "S12"), (3, "S5.1"),
    ]  # fmt: skip


def test_what_only_looks_like_a_citation_is_none() -> None:
    module = '"""`S3` is an id, S3-1 and US-S4 too."""\nSTORIES = ["S1", "S2: put"]  # noqa: S101, S105\n'
    assert cited("x.py", module) == []
    assert cited("x.md", "```\nS1\n```\nPut it into `S3`, ES6.1, RS256, S1.2.3a and LS0tS1.\n") == []
    assert cited("x.toml", '"S603", "S7"  # S8') == []
