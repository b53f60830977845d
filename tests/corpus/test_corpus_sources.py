"""Each line of a start context names the lines of the real log that say it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from tests.corpus.projects import projects
from tests.journeys.tracing import find_untraced_lines

pytestmark = pytest.mark.corpus


def test_what_a_context_tells_of_real_logs_stands_in_the_lines_it_names(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = 0
    for root in projects(corpus, tmp_path):
        assert main(["-C", str(root), "context", "--sources", "--json"]) == 0
        lines = json.loads(capsys.readouterr().out)
        assert find_untraced_lines(root, lines) == [], root.name
        told += sum(bool(line["sources"]) for line in lines)
    assert told > 2_000
