"""Bytes become text or one clear message; private parts and secrets are removed, and every line keeps its number."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.text.decode import decode, document_text

ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=st.text(st.characters(exclude_characters="\ufeff\x00", codec="utf-8")))
def test_text_is_the_same_in_every_encoding_that_carries_a_mark(encoding: str, text: str) -> None:
    assert decode(ENCODINGS[encoding] + text.encode(encoding), "plan") == text


def test_a_zero_byte_in_utf_8_stays() -> None:
    assert decode(b"one\0two", "progress.txt") == "one\0two"


def test_bytes_of_another_encoding_are_named_with_file_and_line() -> None:
    with pytest.raises(BadInput) as caught:
        decode("première\nannée".encode("latin-1"), "notes.md")
    assert str(caught.value) == "notes.md: not valid UTF-8 text at byte 5 (line 1); save the file as UTF-8"


def test_half_a_utf_16_character_is_named_too() -> None:
    with pytest.raises(BadInput, match=r"^prd\.json: not valid UTF-16 text at byte 4 \(line 1\); save"):
        decode(codecs.BOM_UTF16_LE + b"a\0b", "prd.json")


@given(st.binary())
def test_any_bytes_are_text_or_a_line_that_names_the_file(data: bytes) -> None:
    try:
        said = decode(data, "progress.md")
    except BadInput as error:
        said = str(error)
        named = said.startswith("progress.md: ") and "\n" not in said
    else:
        named = True
    assert named, said


SECRET = "q7Rz4Lm" + "T9vKx2Wd8"
KEY = ["-----BEGIN RSA " + "PRIVATE KEY-----", "MIIEpAIBAAKCAQEA" * 4, "-----END RSA " + "PRIVATE KEY-----"]


def _read(text: str) -> str:
    return document_text(text.encode(), "progress.md")[0]


@pytest.mark.parametrize(
    "secret_lines",
    [
        KEY,
        [f"> {line}" for line in KEY],
        ["- the password is", f"  {SECRET}"],
        ["- **Password**:", f"  - {SECRET}"],
        ["API key:", "", f"> {SECRET}"],
        ["export DB_PASSWORD=\\", f"  {SECRET} \\", "  make"],
        ["curl \\", "  -u \\", f"  joe:{SECRET}"],
        ["| Name | Secret |", "|------|--------|", f"| joe | {SECRET} |", f"| jane | `{SECRET}` |"],
        ["| User | Password |", "|------|---------:|", *["| joe | ab1cdef9 |"] * 300, f"| jane | {SECRET} |"],
        ["The admin password is:", "", "```text", SECRET, "```"],
        ["### Password", "", SECRET],
        ["PASSWORD = (", f"    '{SECRET}'", ")"],
        ["- name: DB_PASSWORD", f"  value: {SECRET}"],
        ["command:", "  - redis-server", "  - --requirepass", f"  - {SECRET}", "  - --save"],
        ["password: >-", f"  {SECRET}"],
        ["machine a.test", "  login bob", f"  password {SECRET}"],
    ],
    ids=lambda lines: lines[0],
)
def test_a_secret_across_lines_goes_and_every_other_line_keeps_its_number(secret_lines: list[str]) -> None:
    lines = ["# Log", "- The gate is green", *secret_lines, "", "- The quay is grey"]
    left = _read("\n".join(lines)).split("\n")
    assert not any(SECRET in line or "MIIEpAIBAAKC" in line for line in left)
    assert (left[1], left[len(lines) - 1], len(left)) == (lines[1], lines[-1], len(lines))


@pytest.mark.parametrize(
    "lines",
    [
        ["| Token | Old |", "|---|---|", "| --color-bg-2 | #fff |", "| --space-4 | 3px |"],
        ["| Suite | Pass | Fail |", "|---|---|---|", "| unit | 3f9a2c1b | 0 |", "| web | run#1234 | 2 |"],
        ["- Hash the password:", "  - bcrypt@5.1.0", "- Forgot password:", "  - src/a1.ts#L20-L31"],
        ["Tokens:", "- --color-bg-2", "- gray500 is grey", "- 18,204 in, 2,011 out", f"- {'9f8e7d6c5b' * 4}"],
        ["Passwords:", "- at least 12 signs", "- hash: argon2id", "- docs/auth2.md#L20"],
        ["API keys:", "are kept by the team", "- 3f9a2c1b is the build"],
        ["<password>", "required", "</password>"],
    ],
    ids=lambda lines: lines[0],
)
def test_lines_below_the_name_of_a_secret_that_hold_none_stay(lines: list[str]) -> None:
    assert _read("\n".join(lines)).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- a\n<private>\n- b\n- c\n</private>\n- d", "- a\n\n\n\n\n- d"),
        ("- a <private>b</private> c\n- d", "- a  c\n- d"),
        ("<PRIVATE>\n<private>a</private>\nb\n</private>\nc", "\n\n\n\nc"),
        ("# A\n<private>\n- never closed\n## B\n- d", "# A\n\n\n## B\n- d"),
        ("<private>\n```sh\n# make\n```\n- b\n## C\n- d", "\n\n\n\n\n## C\n- d"),
        ("- text in `<private>` and `</private>` goes\n- d", "- text in `<private>` and `</private>` goes\n- d"),
        ("- ssh ubuntu@<private-ip>\n- b\n# C", "- ssh ubuntu@<private-ip>\n- b\n# C"),
    ],
)  # fmt: skip
def test_what_is_private_goes_with_its_lines_kept(text: str, left: str) -> None:
    assert _read(text) == left


def test_invalid_bytes_are_named() -> None:
    text, fault = document_text(b"- a\xff\n<private>b</private>", "progress.md")
    assert text == "- a\ufffd\n"
    assert fault is not None
    assert fault.startswith("progress.md: not valid UTF-8")


_PARTS = ["<private>", "</private>", "<private: x>", "API keys:\n", "- a1b2c3d4e5\n", "```\n", "\u2028", "password:", "\n", "\\\n",
          "| key |\n|---|\n| a1b2c3d4 |", *KEY, "the token is\n", SECRET, "- ", "`", ";", "words"]  # fmt: skip


@settings(max_examples=100)
@given(st.lists(st.sampled_from(_PARTS), max_size=30).map("".join))
def test_no_line_moves(text: str) -> None:
    assert _read(text).count("\n") == text.count("\n")


CONFLICT = ["- a", "<<<<<<< HEAD", "- ours", "=======", "- theirs", ">>>>>>> feat/quay", "- b"]


def test_a_document_in_conflict_is_read_as_both_sides_and_named() -> None:
    text, fault = document_text("\n".join(CONFLICT).encode(), "progress.md")
    assert text.split("\n") == ["- a", "", "- ours", "", "- theirs", "", "- b"]
    assert fault is not None
    assert fault.startswith("progress.md: holds git conflict markers")


@pytest.mark.parametrize("text", ["Title\n=======\n- a", "- look for <<<<<<< HEAD\n- and >>>>>>> feat"])
def test_what_only_looks_like_a_conflict_stays(text: str) -> None:
    assert document_text(text.encode(), "progress.md") == (text, None)
