"""Which paths are named like plans and logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.sources.names import match_path

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("paths.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("path", "kind", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_path(path: str, kind: str, expected: str) -> None:
    match = match_path(path)
    if match is None:
        assert kind == "-"
    else:
        assert (match.row.kind, match.reason or match.row.format) == (kind, expected)
