"""What sentences tell of passwords goes, old and new ones, behind remarks; what is written about them stays."""

from __future__ import annotations

import json

import pytest

from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from tests.text.remark_tables import ESCAPED, JOINED, NEXT, NONE_TOLD, PLAIN, REPLACED, TOLD, TURNING


@pytest.mark.parametrize(("template", "secret"), [*REPLACED, *TOLD, *ESCAPED])
def test_a_password_that_a_sentence_tells_goes(template: str, secret: str) -> None:
    text = f"seen:\n{template.replace('{}', secret).replace('[]', NEXT)}\nthe end"
    redacted, count = redact(text)
    assert secret not in redacted
    assert NEXT not in redacted
    assert count == 1 + template.count("[]")
    assert redacted.endswith("\nthe end")
    assert redact(redacted) == (redacted, 0)
    assert secret not in one_line(text)


@pytest.mark.parametrize(("template", "secret"), [*REPLACED, *TOLD])
def test_a_password_that_a_sentence_tells_goes_in_a_text_of_json(template: str, secret: str) -> None:
    text = json.dumps({"stdout": template.replace("{}", secret).replace("[]", NEXT)})
    assert [each for each in (secret, NEXT) if each in redact(text)[0]] == []


@pytest.mark.parametrize("around", ["{}", "- {}\n- the end", "`{}`", "seen: {}, then"])
def test_what_a_sentence_says_about_passwords_stays(around: str) -> None:
    texts = [around.replace("{}", text) for text in NONE_TOLD]
    assert [text for text in texts if redact(text) != (text, 0)] == []


def test_what_surrounds_an_old_password_stays() -> None:
    assert redact(f"the old password {PLAIN} does not work") == (
        "the old password [REDACTED:SECRET] does not work",
        1,
    )
    assert redact(f"creds (admin / {JOINED}) work") == ("creds (admin / [REDACTED:SECRET]) work", 1)


def test_only_what_is_a_name_is_read_without_its_escapes() -> None:
    assert redact(f'{{"pass\\u0077ord": "{TURNING}", "caf\\u00e9": "a\\u0022b"}}') == (
        '{"password": "[REDACTED:SECRET]", "caf\\u00e9": "a\\u0022b"}',
        1,
    )
    nested = f'"\\u0061pi\\u005%66key": "{TURNING}"'
    assert redact(nested) == ('"api_key": "[REDACTED:SECRET]"', 1)
    text = f'{{"\\u0061": 1, "password": "{TURNING}"}}'
    assert redact(text) == ('{"\\u0061": 1, "password": "[REDACTED:SECRET]"}', 1)
