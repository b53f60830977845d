"""Secrets go, look-alikes stay, and what is private never comes back."""

from __future__ import annotations

import json
import random
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from progress_plugin.text.redact import redact, redact_value
from tests.text.harmless import HARMLESS

_AN = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_RANDOM = random.Random(7)


def _of(alphabet: str, length: int) -> str:
    return "".join(_RANDOM.choices(alphabet, k=length - 1)) + "7"


SECRETS = [
    # (kind, secret); made here, so that no file of the repository holds one
    ("AWS_ACCESS_KEY", "AKIA" + _of(string.ascii_uppercase + string.digits, 16)),
    ("GITHUB_TOKEN", "ghp_" + _of(_AN, 36)),
    ("GITHUB_TOKEN", "github_pat_" + _of(_AN + "_", 60)),
    ("GITLAB_TOKEN", "glpat-" + _of(_AN, 20)),
    ("SLACK_TOKEN", "xoxb-" + _of(string.digits, 12) + "-" + _of(_AN, 24)),
    ("WEBHOOK", "https://hooks.slack.com/services/T" + _of(_AN, 8) + "/B" + _of(_AN, 8) + "/" + _of(_AN, 24)),
    ("ANTHROPIC_KEY", "sk-ant-api03-" + _of(_AN, 60)),
    ("OPENAI_KEY", "sk-proj-" + _of(_AN + "_-", 60)),
    ("OPENAI_KEY", "sk-" + _of(_AN, 48)),
    ("GOOGLE_KEY", "AIza" + _of(_AN + "-_", 35)),
    ("GOOGLE_KEY", "GOCSPX-" + _of(_AN, 28)),
    ("STRIPE_KEY", "sk_live_" + _of(_AN, 24)),
    ("NPM_TOKEN", "npm_" + _of(_AN, 36)),
    ("PYPI_TOKEN", "pypi-AgE" + _of(_AN, 80)),
    ("SENDGRID_KEY", "SG." + _of(_AN, 22) + "." + _of(_AN, 43)),
    ("TWILIO_KEY", "SK" + _of(_HEX, 32)),
    ("HUGGINGFACE_TOKEN", "hf_" + _of(_AN, 34)),
    ("JWT", "eyJ" + _of(_AN, 20) + ".eyJ" + _of(_AN, 30) + "." + _of(_AN, 43)),
    ("DISCORD_TOKEN", "M" + _of(_AN, 23) + "." + _of(_AN, 6) + "." + _of(_AN, 27)),
    ("TELEGRAM_TOKEN", _of(string.digits, 10) + ":A" + _of(_AN, 34)),
]

ASSIGNMENTS = [
    ('password = "{}"', "Hunter22!", "SECRET"),
    ("DB_PASSWORD={}", "hunter2024", "SECRET"),
    ("export API_KEY={}", "a81kz02kd9", "SECRET"),
    ("api-key: '{}'", "abc123def456", "SECRET"),
    ("clientSecret: `{}`", "q8W-zz1-LmN", "SECRET"),
    ('{{"access_token": "{}"}}', "zK19fj20dk29", "SECRET"),
    ('{{\\"password\\": \\"{}\\"}}', "hunter22", "SECRET"),
    ("login --password {} --user me", "s3cr3tp4ss", "SECRET"),
    ("AWS_SECRET_ACCESS_KEY={}", "wJalr7UtnFEMI/K7MDENG/bPxRfiCY1234567890", "SECRET"),
    ("aws_secret_access_key = '{}'", "/Jalr7UtnFEMI/K7MDENG/bPxRfiCY1234567890", "SECRET"),
    ("Authorization: Bearer {}", "abcdefghijklmnopqrst1234", "AUTHORIZATION"),
    ("postgres://{}@db.internal:5432/shop", "app:S3cr3t-pw", "URL_CREDENTIALS"),
    ("redis://{}@cache", ":longpassword", "URL_CREDENTIALS"),
]


@pytest.mark.parametrize(("kind", "secret"), SECRETS, ids=[kind for kind, _ in SECRETS])
def test_a_secret_of_a_known_shape_is_replaced_by_its_kind(kind: str, secret: str) -> None:
    assert redact(f"use ({secret}), please") == (f"use ([REDACTED:{kind}]), please", 1)


