"""A document is read line by line: what is private or secret only across lines is gone before that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.document_text import (
    _NAMED,
    _names_a_secret,
    document_text,
    without_conflict_markers,
    without_parts_across_lines,
)
from tests.hostile.growth import grows_with_its_input
from tests.text.option_tables import ONE_DIGIT
from tests.text.secret_tables import MIXED

KEY = ["-----BEGIN RSA " + "PRIVATE KEY-----", "MIIEpAIBAAKCAQEA" * 4, "-----END RSA " + "PRIVATE KEY-----"]
PGP = [
    "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----",
    KEY[1],
    KEY[1],
    "-----END PGP " + "PRIVATE KEY BLOCK-----",
]


@pytest.mark.parametrize(
    "secret_lines",
    [
        KEY,
        ["- the password is", f"  {MIXED}"],
        ["- **Password**:", f"  - {MIXED}"],
        ["API key:", "", f"> {MIXED}"],
        ["export DB_PASSWORD=\\", f"  {MIXED} \\", "  make"],
        ["curl \\", "  -u \\", f"  joe:{MIXED}"],
        ["INSERT INTO users (name, password)", "VALUES", f"  ('joe', '{MIXED}'),", f"  ('jane', '{MIXED}');"],
        ["| Name | Secret |", "|------|--------|", f"| joe | {MIXED} |", f"| jane | `{MIXED}` |"],
        ["密码：", MIXED],
        ["The admin password is:", "", "```text", MIXED, "```"],
        ["1. [x] DB_PASSWORD", f"2. {MIXED}"],
        ["### Password", "", MIXED],
        ["The password for the production database is:", MIXED],
        ["> > password:", ">", f"> > {MIXED}"],
        ["PASSWORD = (", f"    '{MIXED}'", ")"],
        ["- name: DB_PASSWORD", f"  value: {MIXED}"],
        ["command:", "  - redis-server", "  - --requirepass", f"  - {MIXED}", "  - --save"],
        ["args: [", '  "mysql",', '  "-u",', '  "root",', f'  "-p{MIXED}"', "]"],
        ["password: >-", f"  {MIXED}"],
        [*KEY[:2], "Password:", "", f"- {MIXED}"],
        [PGP[0], "Version: GnuPG v2.0.22 (GNU/Linux)", "", *PGP[1:]],
        [f"> {at} | {line}" for at, line in enumerate([KEY[0], *[KEY[1] + "1"] * 3])],
        [
            "INSERT INTO users (id, made, password)",
            "VALUES",
            f" (1, NOW(), '{MIXED}'), -- one",
            f" (2, f(1, 'a'), '{MIXED}');",
        ],
        [
            "INSERT INTO users (password) VALUES",
            "",
            f"(crypt('{MIXED}', gen_salt('bf'))),",
            f"('{MIXED}'::text);",
        ],
        ["insert or replace", f"into users (note, password) values ('a;b', '{MIXED}');"],
        ["Replace Into users (a, password)", "Values", f"  ('(', '{MIXED}');"],
        ["> INSERT INTO users (password)", f"> VALUES ('{MIXED}');"],
        ["INSERT INTO users (password) VALUES", *["  ('ab1cdef9'),"] * 300, f"  ('{MIXED}');"],
        ["| User | Password |", "|------|---------:|", *["| joe | ab1cdef9 |"] * 300, f"| jane | {MIXED} |"],
        ["| User | Password (staging) |", "|-|-|", "| -- | -- |", f"| joe | {MIXED} |"],
        ["| User | Password |", "|:-:|:-:|", f"| joe | {MIXED}<br>until May |"],
        ["- | User | API key |", "  |---|---|", f"  | joe | {MIXED} (old) |"],
        ["| | staging | live |", "|---|---|---|", f"| Password | ab1cdef9 | {MIXED} |"],
        ["| 用户 | 密码 |", "|---|---|", f"| joe | {MIXED} |"],
        ["<password>", f"    {MIXED}", "</password>"],
        ["  <db.password>", f"          {ONE_DIGIT}", "", "        </db.password>"],
        ["API keys:", f"- {MIXED}", f"- `{MIXED}`", f"- staging: {MIXED}"],
        ["api_keys:", f'  - "{MIXED}"', f"  - {MIXED}"],
        ["- **Passwords** (staging):", "", f"  - bob: {ONE_DIGIT}", f"  - jane: {MIXED}"],
        ["## Access tokens", "", f"1. {MIXED}", f"2. {MIXED}"],
        ["The passwords for staging are:", "", "```", ONE_DIGIT, MIXED, "```"],
        ["passwords:", f"  bob: {MIXED}", f"  jane: {MIXED}"],
        ["| Name | Secret |", "|---|---|", f"| joe | {ONE_DIGIT} |"],
        ["| Token | Until |", "|---|---|", "| " + "q7R" + "z4L | May |", f"| `{ONE_DIGIT}` | June |"],
    ],
    ids=lambda lines: lines[0],
)
def test_a_secret_across_lines_goes_and_every_other_line_stays_at_its_number(secret_lines: list[str]) -> None:
    lines = ["# Log", "- The gate is green", *secret_lines, "", "- The quay is grey"]
    left = without_parts_across_lines("\n".join(lines)).split("\n")
    assert not any(MIXED in line or "MIIEpAIBAAKC" in line for line in left)
    assert not any(ONE_DIGIT in line or "q7R" + "z4L" in line for line in left)
    assert [left.index("- The gate is green"), left.index("- The quay is grey"), len(left)] == [
        1,
        len(lines) - 1,
        len(lines),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["| Token | Old |", "|---|---|", "| --color-bg-2 | #fff |", "| --space-4 | 3px |", "| ##ing1 | a |"],
        ["| Suite | Pass | Fail |", "|---|---|---|", "| unit | 3f9a2c1b | 0 |", "| web | run#1234 | 2 |"],
        ["| File | First pass | Second pass |", "|---|---|---|", "| a.py | fixed#1212 | 3f9a2c1b |"],
        ["| Secret | Where |", "|---|---|", "| secret/data/x1#key | vault |"],
        ["- Hash the password:", "  - bcrypt@5.1.0", "- Forgot password:", "  - src/a1.ts#L20-L31"],
        ["# Validate the token", "the refresh2fa1 is made", "- Set a password", "- [x] min=12"],
        ["| Token | Since |", "|---|---|", "| gray500 | v2 |", "| utf8mb4 | v3 |", "| PrimaryButton2 | v3 |"],
        ["| Secret | Where |", "|---|---|", "| stripe2 | vault |", "| 0x1f4e | flash |"],
        ["Tokens:", "- --color-bg-2", "- gray500 is grey", "- 18,204 in, 2,011 out", f"- {'9f8e7d6c5b' * 4}"],
        ["## Refresh tokens", "- 3f9a2c1b adds rotation", "- US-012 and T-001..T-020", "- kept for 30days"],
        [
            "Passwords:",
            "- at least 12 signs",
            "- hash: argon2id",
            "- bcrypt-12-hashed",
            "- docs/auth2.md#L20",
        ],
        ["- Secrets:", "  - DB_PASSWORD_2 is in the vault", "- build 4f7a9c1bx2 is green"],
        ["API keys:", "are kept by ops2024team", "- x1y2z3w4 is the build"],
        ["<password>", "required", "</password>"],
        ["Design tokens:", "- primary: #1a2b3c", "- accent: a1b2c3", "- radius2: 4px"],
        ["tokens:", "  access: 15min", "  refresh: 30d", "  alg: RS256"],
        ["Login with password:", "1. open page2.html", "2. click"],
        ["- INSERT INTO users (name, password) is prepared", "- it's done; commit 3f9a2c1b, 'see#1234'"],
    ],
    ids=lambda lines: lines[0],
)
def test_columns_of_other_things_stay(lines: list[str]) -> None:
    assert without_parts_across_lines("\n".join(lines)).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- a\n<private>\n- b\n- c\n</private>\n- d", "- a\n\n\n\n\n- d"),
        ("- a <private>b</private> c\n- d", "- a  c\n- d"),
        ("<PRIVATE>\n<private>a</private>\nb\n</private>\nc", "\n\n\n\nc"),
        ("# A\n<private>\n- never closed\n## B\n- d", "# A\n\n\n## B\n- d"),
        (
            "- text in `<private>` and `</private>` goes\n- d",
            "- text in `<private>` and `</private>` goes\n- d",
        ),
        ("- a </private>\n- b", "- a </private>\n- b"),
        ("<private>\n```sh\n# make\n```\n- b\n## C\n- d", "\n\n\n\n\n## C\n- d"),
        ("- a <private\n>\n- b\n</private>\n- c", "- a \n\n\n\n- c"),
        ("- ssh ubuntu@<private-ip>\n- b\n# C", "- ssh ubuntu@<private-ip>\n- b\n# C"),
        ("- `takes <private> parts out`\n- b", "- `takes <private> parts out`\n- b"),
        ("- a\n<pri\u200bvate>\n- b\n</priv\u00adate>\n- c", "- a\n\n\n\n- c"),
        (
            "- a \U0001f468\u200d\U0001f469 b\n<\x1b[1mprivate\n>\n- b\n</private>",
            "- a \U0001f468\u200d\U0001f469 b\n\n\n\n",
        ),
        ("- a\n<pri\x08vate>\n- b\n<\u3164/private>\n- c", "- a\n\n\n\n- c"),
        ("- a <private: mine> b\n<private>c</private>\nd </private> e", "- a \n\n e"),
        ("- set <private key> first\n- a <private>b</private> c", "- set <private key> first\n- a  c"),
        ("- all checks pass:\n- 1234abcd passed", "- all checks pass:\n- 1234abcd passed"),
    ],
)
def test_what_is_private_goes_with_its_lines_kept(text: str, left: str) -> None:
    assert without_parts_across_lines(text) == left


def test_a_command_continued_over_line_ends_of_windows_is_one() -> None:
    left = without_parts_across_lines(f"# A\r\ncurl \\\r\n  -u \\\r\n  joe:{MIXED}\r\n- b\r\n")
    assert MIXED not in left
    assert left.split("\n")[4] == "- b"


def test_what_stands_behind_a_secret_of_several_lines_stays_at_its_number() -> None:
    lines = [*KEY[:2], "short words", "- more", "of a log that has an end"]
    assert without_parts_across_lines("\n".join(lines)).split("\n")[2:] == lines[2:]


def test_bytes_that_are_no_text_are_named_as_for_any_file() -> None:
    text, fault = document_text(b"- a\xff\n<private>b</private>", "progress.md")
    assert text == "- a\ufffd\n"
    assert fault is not None
    assert fault.startswith("progress.md: not valid UTF-8")


PARTS = ["<private>", "</private>", "<private: x>", "<pri\u200bvate>", "API keys:\n", "- a1b2c3d4e5\n", "<private\n>", "<private-ip>", "password\n", "```\n", "\u2028", "\u200b","password:", "\n", "\\\n", "| key |\n|---|\n| a1b2c3d4 |", "INSERT INTO t (pw) VALUES ('a1')", "INSERT INTO t (pw) VALUES (f('a1', (", "('b2c3d4\n'), ", "| a1b2c3d4 |\n",
         *KEY, "the token is\n", MIXED, "- ", "`", ";", "words"]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_no_line_moves(text: str) -> None:
    once = without_parts_across_lines(text)
    assert once.count("\n") == text.count("\n")


def test_a_login_over_lines_loses_its_password_whatever_that_is_made_of() -> None:
    left = without_parts_across_lines("machine a.test\n  login bob\n  password geheim\n\nthe end")
    assert left.split("\n") == [
        "machine a.test",
        "  login bob",
        "  password [REDACTED:SECRET]",
        "",
        "the end",
    ]


@pytest.mark.parametrize("part", [part.replace("\n", " \n") + "{i}\n" for part in PARTS])
def test_the_work_grows_as_the_document_does(part: str) -> None:
    assert not grows_with_its_input(
        without_parts_across_lines, lambda times: "".join(part.format(i=i) for i in range(times)), 50
    )


@pytest.mark.parametrize(
    "line",
    ["password:", "PASSWORT:", "Passphrase is", "db_pwd =", "PW:", "API_key:", "clientSecret:", "Token:", "wpa_psk:",
     "Kennwort:", "mot de passe:", "mdp:", "contraseña:", "Clave:", "senha:", "wachtwoord:", "пароль:", "hasło:", "密码：",
     "パスワード:", "비밀번호:", "Bearer", "pas\u017fword:"],
)  # fmt: skip
def test_no_name_of_a_secret_is_passed_over_by_the_look_for_its_letters(line: str) -> None:
    assert _NAMED.search(line)
    assert _names_a_secret(line)


CONFLICT = ["- a", "<<<<<<< HEAD", "- ours", "=======", "- theirs", ">>>>>>> feat/quay", "- b"]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (CONFLICT, ["- a", "", "- ours", "", "- theirs", "", "- b"]),
        ([*CONFLICT[:3], "||||||| 1f2e3d4", "- base", *CONFLICT[3:]], ["- a", "", "- ours", *[""] * 3, "- theirs", "", "- b"]),
        ([f"{line}\r" for line in CONFLICT], ["- a\r", "", "- ours\r", "", "- theirs\r", "", "- b\r"]),
        (["<<<<<<<", "```", "=======", "```", ">>>>>>>", "- b"], ["", "```", "", "```", "", "- b"]),
        (["- half resolved", ">>>>>>> feat/quay", "Title", "======="], ["- half resolved", "", "Title", "======="]),
    ],
    ids=["two-sides", "with-their-base", "line-ends-of-windows", "a-block-of-code-in-each", "half-resolved"],
)  # fmt: skip
def test_a_document_in_conflict_is_read_as_both_sides_and_named(lines: list[str], left: list[str]) -> None:
    assert without_conflict_markers("\n".join(lines)) == ("\n".join(left), True)
    fault = document_text("\n".join(lines).encode(), "progress.md")[1]
    assert fault is not None
    assert fault.startswith("progress.md: holds git conflict markers")


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=======\n- a",
        "- look for <<<<<<< HEAD\n- and >>>>>>> feat",
        "```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> feat\n```\n- c",
        "> > > > > > > quoted\n>>>>>>>> eight",
    ],
    ids=["heading", "words", "example", "quote"],
)
def test_what_only_looks_like_a_conflict_stays(text: str) -> None:
    assert without_conflict_markers(text) == (text, False)
    assert document_text(text.encode(), "progress.md") == (text, None)


def test_a_conflict_beside_bytes_that_are_no_text_is_named_too() -> None:
    fault = document_text(b"<<<<<<< HEAD\n- a\xff\n", "progress.md")[1] or ""
    assert "not valid UTF-8" in fault
    assert "conflict markers" in fault
