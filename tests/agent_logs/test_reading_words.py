"""Dates, headings, section names, noise and kinds: each a table of examples."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from progress_plugin.agent_logs.dates import find_date
from progress_plugin.agent_logs.headings import read_heading
from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.agent_logs.noise import is_noise, is_report
from progress_plugin.agent_logs.sections import section_of
from progress_plugin.model.work import Source, Statement
from tests.agent_logs.tables import table


@pytest.mark.parametrize(("text", "day", "rest"), table("dates.json"))
def test_a_date_is_found_with_its_time_and_brackets(text: str, day: str | None, rest: str) -> None:
    found = find_date(text)
    if day is None:
        assert found is None
    else:
        assert found is not None
        assert (found.day.isoformat(), text[: found.start] + text[found.end :]) == (day, rest)


@pytest.mark.parametrize("row", table("headings.json"), ids=lambda row: row["text"])
def test_a_heading_is_taken_apart(row: dict[str, Any]) -> None:
    read = read_heading(row["text"], row.get("plan", ()))
    date = dt.date.fromisoformat(row["date"]) if "date" in row else None
    assert (list(read.ids), read.title) == (row.get("ids", []), row.get("title", ""))
    assert (read.date, read.status) == (date, row.get("status"))
    assert read.number == row.get("session")


@pytest.mark.parametrize(("name", "section"), table("sections.json"))
def test_a_name_announces_a_section(name: str, section: str | None) -> None:
    assert section_of(name) == section


@pytest.mark.parametrize("text", table("noise.json")["noise"])
def test_text_that_says_nothing_is_noise(text: str) -> None:
    assert is_noise(text)


@pytest.mark.parametrize("text", table("noise.json")["reports"])
def test_text_about_a_state_of_its_day_is_a_report(text: str) -> None:
    assert is_report(text)


@pytest.mark.parametrize("text", table("noise.json")["told"])
def test_text_that_says_something_is_kept(text: str) -> None:
    assert not is_noise(text)
    assert not is_report(text)


@pytest.mark.parametrize(("section", "text", "kind"), table("kinds.json"))
def test_the_kind_of_a_learning_follows_from_section_and_words(section: str, text: str, kind: str) -> None:
    assert kind_of(Statement(text, Source("log.md", 1), section, story="MILL-7")) == kind
