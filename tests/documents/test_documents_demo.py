"""The demonstration: the first command anybody runs."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from progress_plugin.cli.main import cli
from progress_plugin.usecases import summaries as demonstration
from tests.documents import remake
from tests.documents.console import Place


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_it_shows_what_an_agent_gets_and_what_that_saves(temporary: Path) -> None:
    result = CliRunner().invoke(cli, ["demo"])
    assert result.exit_code == 0
    assert "progress: 11/14" in result.output
    summary = remake.read(remake.SUMMARY)
    assert summary in result.output
    tokens = demonstration.demo()["figures"]["tokens"]
    assert tokens["saved"] == tokens["before"] - tokens["after"] > 0
    assert f"{tokens['before']:,} for plan and log" in result.output
    assert f"{tokens['saved']:,} saved" in result.output
    assert list(temporary.iterdir()) == []


def test_it_leaves_nothing_in_the_working_directory_or_the_example(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    before = sorted(os.listdir(demonstration.EXAMPLE))
    assert CliRunner().invoke(cli, ["demo"]).exit_code == 0
    assert list(here.iterdir()) == []
    assert sorted(os.listdir(demonstration.EXAMPLE)) == before
    assert list(temporary.iterdir()) == []


@pytest.mark.usefixtures("temporary")
def test_its_json_has_context_summary_and_figures() -> None:
    result = CliRunner().invoke(cli, ["demo", "--json"])
    shown = json.loads(result.output)
    assert shown["summary"] == remake.read(remake.SUMMARY)
    assert shown["context"].endswith(shown["summary"])
    assert shown["figures"]["stories"]["total"] == 14
    assert shown["source_bytes"] == sum(
        os.path.getsize(os.path.join(demonstration.EXAMPLE, name)) for name in demonstration.EXAMPLE_FILES
    )
    assert "path" not in shown["figures"]


@pytest.mark.slow
def test_every_process_makes_the_same_bytes_of_the_same_example(tmp_path: Path) -> None:
    place = Place(tmp_path)
    seeds = ("1", "2", "3", "5")
    made = [json.loads(place.run(f"PYTHONHASHSEED={seed} agent-progress demo --json")[1]) for seed in seeds]
    assert len({each["context"] for each in made}) == 1
