"""`agent-progress memory`: the same answers as the tools, by hand."""

from __future__ import annotations

import io
import json
import sys

import pytest

from progress_plugin.cli.main import main
from progress_plugin.usecases.memory.location import MemoryLocation
from tests.memory.conftest import Add

OLD = ["compact", "--older-than-days", "30"]
OF_A_DOCUMENT = [
    (["progress"], 1, "No progress document found for project shop\n"),
    (["progress", "--content", "-"], 0, "Saved progress of shop: revision 1, id 1.\n"),
    (
        ["progress", "shop", "--content", "{}", "--base-revision", "1"],
        0,
        "Saved progress of shop: revision 2",
    ),
    (["progress", "--revision", "1"], 0, '# Progress: shop\n\n{"goal": "é"}\n'),
    (["progress", "--revisions"], 0, "id 2  revision 2"),
    (["restore", "--progress", "shop", "--revision", "1"], 0, "Saved progress of shop: revision 3"),
    (["progress"], 0, '# Progress: shop\n\n{"goal": "é"}\n'),
    (["restore", "--progress", "shop"], 2, "agent-progress: --progress needs --revision"),
]
OF_OBSERVATIONS = [
    (["save", "--title", "Cache", "--content", "Warm it", "--type", "pattern"], 0, "Saved observation 2"),
    (["search", "warm"], 0, "- 2 | pattern | Cache | "),
    (["search", "nowhere"], 1, "Nothing found for 'nowhere' in shop."),
    ([*OLD, "--ids", "[2]"], 1, "agent-progress: nothing was compacted. younger than the threshold: 2. "),
    (["compact", "--older-than-days", "nan"], 2, "agent-progress: older_than_days must be a finite number"),
    (["restore"], 1, "agent-progress: there is no compaction to undo"),
    (OLD, 0, "1 of 1 observation not touched for 30 days\n- 1 | decision | a title"),
    (
        [*OLD, "--ids", "[1]", "--summary-title", "Old"],
        0,
        "Compacted 1 observation, left summary 3: 2 -> 2 rows",
    ),
    (["restore", "--list"], 0, "compaction 1  "),
    (["restore"], 0, "Restored 1 observation of compaction 1.\n"),
]


@pytest.mark.parametrize("steps", [OF_A_DOCUMENT, OF_OBSERVATIONS])
def test_each_command_answers_in_text_or_json(
    place: MemoryLocation,
    add: Add,
    steps: list[tuple[list[str], int, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_DB", place.database)
    if steps is OF_OBSERVATIONS:
        add(5000)
    for words, code, shown in steps:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('{"goal": "é"}'.encode())))
        assert main(["-C", str(place.root), "memory", *words]) == code
        printed = capsys.readouterr()
        assert (printed.out or printed.err).startswith(shown)
    assert main(["-C", str(place.root), "memory", "progress", "--json"]) == (steps is OF_OBSERVATIONS)
    assert "text" not in json.loads(capsys.readouterr().out)
