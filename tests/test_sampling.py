"""The sample of variants that a usual run takes: the same each time, and all of them in the long form."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests import sampling
from tests.sampling import instants

_TESTS = """
import pytest

LIVES = ("plain", "in-a-linked-worktree", "after-600-entries")

@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(7))
def test_sampled(number): pass

@pytest.mark.long_form
def test_long(): pass

@pytest.mark.parametrize("life", LIVES)
@pytest.mark.parametrize("number", range(60))
def test_lived(number, life): pass

@pytest.mark.parametrize("life", ["long", "short"])
def test_another_life(life): pass

def test_alone(): pass
"""


class _Collected:
    """Keeps what pytest has collected."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.items = list(items)


@pytest.fixture
def items(tmp_path: Path) -> list[pytest.Item]:
    """Return tests of every kind that the sample knows."""
    (tmp_path / "test_it.py").write_text(_TESTS)
    found = _Collected()
    marks = ["-o", "markers=sampled(n): .", "-o", "addopts="]
    pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", *marks, str(tmp_path)], plugins=[found])
    return found.items


def test_a_usual_run_takes_each_nth_variant_and_each_journey_in_its_plain_setting(
    items: list[pytest.Item], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "SECONDS", 0.0)
    out = {item.name for item in sampling.left_out(items)}
    taken = [item.name for item in items if item.name not in out]
    assert [name for name in taken if "sampled" in name] == [
        f"test_sampled[{number}]" for number in (0, 3, 6)
    ]
    assert "test_long" in out
    assert {f"test_lived[{number}-plain]" for number in range(60)} <= {*taken}
    assert {"test_another_life[long]", "test_another_life[short]", "test_alone"} <= {*taken}
    others = [name for name in taken if "lived" in name and "plain" not in name]
    assert 20 <= len(others) <= 40
    assert {name.partition("-")[2] for name in others} == {
        f"{life}]" for life in ("in-a-linked-worktree", "after-600-entries")
    }
    assert out == {item.name for item in sampling.left_out(items)}


def test_the_long_form_takes_all(items: list[pytest.Item], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "SECONDS", 1.0)
    assert sampling.left_out(items) == []
    assert list(islice(instants(5, "archive"), 4)) == [1, 2, 3, 4]


def test_kills_are_made_at_instants_that_differ_by_journey(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "SECONDS", 0.0)
    for of in ("archive", "repair", "start"):
        first, second, third = islice(instants(5, of), 3)
        assert (first, third - second) == (1, 5)
    assert {list(islice(instants(5, str(of)), 2))[1] for of in range(50)} == {2, 3, 4, 5, 6}
