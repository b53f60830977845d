"""`agent-progress memory`: the same answers as the tools, by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.usecases.memory.location import MemoryLocation
from tests.memory.conftest import Add

REPOSITORY = Path(__file__).resolve().parents[2]
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def command(place: MemoryLocation) -> Command:
    """Return a function that runs `agent-progress -C shop memory …`."""

    def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "progress_plugin.cli.main", "-C", str(place.root), "memory", *arguments],
            cwd=REPOSITORY, input=given, capture_output=True, text=True, check=False, encoding="utf-8",
            env={**os.environ, "AGENT_PROGRESS_DB": place.database},
        )  # fmt: skip

    return run


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_a_document_is_written_read_listed_and_restored(command: Command) -> None:
    missing = command("progress")
    assert (missing.returncode, missing.stdout) == (1, "No progress document found for project shop\n")
    first = command("progress", "--content", "-", given='{"goal": "é"}')
    assert first.stdout == "Saved progress of shop: revision 1, id 1.\n"
    answer(command("progress", "shop", "--content", '{"goal": "two"}', "--base-revision", "1", "--json"))
    read = answer(command("progress", "--json"))
    assert (read["content"], read["revision"], "text" in read) == ({"goal": "two"}, 2, False)
    assert command("progress", "--revision", "1").stdout.startswith('# Progress: shop\n\n{"goal": "é"}\n')
    listed = command("progress", "--revisions").stdout.splitlines()
    assert [line.split("  ")[1] for line in listed] == ["revision 2", "revision 1"]
    assert answer(command("restore", "--progress", "shop", "--revision", "1", "--json"))["restored"] == 1
    assert answer(command("progress", "--json"))["content"] == {"goal": "é"}
    assert command("restore", "--progress", "shop").returncode == 2


def test_observations_are_saved_searched_compacted_and_restored(command: Command, add: Add) -> None:
    saved = command("save", "--title", "Cache", "--content", "Warm it", "--type", "pattern")
    assert saved.stdout == "Saved observation 1, revision 1.\n"
    assert answer(command("search", "warm", "--json"))["observations"][0]["id"] == 1
    assert command("search", "nowhere").returncode == 1
    refused = command("compact", "--older-than-days", "30", "--ids", "[1]")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "agent-progress: nothing was compacted. younger than the threshold: 1. "
        "Identify again and send only ids that it lists\n"
    )
    assert command("compact", "--older-than-days", "nan").returncode == 2
    assert command("restore").returncode == 1
    number = add(5000)
    assert answer(command("compact", "--older-than-days", "30", "--json"))["observations"][0]["id"] == number
    done = command("compact", "--older-than-days", "30", "--ids", f"[{number}]", "--summary-title", "Old")
    assert done.stdout == "Compacted 1 observation, left summary 3: 2 -> 2 rows.\n"
    assert [one["ids"] for one in answer(command("restore", "--list", "--json"))] == [[number]]
    assert command("restore").stdout == "Restored 1 observation of compaction 1.\n"
