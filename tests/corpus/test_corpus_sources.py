"""Every line that a real log gives a start context names the lines of that log which say it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from tests.tracing import untrue

pytestmark = pytest.mark.corpus


def test_what_a_context_tells_of_real_logs_stands_in_the_lines_it_names(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = sorted((corpus / "logs").iterdir())
    assert len(folders) == 58
    told = 0
    for folder in folders:
        root = tmp_path / folder.name
        root.mkdir()
        for path in folder.iterdir():
            name = path.name if path.suffix == ".json" else "progress.md"
            shutil.copyfile(path, root / name)
        assert main(["-C", str(root), "context", "--sources", "--json"]) == 0
        lines = json.loads(capsys.readouterr().out)
        assert untrue(root, lines) == [], folder.name
        told += sum(bool(line["sources"]) for line in lines)
    assert told > 2_500