@pytest.mark.parametrize(("template", "value", "kind"), ASSIGNMENTS, ids=[text for text, *_ in ASSIGNMENTS])
def test_a_value_that_its_surroundings_give_away_is_replaced_and_they_stay(
    template: str, value: str, kind: str
) -> None:
    assert redact(template.format(value)) == (template.format(f"[REDACTED:{kind}]"), 1)


def test_there_are_two_hundred_lookalikes_and_all_stay() -> None:
    assert len(HARMLESS) == 200
    assert [text for text in HARMLESS if redact(text) != (text, 0)] == []


def test_a_private_key_goes_whole_and_what_follows_stays() -> None:
    body = "\n".join(_of(_AN + "+/", 64) for _ in range(5))
    text = f"before\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nafter"
    assert redact(text) == ("before\n[REDACTED:PRIVATE_KEY]\nafter", 1)


@pytest.mark.parametrize("kind", ["", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "])
def test_a_private_key_in_a_json_text_goes_in_whatever_format(kind: str) -> None:
    block = " BLOCK" if kind == "PGP " else ""
    lines = [
        f"-----BEGIN {kind}PRIVATE KEY{block}-----",
        _of(_AN, 64),
        f"-----END {kind}PRIVATE KEY{block}-----",
    ]
    assert redact(json.dumps("\n".join(lines) + "\nrest")) == ('"[REDACTED:PRIVATE_KEY]\\nrest"', 1)


def test_a_private_key_that_was_cut_off_goes_as_far_as_it_is_there() -> None:
    text = f"-----BEGIN PRIVATE KEY-----\n{_of(_AN, 64)}\n{_of(_AN, 64)}\n- next: rotate it"
    assert redact(text) == ("[REDACTED:PRIVATE_KEY]\n- next: rotate it", 1)


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ("a<private>b</private>c", "ac", 1),
        ("a<private>b<private>c</private>d</private>e", "ae", 1),
        ("a<private>b</private>c<PRIVATE>d</Private>e", "ace", 2),
        ("a<private>open to the end", "a", 1),
        ("<private>all of it</private>", "", 1),
        ("a</private>b", "a</private>b", 0),
        ("<pri<private>x</private>vate>y", "‹private>y", 1),
        ("class <privateField> stays", "class <privateField> stays", 0),
        ("ssh ubuntu@<private-ip>, then go on", "ssh ubuntu@<private-ip>, then go on", 0),
        ("KEY=<private key> is set", "KEY=<private key> is set", 0),
        ("vector<private::Thing> and <private/>", "vector<private::Thing> and <private/>", 0),
        ("<private>ssh <private-ip> <private key></private> b", " b", 1),
        ("a <private: mine>b</private> c", "a  c", 1),
        ("<private: mine> a <private>b</private> c </private> d", " d", 1),
        ("<private: a> x <private: b>y</private> z</private> d", " d", 1),
        ("<private>a</private> <private: b> c <private>d</private> e</private> f", "  f", 2),
        ("set <private key>, <private>b</private> c", "set <private key>,  c", 1),
        ("set <private key>, <private: mine>b</private> c", "set <private key>,  c", 1),
        ("a <private reason='x'>b", "a ", 1),
        ("text in `<private>` goes, `a <private> b` too", "text in `<private>` goes, `a <private> b` too", 0),
        ("a `<private>b</private>` c", "a `` c", 1),
        ("a <private>b `</private>", "a ", 1),
    ],
)
def test_private_parts_go_with_their_marks(text: str, left: str, count: int) -> None:
    assert redact(text) == (left, count)


def test_values_and_keys_are_redacted_at_any_depth() -> None:
    secret = SECRETS[1][1]
    value = {
        secret: 1,
        "a": [{"b": f"x {secret}"}, "<private>y</private>", 2, None, True],
        "pwd": "correct horse",
    }
    before = json.dumps(value)
    expected = {
        "[REDACTED:GITHUB_TOKEN]": 1,
        "a": [{"b": "x [REDACTED:GITHUB_TOKEN]"}, "", 2, None, True],
        "pwd": "correct horse",
    }
    assert redact_value(value) == (expected, 3)
    assert json.dumps(value) == before


def test_a_string_under_a_secret_name_counts_as_assigned_to_it() -> None:
    value = {"api_key": "zz-Top-9911", "tokens": "12 of 20", "password": "see the vault"}
    assert redact_value(value) == ({**value, "api_key": "[REDACTED:SECRET]"}, 1)


