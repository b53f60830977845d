"""A relative path on the command line is relative to the working directory, whatever `-C` names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import TABLES


@pytest.mark.parametrize(("arguments", "shown"), TABLES["relative paths"])
def test_a_path_is_relative_to_the_working_directory(
    project: Path, run: Any, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], shown: str
) -> None:
    here = project / "src"
    here.mkdir()
    with (project / "progress.md").open("a") as log:
        log.write("\n## 2026-03-02 - US-002: Story 2\n\n- Painted src/quay.py\n")
        log.write("\n## 2026-03-03 - US-003: Story 3\n\n- Oiled lib/quay.py\n")
    for name in ("prd.json", "progress.md"):
        (here / name).write_text((project / name).read_text())
    (project / "prd.json").write_text('{"project": "Elsewhere", "userStories": []}')
    monkeypatch.chdir(here)
    code, out, err = run("-C", str(project), *arguments)
    assert (code, err) == (0, "")
    assert shown.format(here=here).replace("quay.py", "src/quay.py") in out
    # The log in that folder has all entries, and `extract` reads it whole.
    assert "Oiled" not in out or arguments[0] == "extract" or arguments[-1] == "."
