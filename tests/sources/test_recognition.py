"""What the structure of a text says about its kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from progress_plugin.sources.recognition import recognise_document, recognise_plan

ROWS = json.loads(Path(__file__).with_name("structures.json").read_text("utf-8"))


@pytest.mark.parametrize(("path", "text", "still_open", "done"), ROWS["plans"])
def test_a_plan_is_recognised_by_reading_it(path: str, text: str, still_open: int, done: int) -> None:
    structure = recognise_plan(path, text, None)
    assert (structure.open_items, structure.done_items) == (still_open, done)


@pytest.mark.parametrize(("text", "kind"), ROWS["documents"])
def test_a_document_is_recognised_by_its_signs(text: str, kind: str | None) -> None:
    assert recognise_document(text).kind == kind


def test_broken_json_is_named_with_its_line() -> None:
    assert recognise_plan("prd.json", '{\n"id": 1,\n', None).problem.startswith("not valid JSON (line 3")
