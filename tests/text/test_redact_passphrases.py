"""Ordinary words and a number are a password where they are named so, and names of things nowhere."""

from __future__ import annotations

import json

import pytest

from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.safe_output import one_line
from tests.text.passphrase_tables import (
    ABOUT_SOMETHING_ELSE,
    DANCE,
    NO_PASSPHRASES,
    NUMBER_FIRST,
    PASSPHRASES,
    PLACES,
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("secret", PASSPHRASES)
def test_a_passphrase_goes_wherever_a_password_is_named(place: str, secret: str) -> None:
    text = f"seen:\n{place.replace('{}', secret)}\nthe end"
    redacted, count = redact(text)
    assert secret not in redacted
    assert count == 1
    assert redacted.endswith("\nthe end")
    assert redact(redacted) == (redacted, 0)


@pytest.mark.parametrize("place", [place for place in PLACES if "\n" not in place])
def test_a_passphrase_goes_in_one_line_and_in_a_text_of_json(place: str) -> None:
    text = place.replace("{}", DANCE)
    assert DANCE not in one_line(text)
    assert DANCE not in redact(json.dumps({"stdout": text}, ensure_ascii=False))[0]


def test_the_number_of_a_passphrase_may_stand_first() -> None:
    texts = [name.replace("{}", NUMBER_FIRST) for name in ("password is {}", "password: {}", 'pwd="{}"')]
    assert [text for text in texts if NUMBER_FIRST in redact(text)[0]] == []


@pytest.mark.parametrize(
    "name", ["password: {}", '{"password": "{}"}', "db_password={}", "the password is {}"]
)
def test_a_joined_name_is_no_passphrase(name: str) -> None:
    texts = [name.replace("{}", value) for value in NO_PASSPHRASES]
    assert [text for text in texts if redact(text) != (text, 0)] == []


def test_both_passphrases_of_a_change_go() -> None:
    text = f"password changed from {DANCE} to {NUMBER_FIRST[3:]}-7, see the log"
    assert redact(text) == ("password changed from [REDACTED:SECRET] to [REDACTED:SECRET], see the log", 2)
    about = "password changed from bcrypt-cost-10 to bcrypt-cost-12, the password `login-page-2` works"
    assert redact(about) == (about, 0)


def test_a_passphrase_behind_another_name_stays() -> None:
    texts = [text.replace("{}", DANCE) for text in ABOUT_SOMETHING_ELSE]
    assert [text for text in texts if redact(text) != (text, 0)] == []


def test_a_member_of_json_that_is_named_so_is_a_passphrase() -> None:
    given = {"db_password": DANCE, "api_key": DANCE, "password": "login-page-2"}
    assert redact_value(given) == (given | {"db_password": "[REDACTED:SECRET]"}, 1)
