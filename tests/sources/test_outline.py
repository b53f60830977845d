"""What the structure of a text shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from progress_plugin.sources.outline import recognise

ROWS = json.loads(Path(__file__).with_name("outlines.json").read_text("utf-8"))


@pytest.mark.parametrize(("path", "text", "kind", "still_open", "done"), ROWS)
def test_structure(path: str, text: str, kind: str | None, still_open: int, done: int) -> None:
    outline = recognise(path, text)
    assert (outline.kind, outline.open_items, outline.done_items) == (kind, still_open, done)


def test_broken_json_is_named_with_its_line() -> None:
    assert recognise("prd.json", '{\n"id": 1,\n').problem.startswith("broken JSON at line 3")
