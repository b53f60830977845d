"""A text of several lines is parted into its items and paragraphs, and no secret is parted with it."""

from __future__ import annotations

import pytest

from progress_plugin.text.safe_output import items, one_line, points

KEY = """-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASC
BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj
-----END PRIVATE KEY-----"""
WRAPPED = "The harbour master wants all berths to be numbered from the sea, and"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n \n", []),
        ("one", ["one"]),
        ("- one", ["one"]),
        ("- one\n* two\n• three", ["one", "two", "three"]),
        ("one\r\ntwo", ["one", "two"]),
        ("one\ntwo\nThree", ["one", "two", "Three"]),
        (f"- {WRAPPED}\n  not from the land", [f"{WRAPPED} not from the land"]),
        (f"{WRAPPED}\nnot from the land", [f"{WRAPPED} not from the land"]),
        (f"{WRAPPED}\n- not from the land", [WRAPPED, "not from the land"]),
        (f"{WRAPPED}\n\nnot from the land", [WRAPPED, "not from the land"]),
        ("# Head\n1. one\n> two\n---\n```\ncode\n```", ["Head", "1. one", "two", "code"]),
        ("**Always** use `uv`", ["**Always** use `uv`"]),
        ("-5 degrees", ["-5 degrees"]),
        ("a\u200bb\n\x1b[31mc", ["ab", "c"]),
    ],
)
def test_a_text_is_parted_into_its_items_and_paragraphs(text: str, found: list[str]) -> None:
    assert points(text) == found


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        "api_key:\nXk29fjQ8zLmP02aa\nis no longer used",
    ],
)
def test_a_text_that_holds_a_secret_stays_whole_so_that_it_is_known(text: str) -> None:
    assert points(text) == [" ".join(text.split())]


def test_a_list_that_holds_a_secret_is_one_point() -> None:
    [point] = points("- mysqldump\n- -pq7Rz4LmT9v\n- shop")
    assert one_line(point) == "- mysqldump - -[REDACTED:SECRET] - shop"


def test_a_statement_is_parted_only_where_it_is_a_list() -> None:
    assert items("Mill stands\nstill") == ["Mill stands still"]
    assert items("- Mill stands\n- still") == ["Mill stands", "still"]
