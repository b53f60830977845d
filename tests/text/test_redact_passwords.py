"""Passwords go whole, wherever they are written beside their name, and what only looks like one stays."""

from __future__ import annotations

import json
import random
import string

import pytest

from progress_plugin.text.redact import redact
from tests.text.password_tables import (
    ASSIGNED,
    CONTINUED,
    IN_ADDRESSES,
    IN_STATEMENTS,
    IN_TABLES,
    NONE_OF_THEM,
)

_RUN = 4
"""Characters of a secret in a row that may not stay."""
_SIGNS = "".join(sign for sign in string.punctuation if sign not in "\"'`\\")


def _left(secret: str, text: str) -> list[str]:
    size = min(_RUN, len(secret))
    return [secret[at : at + size] for at in range(len(secret) - size + 1) if secret[at : at + size] in text]


@pytest.mark.parametrize(("template", "secret"), [*IN_ADDRESSES, *IN_STATEMENTS, *CONTINUED, *ASSIGNED])
def test_no_part_of_a_password_stays_beside_its_name(template: str, secret: str) -> None:
    redacted, count = redact(f"seen {template.format(secret)}\nthe end")
    around = template.format("")
    assert [part for part in _left(secret, redacted) if part not in around] == []
    assert count >= 1
    assert redacted.endswith("\nthe end")
    assert redact(redacted) == (redacted, 0)


@pytest.mark.parametrize(("template", "secret"), [*IN_ADDRESSES, *IN_STATEMENTS])
def test_no_part_of_a_password_stays_in_a_text_of_json(template: str, secret: str) -> None:
    redacted = redact(json.dumps({"stdout": template.format(secret)}))[0]
    assert [part for part in _left(secret, redacted) if part not in template] == []


@pytest.mark.parametrize(("template", "secret"), IN_TABLES)
def test_no_password_stays_in_a_column_that_is_named_so(template: str, secret: str) -> None:
    assert redact(template.format(secret)) == (template.format("[REDACTED:SECRET]"), 1)


def test_references_words_and_results_behind_such_a_name_stay() -> None:
    assert [text for text in NONE_OF_THEM if redact(text) != (text, 0)] == []


def test_of_random_passwords_behind_a_variable_one_in_a_hundred_may_leave_a_part() -> None:
    rng = random.Random(20261123)
    alphabet = string.ascii_letters + string.digits + _SIGNS
    secrets = ["".join(rng.choices(alphabet, k=16)) for _ in range(1500)]
    texts = {secret: redact(f"set DB_PASSWORD={secret} in .env")[0] for secret in secrets}
    kept = [secret for secret, text in texts.items() if _left(secret, text)]
    assert len(kept) <= len(secrets) // 100, kept
