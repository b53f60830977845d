"""What commands are given as a secret goes; options of other programs that look the same stay."""

from __future__ import annotations

import json

import pytest

from progress_plugin.text.document_text import without_parts_across_lines
from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.safe_output import one_line
from tests.text.option_tables import IN_COMMANDS, MIXED, NO_SECRET_IN_COMMANDS, WORD


@pytest.mark.parametrize(("template", "secret"), IN_COMMANDS)
@pytest.mark.parametrize("around", ["{}", "$ {}\n- the end", "- ran `{}`, then went on", "Ran {}"])
def test_a_secret_that_a_command_is_given_goes(around: str, template: str, secret: str) -> None:
    text = around.format(template.format(secret))
    redacted, count = redact(text)
    assert secret not in redacted
    assert count >= 1
    assert redact(redacted) == (redacted, 0)
    assert secret not in one_line(text)


@pytest.mark.parametrize(("template", "secret"), IN_COMMANDS)
def test_a_secret_that_a_command_is_given_goes_in_a_text_of_json(template: str, secret: str) -> None:
    assert secret not in redact(json.dumps({"command": template.format(secret) + "\nmake"}))[0]


@pytest.mark.parametrize("around", ["{}", "- {}\n- the end", "`{}`"])
def test_options_of_other_programs_and_values_that_stand_in_stay(around: str) -> None:
    texts = [around.format(text) for text in NO_SECRET_IN_COMMANDS]
    assert [text for text in texts if redact(text) != (text, 0)] == []
    assert [text for text in texts if redact_value({"notes": text}) != ({"notes": text}, 0)] == []


def test_what_surrounds_the_secret_of_a_command_stays() -> None:
    assert redact(f"zip -r -P {WORD} a.zip b && ls") == ("zip -r -P [REDACTED:SECRET] a.zip b && ls", 1)
    assert redact(f"echo 'bob:{WORD}' | chpasswd") == ("echo 'bob:[REDACTED:SECRET]' | chpasswd", 1)
    assert redact(f"Set-Cookie: sid={MIXED}; Path=/") == ("Set-Cookie: [REDACTED:COOKIE]; Path=/", 1)
    assert redact(f"sqlplus u/{WORD}@db") == ("sqlplus u/[REDACTED:SECRET]@db", 1)


def test_a_command_continued_over_lines_gives_its_secret_away_all_the_same() -> None:
    text = f"mongosh \\\n  -u a \\\n  -p {MIXED} \\\n  shop"
    assert MIXED not in redact(text)[0]
    assert MIXED not in without_parts_across_lines(text)


def test_a_member_that_holds_cookies_is_one() -> None:
    assert redact_value({"Cookie": f"sid={MIXED}", "cookie": "theme=dark"}) == (
        {"Cookie": "[REDACTED:COOKIE]", "cookie": "theme=dark"},
        1,
    )
