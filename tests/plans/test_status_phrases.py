"""Status phrases, statuses in titles and labels of items: one table each."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.plans.plan_words import read_label
from progress_plugin.plans.status_phrases import split_status, status_of_phrase, without_status


def _rows(name: str) -> list[list[str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("# ")]


@pytest.mark.parametrize(("phrase", "expected"), _rows("status_phrases.tsv"))
def test_a_phrase_is_looked_up_whole(phrase: str, expected: str) -> None:
    assert (status_of_phrase(phrase) or "unknown") == expected


@pytest.mark.parametrize(("title", "rest", "expected"), _rows("title_statuses.tsv"))
def test_a_title_is_split_from_its_status(title: str, rest: str, expected: str) -> None:
    found = split_status(title)
    assert (found[0], found[1] or "none") == (rest, expected)


def test_a_reason_keeps_hyphens_and_addresses() -> None:
    texts = ["sign-off is missing", "https://ferry.example is down", "blocked - no sign-off"]
    assert [without_status(text) for text in texts] == [*texts[:2], "no sign-off"]


@pytest.mark.parametrize(("text", "name", "rest", "kind"), _rows("labels.tsv"))
def test_a_label_names_an_item(text: str, name: str, rest: str, kind: str) -> None:
    label = read_label(text)
    assert (label.id, label.title, label.kind) == (name, rest, kind) if name else label is None
