"""Our own log is read whole by everybody who reads it, up to one and the same size."""

from __future__ import annotations

import json
from pathlib import Path

from progress_plugin.core.files import MAX_BYTES, MAX_INPUT_BYTES
from progress_plugin.core.project import find_project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.summarizing.sources import read_plans

OWN = ".agent-os/progress/progress.json"


def test_a_log_larger_than_a_plan_may_be_is_neither_left_out_nor_recorded_as_absent(tmp_path: Path) -> None:
    entry = {"id": "e1", "timestamp": "2026-01-01T00:00:00Z", "type": "task_completed", "data": {}}
    file = tmp_path / OWN
    file.parent.mkdir(parents=True)
    padded = json.dumps({"version": "1.0", "entries": [entry]}) + " " * MAX_INPUT_BYTES
    file.write_text(padded, "utf-8")
    assert MAX_INPUT_BYTES < len(padded) < MAX_BYTES
    inputs = InputSnapshot(str(tmp_path))
    sources = read_plans(find_project(start=str(tmp_path)), inputs)
    assert [each["id"] for each in sources.log.entries] == ["e1"]
    assert sources.problems == []
    assert inputs.problems == []
    assert inputs.files[OWN][0] == len(padded)
