"""What the benchmarks say of how certain their figures are."""

from __future__ import annotations

import importlib

import pytest

from tests.conftest import REPOSITORY


@pytest.mark.parametrize(
    ("count", "ranks"),
    [(1, (1, 1)), (5, (1, 5)), (6, (1, 6)), (10, (2, 9)), (30, (10, 21)), (60, (22, 39)), (100, (40, 61))],
)
def test_a_median_is_certain_between_two_of_its_values(
    count: int, ranks: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The ranks are those of tables of the binomial distribution; of five values no two are far enough apart.
    monkeypatch.syspath_prepend(REPOSITORY / "benchmarks")
    interval = importlib.import_module("first_request").interval
    assert interval([float(number) for number in range(count, 0, -1)]) == ranks
