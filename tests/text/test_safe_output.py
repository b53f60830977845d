"""Texts are split into points, and backticks that only cost tokens are removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.safe_output import one_line, points, statements, summary_item, without_marks

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
    [point] = points(text)
    assert "[REDACTED:" in one_line(point)


def test_a_list_that_holds_a_secret_is_one_point() -> None:
    [point] = points("- mysqldump\n- -pq7Rz4LmT9v\n- shop")
    assert one_line(point) == "- mysqldump - -[REDACTED:SECRET] - shop"


def test_a_statement_is_parted_only_where_it_is_a_list() -> None:
    assert statements("Mill stands\nstill") == ["Mill stands still"]
    assert statements("- Mill stands\n- still") == ["Mill stands", "still"]


@pytest.mark.parametrize(
    "code",
    [
        "web/cart.py", "web/", "./web/cart.py", "../cart.py", ".env", "cart.py", "cart.py:12", "foo_bar", "API_KEY", "setState()",
        "camelCase", "std::path::Path", "US-001", "ab12", "/etc/hosts", "tick_coffin.asm", ".github/workflows/ci.yml",
    ],
)  # fmt: skip
def test_what_can_be_nothing_but_code_needs_no_marks(code: str) -> None:
    assert without_marks(f"Keep `{code}`, and `{code}`.") == f"Keep {code}, and {code}."


@pytest.mark.parametrize(
    "span",
    [
        "`use`", "`@scope/pkg`", "`@docs/keys.md`", "`TABLE`", "`dry-run`", "`make verify`", "`__init__`", "`_private`", "`a_b_`", "`1.2`", "`v1`", "`...`", "`x*y_z`",
        "`<b>x_y</b>`", "`a_b|c_d`", "`http://ab.cd/e`", "`A_B=ab1`", "`src/**/*.py`", "`[x_y](z_a)`", "``x_y``", "`foo_bar`s",
        "a`foo_bar`", "\\`foo_bar`", "`--dry_run`", "`$HOME_DIR`", "`ab@cd.ef`", "`#a_b`",
    ],
)  # fmt: skip
def test_what_could_be_taken_for_words_or_for_more_than_text_keeps_them(span: str) -> None:
    assert without_marks(f"Keep {span}") == f"Keep {span}"


@given(st.text(alphabet="`ab_./:-*<>|\\ 1A@()", max_size=60))
def test_only_backticks_go_and_once_for_all(text: str) -> None:
    bare = without_marks(text)
    assert bare.replace("`", "") == text.replace("`", "")
    assert without_marks(bare) == bare


@given(st.text(alphabet="`ab_./:-*<>|\\ 1A@()#[]", max_size=60))
def test_an_item_is_the_same_when_it_is_made_again(text: str) -> None:
    assert summary_item(summary_item(text)) == summary_item(text)


def test_an_item_hides_a_secret_that_stood_in_code() -> None:
    secret = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    assert "4eC39" not in summary_item(f"The key `{secret}` of web/pay.py")
