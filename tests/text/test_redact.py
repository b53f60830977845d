"""Secrets are redacted, texts that only look like secrets stay, and private parts never come back."""

from __future__ import annotations

import json
import re
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from progress_plugin.core.tables import read_rows
from progress_plugin.text import patterns
from progress_plugin.text.redact import redact, redact_document, redact_lines, redact_value, redacted_end
from progress_plugin.text.safe_output import one_line
from tests.text.tables import Example, read_examples, secrets_of

SECRETS = read_examples("secrets.tsv")
NEAR_MISSES = [example.text for example in read_examples("near_misses.tsv")]
TOKEN = secrets_of("token")[0].secrets[0]
_MARK = "[REDACTED:SECRET]"


def _leaks(examples: list[Example]) -> list[Example]:
    return [example for example in examples if example.parts_left_in(redact(example.text)[0])]


def test_nearly_all_secrets_of_the_table_go() -> None:
    leaks = _leaks(SECRETS)
    assert len(SECRETS) >= 1500
    assert len(leaks) <= 0.08 * len(SECRETS), leaks


def test_everyday_secrets_go() -> None:
    everyday = secrets_of("everyday")
    assert len(everyday) >= 170
    assert len(_leaks(everyday)) <= 0.07 * len(everyday), _leaks(everyday)


def test_nearly_all_near_misses_stay() -> None:
    changed = [text for text in NEAR_MISSES if redact(text) != (text, 0)]
    assert len(changed) <= 0.03 * len(NEAR_MISSES), changed


def test_redacting_again_changes_nothing_and_the_line_before_and_behind_stay() -> None:
    for example in SECRETS:
        redacted, count = redact(f"first line\n{example.text}\nlast line")
        assert redacted.startswith("first line\n")
        assert redacted.endswith("\nlast line")
        assert redact(redacted) == (redacted, 0)
        assert redacted.count("[REDACTED:") - example.text.count("[REDACTED:") == count


@pytest.mark.parametrize(
    "text",
    [
        "- The parser counts each token\n---\n- Run `feff10-rs oracle`\n- Use `s2_*.dat` and `test-http2-*.js`",
        '"js-tokens": {"integrity": "sha512-8Ofs/AUQh8MaEcrlq5xOX0CQ9ypTF5dl78mjlMNfOK08fzpgTHQRQ=="}',
        "- All tests pass in node18 and test262-pass.txt",
    ],
)
def test_what_is_near_a_word_for_a_secret_stays(text: str) -> None:
    assert redact(text) == (text, 0)


def test_a_secret_in_a_text_of_json_goes_too() -> None:
    single = [example for example in SECRETS if example.text.isascii() and "\\" not in example.text]
    leaks = [
        example
        for example in single
        if example.parts_left_in(json.loads(redact(json.dumps({"stdout": example.text}))[0])["stdout"])
    ]
    assert len(leaks) <= 0.08 * len(single), leaks


def test_the_end_of_a_text_is_redacted_even_if_a_private_part_begins_far_before_it() -> None:
    filler = "The tide is low.\n" * 1_000
    assert redacted_end(f"<private>mine</private>\n{filler}The last line", 13) == "The last line"
    assert redacted_end(f"<private>{filler}mine</private>", 60) == ""
    assert redacted_end(f"<private>{filler * 100}mine</private>", 60) == ""


@pytest.mark.parametrize("name", ["value_kinds.tsv", "secret_names.tsv", "secret_places.tsv"])
def test_every_pattern_of_a_table_matches_its_example(name: str) -> None:
    rows = [*read_rows(patterns.__file__, name)]
    assert [row for row in rows if not re.search(row[-2], row[-1], re.IGNORECASE)] == []


@pytest.mark.parametrize("example", secrets_of("token"), ids=lambda example: example.secrets[0][:9])
def test_a_token_is_replaced_by_its_kind_alone(example: Example) -> None:
    redacted, count = redact(example.text)
    kind = redacted.partition("[REDACTED:")[2].partition("]")[0]
    assert (redacted, count) == (example.text.replace(example.secrets[0], f"[REDACTED:{kind}]"), 1)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("login(password=hunter2)", f"login(password={_MARK})"),
        ("({DB_PASSWORD=swordfish})", f"({{DB_PASSWORD={_MARK}}})"),
        ("<b>DB_PASSWORD=swordfish</b>", f"<b>DB_PASSWORD={_MARK}</b>"),
        ('{"password": "hunter2", "caf\\u00e9": "a\\u0022b"}', f'{{"password": "{_MARK}", "caf\\u00e9": "a\\u0022b"}}'),
        ("41%41 and \\u0041, password: hunter2", f"41%41 and \\u0041, password: {_MARK}"),
        ("a\\_b, C:\\_x\\-y, password: hunter2", f"a\\_b, C:\\_x\\-y, password: {_MARK}"),
        ("\x1b[31mred\x1b[0m, password: hunter2", f"\x1b[31mred\x1b[0m, password: {_MARK}"),
        ("postgres://joe:hunter2@db/shop?x=1", "postgres://joe:[REDACTED:URL_CREDENTIALS]@db/shop?x=1"),
        ("mysql -u root -phunter2 shop && ls", f"mysql -u root -p{_MARK} shop && ls"),
        ("password changed from hunter2 to winter24!", f"password changed from {_MARK} to {_MARK}"),
    ],
)  # fmt: skip
def test_the_rest_of_the_text_stays(text: str, left: str) -> None:
    assert redact(text)[0] == left


