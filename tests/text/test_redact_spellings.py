"""A secret goes in every spelling of the place that gives it away; what is written about secrets stays."""

from __future__ import annotations

import json

import pytest

from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.safe_output import one_line
from tests.text.spelling_tables import ABOUT_SECRETS, IN_OTHER_LANGUAGES, MIXED, SPELLED, TOKENS, TURNING


@pytest.mark.parametrize(("template", "secret"), SPELLED)
def test_a_secret_goes_in_every_spelling(template: str, secret: str) -> None:
    text = f"seen:\n{template.replace('{}', secret)}\nthe end"
    redacted, count = redact(text)
    assert secret not in redacted
    assert count >= 1
    assert redacted.endswith("\nthe end")
    assert redact(redacted) == (redacted, 0)
    assert secret not in one_line(text)


@pytest.mark.parametrize(("kind", "token"), TOKENS)
def test_a_token_goes_by_how_it_begins(kind: str, token: str) -> None:
    assert redact(f"use ({token}), please") == (f"use ([REDACTED:{kind}]), please", 1)


@pytest.mark.parametrize("around", ["{}", "- {}\n- the end", "seen: {}"])
def test_what_is_written_about_secrets_stays(around: str) -> None:
    texts = [around.replace("{}", text) for text in ABOUT_SECRETS]
    assert len(texts) > 200
    assert [text for text in texts if redact(text) != (text, 0)] == []


def test_a_name_of_another_language_counts_in_json_too() -> None:
    latin = [text for text, _ in IN_OTHER_LANGUAGES if text.startswith(("API-Schl", "clé", "contra"))]
    texts = [json.dumps({"stdout": text.replace("{}", MIXED)}) for text in latin]
    assert latin
    assert [text for text in texts if MIXED in redact(text)[0]] == []
    assert redact_value({"API-Schlüssel": TURNING, "密码": TURNING, "Schlüssel": "a1"}) == (
        {"API-Schlüssel": "[REDACTED:SECRET]", "密码": "[REDACTED:SECRET]", "Schlüssel": "a1"},
        2,
    )


def test_both_of_two_equal_inputs_go_and_what_surrounds_them_stays() -> None:
    assert redact(f"printf '{TURNING}\\n{TURNING}\\n' | passwd bob") == (
        "printf '[REDACTED:SECRET]\\n[REDACTED:SECRET]\\n' | passwd bob",
        2,
    )
    assert redact(f'mysql -uroot "-p{TURNING}" shop') == ('mysql -uroot "-p[REDACTED:SECRET]" shop', 1)
