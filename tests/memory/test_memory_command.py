"""`agent-progress memory`: the same answers as the tools, by hand."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.usecases.memory.location import MemoryLocation
from tests.memory.conftest import Add

STEPS = json.loads((Path(__file__).with_name("data") / "commands.json").read_text("utf-8"))


@pytest.mark.parametrize("name", STEPS)
def test_each_command_answers_in_text_or_json(
    place: MemoryLocation,
    add: Add,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_DB", place.database)
    is_about_observations = name == "of observations"
    if is_about_observations:
        add(5000)
    for words, code, shown in STEPS[name]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('{"goal": "é"}'.encode())))
        assert main(["-C", str(place.root), "memory", *words]) == code
        printed = capsys.readouterr()
        assert (printed.out or printed.err).startswith(shown)
    assert main(["-C", str(place.root), "memory", "progress", "--json"]) == is_about_observations
    assert "text" not in json.loads(capsys.readouterr().out)
