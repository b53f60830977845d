"""One key of a TOML file is changed in its text; everything else stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from progress_plugin.usecases.config import set_key

TEXT = """\
# ours
share = true  # with all
log_files = [
    "a.md",  # first
]

[team]
# the server
url = "postgresql://db/a#b"
"""


@pytest.mark.parametrize(
    ("keys", "value", "before", "after"),
    [
        (("share",), False, "share = true", "share = false"),
        (("share",), None, "share = true  # with all\n", ""),
        (("log_files",), ["b.md"], '[\n    "a.md",  # first\n]', '[\n    "b.md",\n]'),
        (("jit",), False, "]\n\n", "]\njit = false\n\n"),
        (("team", "url"), "postgresql://db/c", "postgresql://db/a#b", "postgresql://db/c"),
        (("team", "name"), "anna", 'a#b"\n', 'a#b"\nname = "anna"\n'),
        (("promote", "auto"), True, 'a#b"\n', 'a#b"\n\n[promote]\nauto = true\n'),
    ],
)
def test_one_key_changes_and_the_comments_stay(keys: Any, value: Any, before: str, after: str) -> None:
    assert TEXT.count(before) == 1
    assert set_key(TEXT, keys, value) == TEXT.replace(before, after)


def test_a_table_without_keys_goes_and_a_dotted_key_stays_dotted() -> None:
    assert set_key("[promote]\nauto = true\n", ("promote", "auto"), None) == ""
    assert set_key('team.url = "x"  # ours\n', ("team", "url"), "y") == 'team.url = "y"  # ours\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('team = {url = "x"}\n', "unusual layout"),
        ('["team"]\nurl.a = "x"\n', "unusual layout"),
        ("team = 1\n", "team must be a table"),
    ],
)
def test_a_file_of_unusual_layout_is_left_to_the_user(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        set_key(text, ("team", "url"), "y")
