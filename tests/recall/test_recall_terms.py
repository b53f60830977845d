"""The same words are the same terms, however a name is written and whatever the language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.recall.filters import names_file, parts_of
from progress_plugin.recall.question import MAX_CHARACTERS, question_of
from progress_plugin.recall.terms import terms_of

EXAMPLES = json.loads((Path(__file__).with_name("data") / "examples.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "terms"), EXAMPLES["terms"])
def test_a_text_has_these_terms(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


@pytest.mark.parametrize("form", ["lastTide", "last_tide", "last-tide", "LAST_TIDE", "last tide", "LastTide"])
def test_a_name_is_found_by_its_parts_in_whatever_way_it_is_written(form: str) -> None:
    assert " last tide " in f" {' '.join(terms_of(form))} "


@pytest.mark.parametrize(("words", "terms"), EXAMPLES["questions"])
def test_words_that_only_ask_are_not_looked_for_beside_others(words: str, terms: list[str]) -> None:
    assert [term.text for term in question_of(words).terms] == terms


@pytest.mark.parametrize(
    "words", ['"', "a AND", "NEAR(", "*", "x:", "- -", "^x", "{a b}", "\0", "\u202ex\u202c"]
)
def test_no_character_of_a_question_is_left_in_its_terms(words: str) -> None:
    for term in question_of(words).terms:
        assert all(part.isalnum() for part in term.text.split(" "))


def test_a_question_as_long_as_a_file_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput, match=r"^the question has 2001 characters, at most 2000"):
        question_of("x" * (MAX_CHARACTERS + 1))


@pytest.mark.parametrize(("text", "path", "named"), EXAMPLES["file_mentions"])
def test_a_text_names_a_file_where_one_path_is_the_end_of_the_other(
    text: str, path: str, named: bool
) -> None:
    assert names_file(text, parts_of(path)) is named