def test_a_private_key_goes_whole_or_as_far_as_it_is_there() -> None:
    begin, end = (f"-----{edge} RSA " + "PRIVATE KEY-----" for edge in ("BEGIN", "END"))
    body = "MIIEpAIBAAKCAQEA" * 4
    for before in ("", "> ", "- ", "    ", "12: "):
        whole = "\n".join(before + line for line in (begin, body, body, end))
        assert redact(f"{whole}\nafter")[0].removeprefix(before) == "[REDACTED:PRIVATE_KEY]\nafter"
        cut = "\n".join(before + line for line in (begin, body, body))
        assert body[:20] not in redact(cut)[0]
    assert redact(json.dumps(f"{begin}\n{body}\n{end}\nrest"))[0] == '"[REDACTED:PRIVATE_KEY]\\nrest"'
    prose = f"look for {begin}\nResult: it works"
    assert redact(prose) == (prose, 0)


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ("a<private>b</private>c", "ac", 1),
        ("a<private>b<private>c</private>d</private>e", "ae", 1),
        ("a<private>b</private>c<PRIVATE>d</Private>e", "ace", 2),
        ("a<private>open to the end", "a", 1),
        ("a</private>b", "a</private>b", 0),
        ("<pri<private>x</private>vate>y", "‹private>y", 1),
        ("ssh ubuntu@<private-ip>, then go on", "ssh ubuntu@<private-ip>, then go on", 0),
        ("KEY=<private key> is set", "KEY=<private key> is set", 0),
        ("a <private: mine>b</private> c", "a  c", 1),
        ("text in `<private>` goes, `a <private> b` too", "text in `<private>` goes, `a <private> b` too", 0),
    ],
)
def test_private_parts_go_with_their_tags(text: str, left: str, count: int) -> None:
    assert redact(text) == (left, count)


@pytest.mark.parametrize(
    ("value", "redacted"),
    [
        ({"password": 12345678, "max": 3, "on": True}, {"password": _MARK, "max": 3, "on": True}),
        ({"db_password": "letmein", "tokens": 123456}, {"db_password": _MARK, "tokens": 123456}),
        ({"password": ["hunter2"], "note": "see the vault"}, {"password": [_MARK], "note": "see the vault"}),
        ({"password": "required", "api_key": "${KEY}"}, {"password": "required", "api_key": "${KEY}"}),
        ([{"name": "DB_PASSWORD", "value": "letmein"}], [{"name": "DB_PASSWORD", "value": _MARK}]),
        (["--password", "letmein", "--user", "joe"], ["--password", _MARK, "--user", "joe"]),
        ({"a": [{"b": f"x {TOKEN}"}, "<private>y</private>"]}, {"a": [{"b": "x [REDACTED:DOCKER_TOKEN]"}, ""]}),
        ({TOKEN: 1, TOKEN[:-1] + "Z": 2}, {"[REDACTED:DOCKER_TOKEN]": 1, "[REDACTED:DOCKER_TOKEN] 2": 2}),
        ({TOKEN: 1, "[REDACTED:DOCKER_TOKEN]": 2}, {"[REDACTED:DOCKER_TOKEN]": 1, "[REDACTED:DOCKER_TOKEN] 2": 2}),
        ({"password": "letmein\n"}, {"password": _MARK}),
    ],
)  # fmt: skip
def test_values_and_keys_of_json_are_redacted(value: object, redacted: object) -> None:
    before = json.dumps(value)
    assert redact_value(value)[0] == redacted
    assert redact_value(redacted) == (redacted, 0)
    assert json.dumps(value) == before


def test_deep_nesting_is_no_obstacle() -> None:
    value: list[object] = ["<private>x</private>"]
    for _ in range(50_000):
        value = [value]
    redacted, count = redact_value(value)
    for _ in range(50_000):
        redacted = redacted[0]
    assert (redacted, count) == ([""], 1)


@pytest.mark.slow
def test_a_text_of_many_beginnings_takes_linear_time() -> None:
    units = [
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "eyJ",
        "password: ",
        "a:b@",
        "://a:",
        "password=(",
        "mysql -p",
        "\\u0070",
        "<private ",
    ]
    for unit in units:
        start = time.process_time()
        redact(unit * (50_000 // len(unit)))
        assert time.process_time() - start < 10, unit


_PIECES = st.one_of(
    st.sampled_from([secret for example in secrets_of("token") for secret in example.secrets]),
    st.sampled_from(["<private>", "password=", 'token: "', '"', "://", "@", ":", "[REDACTED:", "]", "mysql -p", "\n", "\\n"]),
    st.text(string.ascii_letters + string.digits + " \n'\"<>/=:-_.@$\\", max_size=12),
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(_PIECES, max_size=12).map("".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)[0]
    assert redact(once) == (once, 0)
    assert one_line(once) == one_line(one_line(once))
    assert redact_document(text, redact_lines).count("\n") == text.count("\n")


@settings(max_examples=100)
@given(st.text(max_size=20), st.text(max_size=20))
def test_a_token_between_other_texts_never_survives(before: str, after: str) -> None:
    assert TOKEN not in redact(f"{before} {TOKEN} {after}")[0]


@given(
    st.text("bcdfghjklmnpqrsvwz", min_size=10, max_size=32), st.sampled_from(["DB_PASSWORD", "PGPASSWORD"])
)
def test_the_value_of_a_password_variable_goes_whatever_it_is_made_of(value: str, name: str) -> None:
    assert value not in redact(f"set {name}={value} in .env")[0]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 99) | st.text(max_size=20) | st.just("x<private>y"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(_JSON)
def test_a_redacted_value_has_the_same_outline(value: object) -> None:
    redacted = redact_value(value)[0]
    assert json.loads(json.dumps(redacted)) == redacted
    assert _outline(redacted) == _outline(value)


def _outline(value: object) -> object:
    if isinstance(value, dict):
        return [_outline(inner) for inner in value.values()]
    if isinstance(value, list):
        return [_outline(inner) for inner in value]
    return "" if isinstance(value, str) else value
