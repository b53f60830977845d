"""How many of the secrets that developers write down are found, and how many of their other lines are touched."""

from __future__ import annotations

import json

import pytest

from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.safe_output import cell, one_line
from tests.text.near_tables import NEAR
from tests.text.secret_tables import BRACKETS, COLOURS, GITHUB, INNOCENT, SECRETS, WORD

_PART = 4
"""Characters of a secret in a row that may not stay."""


def _left(secret: str, text: str) -> list[str]:
    """Return the parts of a secret that a text still has; of a short one there is one part, all of it."""
    size = min(_PART, len(secret))
    return [secret[at : at + size] for at in range(len(secret) - size + 1) if secret[at : at + size] in text]


def test_the_tables_are_long_enough_to_give_a_rate() -> None:
    assert len(set(SECRETS)) >= 80
    assert len(set(INNOCENT)) >= 50


@pytest.mark.parametrize(("template", "secret"), SECRETS)
def test_no_part_of_a_secret_stays(template: str, secret: str) -> None:
    text = f"seen: {template.format(secret)}\nthe end"
    redacted, count = redact(text)
    around = template.format("")
    assert [part for part in _left(secret, redacted) if part not in around] == []
    assert count >= 1
    assert redacted.endswith("\nthe end")
    assert redact(redacted) == (redacted, 0)
    assert [part for part in _left(secret, one_line(text)) if part not in around] == []


@pytest.mark.parametrize(("template", "secret"), SECRETS)
def test_no_part_of_a_secret_stays_in_a_text_of_json(template: str, secret: str) -> None:
    text = json.dumps({"stdout": template.format(secret)}, ensure_ascii=False)
    escaped = json.dumps(secret)[1:-1]
    redacted = redact(text)[0]
    around = json.dumps({"stdout": template.format("")}, ensure_ascii=False)
    assert [part for part in _left(escaped, redacted) if part not in around] == []


def test_lines_that_come_near_to_one_with_a_secret_come_through_as_they_are() -> None:
    assert [text for text in NEAR if redact(text) != (text, 0)] == []


def test_lines_without_a_secret_come_through_as_they_are() -> None:
    assert [text for text in INNOCENT if redact(text) != (text, 0)] == []
    assert [text for text in INNOCENT if redact_value({"notes": text}) != ({"notes": text}, 0)] == []


@pytest.mark.parametrize("colour", COLOURS)
def test_a_colour_that_hides_nothing_stays(colour: str) -> None:
    text = f"{colour}PASS{colour} test_reset_v2, see {GITHUB[:8]}"
    assert redact(text) == (text, 0)


def test_a_cell_s_escapes_make_no_secret_of_what_was_none() -> None:
    for came in (
        "JWT_SECRET=required[[|SECRET]",
        "JWT_SECRET=a[3|${X}",
        "DB_PASSWORD=required|DB_USER=x",
        "DB_PASSWORD=,|abc)",
    ):
        text = cell(came)
        assert (cell(text), redact(text)) == (text, (text, 0))
    assert cell("JWT_SECRET=ab|cd9x") == cell("JWT_SECRET=ab\\|cd9x") == "JWT_SECRET=[REDACTED:SECRET]"


def test_a_line_ends_in_no_space_where_what_hid_a_secret_is_gone() -> None:
    line = one_line("the password is \n={e\\\\x1b[0m[mot de passe = \\\\x1b[0m")
    assert one_line(line) == line


def test_the_brackets_around_an_assignment_are_not_of_its_value() -> None:
    assert redact("login(password=q7Rz4LmT9v)") == ("login(password=[REDACTED:SECRET])", 1)
    assert redact(f"({{DB_PASSWORD={WORD}}})") == ("({DB_PASSWORD=[REDACTED:SECRET]})", 1)
    assert redact(f"<b>DB_PASSWORD={BRACKETS}</b>") == ("<b>DB_PASSWORD=[REDACTED:SECRET]</b>", 1)


def test_a_member_for_passwords_is_one_whatever_it_is_made_of() -> None:
    assert redact_value({"DB_PASSWORD": WORD, "Kennwort": "Sommer2024", "password": WORD}) == (
        {"DB_PASSWORD": "[REDACTED:SECRET]", "Kennwort": "[REDACTED:SECRET]", "password": WORD},
        2,
    )
