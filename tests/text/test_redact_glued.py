"""Secrets in the surroundings that pasted output gives them, and look-alikes in the same surroundings."""

from __future__ import annotations

import json
import string

import pytest

from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.safe_output import clean, one_line

_BODY = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
"""Made here, so that no file of the repository holds a secret."""
GITHUB = "ghp" + "_" + _BODY
AWS = "AK" + "IA" + "Q7R8S9T0U1V2W3X4"
TELEGRAM = "123456789" + ":AA" + "abcdefghijklmnopqrstuvwxyz012345678"[:33]
ANTHROPIC = "sk-" + "ant-" + "api03-" + _BODY
RANDOM = "Xy7Kq9Zr" + "2LmT4vB8"
HEX = "0f3a9b1c4d5e6f70" + "8192a3b4c5d6e7f801234567"
UUID = "3f0c9a52-7b1e-4d2a-9c33-444455556666"

BEFORE = {
    "a line end": "\\n",
    "a tab": "\\t",
    "a line end in JSON within JSON": "\\\\n",
    "a line end of Windows": "\\r\\n",
    "a colour as Python prints it": "\\x1b[31m",
    "a colour as JSON has it": "\\u001b[31m",
    "a colour as a shell has it": "\\033[1;31m",
    "a colour as less has it": "^[[31m",
    "a colour of many": "^[[38;5;208m",
    "the end of a colour": "\\u001b[0m\\u001b[K",
    "a sign of JSON": "\\u003d",
    "a sign of an address": "token%3D",
    "a name": "TOKEN_",
    "a script without spaces": "令牌",
}


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("token", [GITHUB, AWS, ANTHROPIC, TELEGRAM], ids=lambda token: token[:4])
def test_what_was_written_before_a_token_does_not_hide_it(before: str, token: str) -> None:
    text = f'{{"stdout": "{before}{token}\\nnext"}}'
    assert token[8:] not in redact(text)[0]
    assert token[8:] not in one_line(text)


@pytest.mark.parametrize(
    "text",
    [
        GITHUB.replace("_", "\\_"),
        f"use {'sk_live' + '_' + _BODY} here".replace("_", "\\_"),
        f"use {'glpat' + '-' + _BODY}".replace("-", "\\-"),
        json.dumps(GITHUB.replace("_", "\\_")),
    ],
    ids=lambda text: text[:8],
)
def test_escapes_of_markdown_do_not_hide_a_token(text: str) -> None:
    assert _BODY not in redact(text)[0]


def test_escapes_of_markdown_stay_where_they_hide_nothing() -> None:
    text = "a\\_b and C:\\_x\\-y are as they were, "
    assert redact(text) == (text, 0)
    assert redact(f"{text}{GITHUB}") == (f"{text}[REDACTED:GITHUB_TOKEN]", 1)


@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_json_within_json_hides_no_password(times: int) -> None:
    text = json.dumps({"password": RANDOM})
    for _ in range(times):
        text = json.dumps({"stdout": text})
    assert RANDOM not in redact(text)[0]


_LINES = [
    "MIIEpAIBAAKCAQEA" + _BODY + "AbCdEfGhIjKl",
    string.ascii_letters + "0123456789+/",
    "q" * 40 + "==",
]


@pytest.mark.parametrize("before", ["> ", "- ", "    ", "> > ", "* ", "| ", "  - ", "12: ", "    7\t"])
@pytest.mark.parametrize("ended", [True, False], ids=["whole", "cut off"])
def test_a_private_key_in_a_quote_or_list_goes_with_its_body(before: str, *, ended: bool) -> None:
    edge = "-----{} RSA " + "PRIVATE KEY-----"
    lines = [edge.format("BEGIN"), *_LINES, *([edge.format("END")] if ended else [])]
    text = "\n".join(before + line for line in lines) + "\n\nthe rest stays"
    redacted = redact(text)[0]
    assert not [line for line in _LINES if line[:20] in redacted]
    assert redacted.endswith("the rest stays")
    assert not [line for line in _LINES if line[:20] in one_line(text)]


def test_prose_in_a_list_behind_a_key_that_was_cut_off_stays() -> None:
    key = f"-----BEGIN {'PRIVATE'} KEY-----"
    text = f"{key}\n{_LINES[0]}\n- RepositoryConfigurationManager reads it\n> Note: rotate"
    assert redact(text)[0].endswith("]\n- RepositoryConfigurationManager reads it\n> Note: rotate")
    assert redact(f"look for {key}\nResult: it works") == (f"look for {key}\nResult: it works", 0)


def test_a_header_in_pasted_json_is_known_behind_its_line_end() -> None:
    text = json.dumps(
        {"log": json.dumps({"head": f"Host: x\nBearer {_BODY}", "Authorization": RANDOM + RANDOM})}
    )
    redacted = redact(text)[0]
    assert _BODY not in redacted
    assert RANDOM not in redacted


