"""The readers against real plans, where the corpus is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.model.story import count
from progress_plugin.plans.reader import read_plan

pytestmark = pytest.mark.corpus

FORMATS = ("task-master", "beads", "feature-list", "agent-os", "planning-with-files", "prd")
HELD_OUT = Path(__file__).parent.parent / "corpus" / "held_out.txt"


def _rows(corpus: Path) -> list[dict[str, Any]]:
    rows = json.loads((corpus / "plans" / "index.json").read_text())
    return rows if isinstance(rows, list) else rows["plans"]


def _read(corpus: Path, row: dict[str, Any]) -> Any:
    file = corpus / "plans" / row["file"]
    state = file.parent / "state.json"
    return read_plan(
        row["path"],
        file.read_bytes(),
        lambda path: state.read_bytes() if path == ".taskmaster/state.json" and state.exists() else None,
    )


@pytest.mark.parametrize("plan_format", FORMATS)
def test_every_real_plan_is_counted_as_a_careful_reader_counts_it(corpus: Path, plan_format: str) -> None:
    rows = [row for row in _rows(corpus) if row["format"] == plan_format and row["expected"]]
    read = {row["name"]: _read(corpus, row) for row in rows}
    assert {name: (plan.format, count(plan.stories)) for name, plan in read.items()} == {
        row["name"]: (plan_format, row["expected"]) for row in rows
    }
    assert len(rows) >= 5


def test_the_unreadable_real_plan_is_named_in_one_line(corpus: Path) -> None:
    (row,) = [row for row in _rows(corpus) if row["expected"] is None]
    with pytest.raises(BadInput, match=r"^feature_list\.json: not valid JSON at line \d+, column \d+ .*$"):
        _read(corpus, row)


def test_every_plan_beside_a_labelled_log_has_the_stories_of_its_label(corpus: Path) -> None:
    held_out = [line for line in HELD_OUT.read_text().splitlines() if not line.startswith("#")]
    labels = {gold.stem: gold for gold in (corpus / "gold").glob("*.json") if gold.stem not in held_out}
    compared = 0
    for name, gold in labels.items():
        label = json.loads(gold.read_text()).get("prd")
        if not label:
            continue
        file = corpus / "logs" / name / label["file"]
        plan = read_plan(file.name, file.read_bytes(), lambda _: None)
        assert plan is not None
        assert (name, len(plan.stories), count(plan.stories)["done"]) == (name, label["total"], label["done"])
        compared += 1
    assert compared >= 5
