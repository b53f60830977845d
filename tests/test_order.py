"""The longest files of tests are begun first, and are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.order import LONGEST, long_first

REPOSITORY = Path(__file__).resolve().parent.parent


class _Item:
    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid


def test_the_longest_files_come_first_and_all_else_stays_as_it_was_collected() -> None:
    collected = [
        "tests/cli/test_x.py::test_b", f"{LONGEST[1]}::test_d", f"{LONGEST[1]}::test_c", "tests/cli/test_x.py::test_a",
        f"{LONGEST[0]}::test_z[of more]",
    ]  # fmt: skip
    items: list[pytest.Item] = [_Item(nodeid) for nodeid in collected]  # type: ignore[misc]
    assert [item.nodeid for item in long_first(items)] == [
        collected[4], collected[1], collected[2], collected[0], collected[3],
    ]  # fmt: skip


def test_each_file_that_is_begun_first_is_there() -> None:
    assert [name for name in LONGEST if not (REPOSITORY / name).is_file()] == []
    assert len(set(LONGEST)) == len(LONGEST)