def test_headers_within_a_private_key_that_was_cut_off_do_not_save_its_body() -> None:
    text = f"-----BEGIN RSA {'PRIVATE'} KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n{_LINES[0]}\n"
    assert _LINES[0] not in redact(text)[0]


@pytest.mark.parametrize(
    ("template", "secret"),
    [
        ("https://api.telegram.org/bot{}/send", TELEGRAM),
        ("postgres://svc:{}@db/x", "p@ss" + RANDOM),
        ("postgres://svc:{}@db/x", "pa/ss" + RANDOM),
        ("postgres://svc:{}@db/x", "pa#ss" + RANDOM),
        ("postgres://svc:{}@db/x", "pa?ss" + RANDOM),
        ("postgres://svc:{}@db/x", "p@ss/" + RANDOM),
        ("https://joe@corp.test:{}@registry.test/npm", RANDOM),
        ("postgres://svc:{}@$DB_HOST/x", RANDOM),
        ("postgres://sampleapp:{}@db/x", RANDOM),
        ("postgres://your_user:{}@db/x", RANDOM),
        ("postgres://svc:{}@db/x", RANDOM + "example"),
        ("aws_secret_access_key = {}", "wJalr7Ut" + "example" + "FEMIK7MDENGbPxRfiCY123456"),
        ('password: "{}"', "replace" + RANDOM),
        ("machine github.com login joe password {}", RANDOM),
        ("machine github.com\n  login joe\n  password {}", RANDOM),
        ("machine github.com password {}", RANDOM),
        ("<password>{}</password>", RANDOM),
        ('<add key="DbPassword" value="{}"/>', RANDOM),
        ('<property name="password">{}</property>', RANDOM),
        ("db.internal:5432:shop:svc:{}", RANDOM),
        ("*:*:*:svc:{}", RANDOM),
        ("- name: DB_PASSWORD\n  value: {}", RANDOM),
        ('- name: DB_PASSWORD\n  value: "{}"', RANDOM),
        ('{{"name": "DB_PASSWORD", "value": "{}"}}', RANDOM),
        ('{{"name":"DB_PASSWORD","value":"{}"}}', RANDOM),
        ('{{"key":"db_password","value":"{}"}}', RANDOM),
        ('{{\\"name\\":\\"DB_PASSWORD\\",\\"value\\":\\"{}\\"}}', RANDOM),
        ("ParameterKey=DbPassword,ParameterValue={}", RANDOM),
        ("POSTGRES_PASSWORD: ${{POSTGRES_PASSWORD:-{}}}", RANDOM),
        ("- POSTGRES_PASSWORD=${{POSTGRES_PASSWORD:-{}}}", RANDOM),
        ('DB_PASSWORD="${{DB_PASSWORD:-{}}}"', RANDOM),
        ("DB_PASS=${{DB_PASS:={}}}", RANDOM),
        ("POSTGRES_PASSWORD: ${{PGPW:-{}}}", RANDOM),
        ("password: ${{db.password:{}}}", RANDOM),
        ("password_confirmation: {}", RANDOM),
        ('passwordConfirm: "{}"', RANDOM),
        ('"passwordConfirmation":"{}"', RANDOM),
        ('smtpPass: "{}"', RANDOM),
        ('"userPass":"{}"', RANDOM),
        ("DBPASS={}", RANDOM),
        ("SSHPASS={} ssh h", RANDOM),
        ("SECRET_KEY_BASE={}", HEX),
        ("DB_PASSWORD_PROD={}", RANDOM),
        ("API_KEY={}", HEX),
        ("password: {}", UUID),
        ("access_token: {}", HEX),
        ("password: {}", "correct" + "horse1battery"),
        ("password: {}", "P@ss" + "w0rd"),
        ("password\uff1a{}", RANDOM),
        ("Passwort: {}", RANDOM),
        ("密码：{}", RANDOM),
        ("密码: {}", RANDOM),
        ("Пароль: {}", RANDOM),
        ("Pass: {}", RANDOM),
        ("pw={}", RANDOM),
        ("DB_PW={}", RANDOM),
        ("PASSWORD -> {}", RANDOM),
        ("PASSWORD → {}", RANDOM),
        ("password: \\u001b[31m{}\\u001b[0m", RANDOM),
        ("getenv('DB_PASSWORD','{}')", RANDOM),
        ('os.environ.get("API_KEY", "{}")', RANDOM),
        ('SetEnvironmentVariable("DB_PASSWORD", "{}", "User")', RANDOM),
        ('env("DB_PASSWORD", default="{}")', RANDOM),
        ("process.env.DB_PASSWORD || '{}'", RANDOM),
        ("os.getenv('API_TOKEN') or '{}'", RANDOM),
        ("DB_PASSWORD ?= {}", RANDOM),
        ("password: |\n  {}", RANDOM),
        ("password: >-\n  {}", RANDOM),
        ("client_secret%3D{}", RANDOM),
        ("<password><![CDATA[{}]]></password>", RANDOM),
        ("<Password xmlns='x'>{}</Password>", RANDOM),
        ("setx DB_PASSWORD {}", RANDOM),
        ('setx /M DB_PASSWORD "{}"', RANDOM),
        ("ENV DB_PASSWORD {}", RANDOM),
        ("set -gx DB_PASSWORD {}", RANDOM),
        ("mysql -p{}", RANDOM),
        ("mysqldump -h db -u root -p{} shop", "horsebattery"),
        ("sshpass -p {} ssh root@host", "horsebattery"),
        ("curl -u joe:{} https://api.test/x", "horse/battery"),
        ("https://joe:{}@host/path?x=a@b", "horsebattery"),
        ("sshpass -p '{}' ssh root@host", RANDOM),
        ("docker login -u joe -p {} ghcr.io", RANDOM),
        ("redis-cli -h cache -a {} ping", RANDOM),
        ("key {}", "NRAK" + "-" + "Q7R8S9T0U1V2W3X4Y5Z6A7B8C9D"),
        ("key {}", "CCIPAT" + "_" + "FERZRjbNn8aD3bcqEEvdNq" + "_" + HEX),
        ("key {}", "sk." + "eyJ" + "1Ijoiam9lIiwiYSI6ImNrZjB6" + "." + "Q7r8S9t0U1v2W3x4Y5z6A7"),
        ("https://x.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig={}", "q7R8s9T0" * 5 + "%3D"),
        ("https://b.s3.amazonaws.com/k?X-Amz-Signature={}", "0f3a9b1c" * 8),
    ],
)
def test_a_secret_is_known_in_the_place_that_is_made_for_it(template: str, secret: str) -> None:
    text = f"seen: {template.format(secret)} in the end"
    redacted, count = redact(text)
    assert count >= 1
    assert not [at for at in range(len(secret) - 5) if secret[at : at + 6] in redacted]
    assert secret[-6:] not in one_line(text)
    assert redacted.endswith(" in the end")
    assert redact(redacted) == (redacted, 0)


