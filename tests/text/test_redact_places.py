"""A secret goes where its place alone gives it away: a call, a store, an input, a sentence, a cell; all else there stays."""

from __future__ import annotations

import json
import random
import string

import pytest

from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from tests.text.place_tables import FILLED, IN_CELLS, NONE_IN_THESE_PLACES, SIGNED

_SIGNS = "!@#$%^&*()[]{}-_+=~?."


@pytest.mark.parametrize(("template", "secret"), FILLED)
def test_a_secret_goes_from_a_place_for_secrets(template: str, secret: str) -> None:
    text = f"seen:\n{template.replace('{}', secret)}\nthe end"
    redacted, count = redact(text)
    assert redacted == text.replace(secret, "[REDACTED:SECRET]")
    assert count == 1
    assert redact(redacted) == (redacted, 0)
    assert secret not in one_line(text)


@pytest.mark.parametrize(("template", "secret"), [pair for pair in FILLED if pair[0] not in IN_CELLS])
def test_a_secret_goes_from_such_a_place_in_a_text_of_json(template: str, secret: str) -> None:
    assert secret not in redact(json.dumps({"stdout": template.replace("{}", secret)}))[0]


@pytest.mark.parametrize("around", ["{}", "- {}\n- the end", "seen:\n{}\nthe end"])
def test_what_is_no_secret_stays_in_such_a_place(around: str) -> None:
    texts = [around.format(text) for text in NONE_IN_THESE_PLACES]
    assert [text for text in texts if redact(text) != (text, 0)] == []


def test_every_pair_that_a_store_is_given_goes() -> None:
    secrets = [f"{SIGNED}{number}" for number in range(30)]
    pairs = " ".join(f"NAME_{at}={secret}" for at, secret in enumerate(secrets))
    redacted, count = redact(f"fly secrets set {pairs}\nmake MODE={SIGNED}")
    assert count == len(secrets)
    assert redacted.endswith(f"NAME_29=[REDACTED:SECRET]\nmake MODE={SIGNED}")


@pytest.mark.parametrize("name", ["DB_PASSWORD", "PGPASSWORD", "API_SECRET"])
def test_no_bracket_ends_a_password_that_goes_on_behind_it(name: str) -> None:
    rng = random.Random(20261124)
    for _ in range(300):
        secret = "".join(rng.choices(string.ascii_letters + string.digits, k=5)) + rng.choice(")]}>([{<")
        secret += "".join(rng.choices(string.ascii_letters + string.digits + _SIGNS, k=8)) + "x9"
        assert redact(f"{name}={secret}") == (f"{name}=[REDACTED:SECRET]", 1), secret


@pytest.mark.parametrize("name", ["DB_PASSWORD", "ENCRYPTION_KEY", "MASTER_KEY", "AUTH_TOKEN"])
def test_of_what_a_variable_holds_that_has_a_bracket_no_tail_stays(name: str) -> None:
    """A value that does not look like a key stays as it is: whatever goes, goes whole."""
    rng = random.Random(20261124)
    for _ in range(300):
        value = "".join(rng.choices(string.ascii_letters + string.digits, k=12)) + rng.choice(")]}>([{<")
        value += "".join(rng.choices(string.ascii_letters + string.digits, k=12)) + "x9"
        assert redact(f"{name}={value}") in (
            (f"{name}=[REDACTED:SECRET]", 1),
            (f"{name}={value}", 0),
        ), value
