"""Changing one key of a TOML file leaves the rest of its text as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.usecases.config import set_key

DATA = Path(__file__).with_name("data")
TEXT = (DATA / "config.toml").read_text("utf-8")
EDITS = json.loads((DATA / "edits.json").read_text("utf-8"))


@pytest.mark.parametrize(("keys", "value", "before", "after"), EDITS)
def test_one_key_changes_and_the_comments_stay(keys: Any, value: Any, before: str, after: str) -> None:
    assert TEXT.count(before) == 1
    assert set_key(TEXT, tuple(keys), value) == TEXT.replace(before, after)


def test_a_table_without_keys_goes_and_a_dotted_key_stays_dotted() -> None:
    assert set_key("[promote]\nauto = true\n", ("promote", "auto"), None) == ""
    assert set_key('team.url = "x"  # ours\n', ("team", "url"), "y") == 'team.url = "y"  # ours\n'
    assert set_key('team = {url = "x"}\n', ("team", "url"), "y") == 'team = {url = "y"}\n'


def test_a_key_whose_table_is_another_value_is_left_to_the_user() -> None:
    with pytest.raises(ValueError, match="team must be a table"):
        set_key("team = 1\n", ("team", "url"), "y")