@pytest.mark.parametrize(
    "text",
    [
        f"token: {HEX}",
        f"token={HEX}",
        f"resume token: {UUID}",
        f'"token": "{UUID}"',
        "auth token: JWT/RS256",
        "Secret: SCRAM-SHA-256",
        "private_key=id_rsa_4096bit",
        "password: sha512crypt",
        "token -> base64url",
        "http 200 -u a:bcd",
        "https://github.com:acme/shop@v1",
        "ssh://git@host.test:22/path2@v1",
        "http://localhost:3000/users/A42@x",
        "http://host:PORT/A42@x",
        "file://C:/Users/Dev42/node_modules/@types/node",
        'password: "example-password-1"',
        "password: exampleApiKey123",
        "API_KEY=sample_key_12345",
        "API_KEY=insert-your-stripe-key-1",
        "postgres://user:change-me-1@db/x",
        "postgres://svc:$DB_PASSWORD@db/x",
        "mysql -p$DB_PASSWORD shop",
        "mysql -u root -p shop",
        "sshpass -p <password> ssh root@host",
        "the mysql driver -pinned to 3- and mysql -> postgres",
        '["password", "email2"]',
        "<Password>{value2}</Password>",
        "- name: DB_PASSWORD\n  valueFrom: secretKeyRef2",
        "- name: DB_PASSWORD\n  value: $(DB_PASSWORD_2)",
        "getenv('DB_PASSWORD', 'changeme123')",
        "pass: 12, fail: 0, pw = page.width2()",
        "Pass: 1204/1204 checks",
        "db:5432:5432 is mapped",
        "a \\nAKIA is a prefix; [31mghp_ too",
        "密码：必须至少12个字符",
        "the login page asks for password hash256",
        "ENV NODE_VERSION 20.11.30",
    ],
)
def test_what_stands_in_such_a_place_and_is_no_secret_stays(text: str) -> None:
    assert redact(text) == (text, 0)


def test_a_value_is_assigned_to_the_name_beside_it() -> None:
    value = [{"name": "DB_PASSWORD", "value": RANDOM}, {"name": "REGION", "value": "eu-west-1a"}]
    redacted = [{"name": "DB_PASSWORD", "value": "[REDACTED:SECRET]"}, value[1]]
    assert redact_value(value) == (redacted, 1)


def test_an_identifier_under_token_stays_and_under_a_password_goes() -> None:
    value = {"token": UUID, "password": UUID}
    assert redact_value(value) == ({"token": UUID, "password": "[REDACTED:SECRET]"}, 1)


def test_a_secret_that_glued_escapes_repeat_goes_from_a_whole_text_of_them() -> None:
    assert _BODY not in clean(f"\\n{GITHUB}\\n{AWS}\\t" * 50)
