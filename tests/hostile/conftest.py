"""The figures of the table, here as well, and the attackers' cases of each module, counted."""

from __future__ import annotations

import ast
import json
import os
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.torture.figures import FIGURES, SECONDS, kept

__all__ = ["kept"]

_PASSED: Counter[str] = Counter()
_HERE = "tests/hostile/"
_SECTIONS = re.compile(r"\s*\(([S\d., ]+)\)\.$")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count what held, by module."""
    if report.when == "call" and report.passed and report.nodeid.startswith(_HERE):
        _PASSED[report.nodeid.partition("::")[0]] += 1


def pytest_sessionfinish() -> None:
    """Write a line for each module where figures are wanted: what its first sentence promises."""
    folder = os.environ.get(FIGURES)
    for path, cases in _PASSED.items() if folder else ():
        told = {
            **promised(path), "test": path, "figures": {"cases": cases, "failures": 0},
            "asked": SECONDS, "day": f"{datetime.now(UTC):%Y-%m-%d}",
        }  # fmt: skip
        Path(str(folder), f"{Path(path).stem}.json").write_text(json.dumps(told), "utf-8")


def promised(path: str) -> dict[str, str]:
    """Return what a module of tests says it is about, and the sections that it names."""
    text = ast.get_docstring(ast.parse((REPOSITORY / path).read_text("utf-8"))) or path
    first = text.partition("\n")[0]
    named = _SECTIONS.search(first)
    return {"promise": _SECTIONS.sub("", first).rstrip("."), "section": named[1] if named else "S16"}