def test_keys_that_hold_secrets_lose_them_and_no_member_is_lost() -> None:
    first, second = SECRETS[1][1], "ghp_" + _of(_AN, 36)
    value = {first: "a", second: "b", "plain": "c"}
    redacted = {"[REDACTED:GITHUB_TOKEN]": "a", "[REDACTED:GITHUB_TOKEN] 2": "b", "plain": "c"}
    assert redact_value(value) == (redacted, 2)
    assert redact_value(redacted) == (redacted, 0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"password": ["geheim" + "99x"]}, {"password": ["[REDACTED:SECRET]"]}),
        ({"password": {"value": "geheim" + "99x"}}, {"password": {"value": "[REDACTED:SECRET]"}}),
        (
            {"argv": ["--password", "geheim" + "99x", "--user", "joe2024x"]},
            {"argv": ["--password", "[REDACTED:SECRET]", "--user", "joe2024x"]},
        ),
        ({"DB_PASSWORD": "two " + "words"}, {"DB_PASSWORD": "[REDACTED:SECRET]"}),
    ],
)
def test_a_name_reaches_into_what_it_holds(value: object, expected: object) -> None:
    assert redact_value(value) == (expected, 1)


def test_nesting_deeper_than_the_interpreters_stack_is_no_obstacle() -> None:
    value: list[object] = ["<private>x</private>"]
    for _ in range(50_000):
        value = [value]
    redacted, count = redact_value(value)
    for _ in range(50_000):
        redacted = redacted[0]
    assert (redacted, count) == ([""], 1)


_PIECES = st.one_of(
    st.sampled_from([secret for _, secret in SECRETS]),
    st.sampled_from(
        ["<private>", "</private>", "password=", 'token: "', '"', "://", "@", ":", "[REDACTED:", "]"]
    ),
    st.text(alphabet=_AN + " \n'\"<>/=:-_.@$\\", max_size=12),
)


@settings(max_examples=300)
@given(st.lists(st.lists(_PIECES, max_size=3).map("".join), max_size=5).map(" ".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once, _ = redact(text)
    assert redact(once) == (once, 0)


@settings(max_examples=200)
@given(st.sampled_from([secret for _, secret in SECRETS]), st.text(max_size=20), st.text(max_size=20))
@example(SECRETS[0][1], "<private>", "")
def test_a_secret_between_other_texts_never_survives(secret: str, before: str, after: str) -> None:
    assert secret not in redact(f"{before} {secret} {after}")[0]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just("x<private>y"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(_JSON)
def test_a_redacted_value_is_still_json_of_the_same_outline(value: object) -> None:
    redacted, _ = redact_value(value)
    assert json.loads(json.dumps(redacted)) == redacted
    assert _outline(redacted) == _outline(value)


def _outline(value: object) -> object:
    if isinstance(value, dict):
        return {key: _outline(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_outline(inner) for inner in value]
    return "" if isinstance(value, str) else value


@pytest.mark.parametrize(
    "unit", ["-----BEGIN PRIVATE KEY-----", "sk-", "xoxb-", "eyJ", "-eyJ", "--a-", "<pri<private>", "a:b@"]
)
def test_a_text_of_nothing_but_beginnings_takes_linear_steps(unit: str) -> None:
    """A quadratic pattern would need hours here; the test runner's own limit is the measure."""
    text = unit * 200_000
    assert len(redact(text)[0]) <= len(text)


@given(
    st.text(string.ascii_letters, min_size=10, max_size=32),
    st.sampled_from(["DB_PASSWORD", "DB_PASS", "PGPASSWORD", "MYSQL_PWD"]),
)
def test_what_a_password_s_variable_is_set_to_goes_whatever_it_is_made_of(value: str, name: str) -> None:
    assert value not in redact(f"set {name}={value} in .env")[0]


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD=$DB_PASSWORD",
        "DB_PASSWORD=<your password>",
        "DB_PASSWORD=changeme",
        "DB_PASSWORD=required",
        "BYPASS=true",
        "COMPASS=north-west",
        "TESTS_PASS=231",
        "DB_PASSWORD=process.env.DB_PASSWORD",
    ],
)
def test_a_variable_that_is_set_to_no_password_stays(text: str) -> None:
    assert redact(text) == (text, 0)
